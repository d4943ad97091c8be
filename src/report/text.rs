//! Text for people: lines, and what follows a table or lines.

use super::row::{Level, Row};
use super::{Report, table, terminal};

/// The table of a report, with what follows it.
pub(super) fn table(report: &Report<'_>, to_stdout: bool) -> String {
    let (width, color) =
        if to_stdout { (terminal::width(), terminal::has_color()) } else { (terminal::USUAL, false) };
    let rows = report.listed();
    let table = if rows.is_empty() { String::new() } else { table::table(&rows, width, color) + "\n" };
    table + &rest(report, false)
}

/// What follows a table or lines: details of findings, and the summary; `quiet` if there are none.
pub(super) fn rest(report: &Report<'_>, quiet: bool) -> String {
    let mut text = String::new();
    for row in &report.rows {
        if let Some(details) = row.details() {
            let function = if row.function.is_empty() { "" } else { &format!("{} ", row.function) };
            text.push_str(&format!("{}: {function}{}\n{details}\n\n", row.place(), row.pass));
        }
    }
    text + &report.conclusion(quiet)
}

/// The report without accepted changes.
pub(super) fn quiet(report: &Report<'_>) -> String {
    let open = report.rows.iter().filter(|row| row.level >= Level::Open);
    open.map(|row| row.one_line() + "\n").collect::<String>() + &rest(report, true)
}

/// The line of a row; `None` if it is not listed.
pub(super) fn line(row: &Row<'_>, all: bool) -> Option<String> {
    (all || row.level > Level::Proved).then(|| row.one_line() + "\n")
}
