//! The table of a gate on a terminal.
//!
//! Files are headings on lines of their own, so that no path is broken. The other columns share the width of the
//! terminal; their text is wrapped. The widths are the same for all files.

use super::row::{Level, Row};
use comfy_table::{Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, Width, presets};

/// Indentation of the rows below a file.
const INDENT: &str = "  ";
/// Padding of a column: one space on its right.
const PADDING: usize = 1;

/// The rows as a table for a display of `width` columns.
pub(crate) fn table(rows: &[&Row<'_>], width: u16, color: bool) -> String {
    let widths = widths(rows, usize::from(width));
    let mut text = String::new();
    for of_file in rows.chunk_by(|a, b| a.record.file == b.record.file) {
        text.push_str(&of_file[0].record.file);
        text.push('\n');
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        if color {
            table.enforce_styling()
        } else {
            table.force_no_tty()
        };
        for row in of_file {
            table.add_row(cells(row));
        }
        for (column, width) in table.column_iter_mut().zip(widths) {
            column.set_padding((0, PADDING as u16));
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed((width + PADDING) as u16)));
        }
        for line in table.lines() {
            text.push_str(&format!("{INDENT}{}\n", line.trim_end()));
        }
    }
    text
}

fn cells(row: &Row<'_>) -> [Cell; 4] {
    let verdict = Cell::new(&row.words);
    let verdict = match row.level {
        Level::Proved => verdict.fg(Color::Green),
        Level::Note => verdict.fg(Color::Cyan),
        Level::Open => verdict.fg(Color::Yellow),
        Level::Failed => verdict.fg(Color::Red),
    };
    let time = Cell::new(format!("{} ms", row.record.time_ms)).set_alignment(CellAlignment::Right);
    [Cell::new(&row.function), Cell::new(&row.pass), verdict, time]
}

/// The widths of the columns for a display of `width` columns: the verdict gets what the others leave.
fn widths(rows: &[&Row<'_>], width: usize) -> [usize; 4] {
    let mut all = Table::new();
    all.load_style(presets::NOTHING);
    rows.iter().for_each(|row| _ = all.add_row(cells(row)));
    let mut most = [1; 4];
    for (most, content) in most.iter_mut().zip(all.column_max_content_widths()) {
        *most = usize::from(content).max(1);
    }
    let [function, pass, verdict, time] = most;
    let room = width.saturating_sub(INDENT.len() + 4 * PADDING + time).max(12);
    let function = function.min(room / 3);
    let pass = pass.min(room / 4);
    let verdict = verdict.min(room - function - pass);
    [function, pass, verdict, time]
}
