//! Tables for terminal output.

use super::record::{Finding, Record};
use comfy_table::{ContentArrangement, Table, presets};

/// The records as a table, one row each, for a display of `width` columns.
pub fn table(records: &[Record], width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(["file", "function", "pass", "verdict", "ms"]);
    for record in records {
        let (pass, verdict) = cells(&record.finding);
        let function =
            if record.function.is_empty() { String::new() } else { format!("@{}", record.function) };
        table.add_row([record.file.clone(), function, pass, verdict, record.time_ms.to_string()]);
    }
    table.to_string()
}

fn cells(finding: &Finding) -> (String, String) {
    match finding {
        Finding::Validation { pass, verdict, .. } => (pass.clone(), verdict.to_string()),
        Finding::Crash { pass, message, .. } => (pass.clone(), format!("crashed: {message}")),
        Finding::Refused { pass, message } => (pass.clone(), format!("refused: {message}")),
        Finding::Hang { pass, message, .. } => (pass.clone(), format!("hung: {message}")),
        Finding::BadInput { message } => (String::new(), format!("unreadable: {message}")),
        Finding::Opaque { feature } => (String::new(), format!("not modelled: {feature}")),
    }
}

/// Width in columns of the terminal on standard output; 120 without a terminal.
pub fn terminal_width() -> u16 {
    Table::new().width().unwrap_or(120)
}
