//! Annotations of GitHub Actions: workflow commands that mark the definitions of functions.
//!
//! Failures are errors, undecided changes warnings. Accepted changes have no annotation, since GitHub shows ten of each
//! kind only.

use super::Report;
use super::places::relative;
use super::row::{Level, Row};

/// The report as workflow commands, one on each line, and a notice with the counts.
pub(super) fn annotations(report: &Report<'_>) -> String {
    let mut text: String = report.rows.iter().filter_map(annotation).collect();
    for entry in report.stale {
        text.push_str(&format!("::error title=stale entry of the baseline::{}\n", data(&entry.to_string())));
    }
    let summary = data(&report.summary.to_string());
    text + &format!("::notice title=backedge gate::{summary}\n")
}

fn annotation(row: &Row<'_>) -> Option<String> {
    let command = match row.level {
        Level::Proved | Level::Note => return None,
        Level::Open => "warning",
        Level::Failed => "error",
    };
    let mut properties = Vec::new();
    if row.record.file != "<stdin>" {
        properties.push(format!("file={}", property(&relative(&row.record.file))));
    }
    properties.extend(row.line.map(|line| format!("line={line}")));
    let title = [&row.function, &row.pass].map(String::as_str).join(" ");
    let title = if title.trim().is_empty() { row.rule } else { title.trim() };
    properties.push(format!("title={}", property(title)));
    let message = match row.details() {
        Some(details) => format!("{}\n{details}", row.words),
        None => row.words.clone(),
    };
    Some(format!("::{command} {}::{}\n", properties.join(","), data(&message)))
}

/// The message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(data("100 %\r\n::x"), "100 %25%0D%0A::x");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
