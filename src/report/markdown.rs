//! A summary in Markdown, for the summary of a job or a comment on a change.

use super::Report;
use super::row::{Level, Row};
use std::fmt::Write;

/// Rows of the table; more are counted.
const MOST: usize = 200;
/// Characters of a cell.
const LONGEST: usize = 300;

/// The report in Markdown.
pub(super) fn summary(report: &Report<'_>) -> String {
    let worst = report.rows.iter().map(|row| row.level).max();
    let heading = match worst {
        _ if report.interrupted => "interrupted",
        Some(Level::Failed) => "failed",
        _ if !report.stale.is_empty() => "the baseline is stale",
        Some(Level::Open) => "not everything is decided",
        Some(Level::Proved | Level::Note) => "passed",
        None => "nothing changed",
    };
    let mut text = format!("## backedge gate: {heading}\n\n{}\n\n", escaped(&report.summary.to_string()));
    for entry in report.stale {
        let _ = writeln!(text, "- stale entry of the baseline: {}", escaped(&entry.to_string()));
    }
    let listed = report.listed();
    if listed.is_empty() {
        return text;
    }
    text.push_str("| | place | pass | finding |\n|---|---|---|---|\n");
    for row in listed.iter().take(MOST) {
        let _ = writeln!(text, "{}", line(row));
    }
    if listed.len() > MOST {
        let _ = writeln!(text, "\n… and {} more", listed.len() - MOST);
    }
    text.push('\n');
    for row in listed.iter().filter(|row| row.level == Level::Failed).take(MOST) {
        if let Some(details) = row.details() {
            let title = escaped(&format!("{} {} {}", row.place(), row.function, row.pass));
            let _ =
                writeln!(text, "<details><summary>{title}</summary>\n\n{}\n\n</details>\n", fenced(&details));
        }
    }
    text
}

fn line(row: &Row<'_>) -> String {
    let mark = match row.level {
        Level::Failed => "❌",
        Level::Open => "⚠️",
        Level::Note => "ℹ️",
        Level::Proved => "✅",
    };
    let function = if row.function.is_empty() { String::new() } else { format!(" {}", row.function) };
    let cells = [&format!("{}{function}", row.place()), &row.pass, &row.words].map(|cell| escaped(cell));
    format!("| {mark} | {} |", cells.join(" | "))
}

/// The text with the characters that Markdown or HTML interprets escaped, cut to a length.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if at == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The text as a code block, with a fence that it does not contain.
fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}text\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, escaped, fenced};

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(escaped("<b>|`x`&\n"), "&lt;b&gt;\\|\\`x\\`&amp; ");
        assert_eq!(escaped(&"x".repeat(1000)).chars().count(), LONGEST + 1);
        assert_eq!(fenced("a\n```\nb"), "````text\na\n```\nb\n````");
    }
}
