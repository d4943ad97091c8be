//! JUnit's XML: a file is a test suite, and a change is a test case.
//!
//! What fails the gate is a failure, or an error if the optimizer or the checker failed. Undecided changes and
//! unmodelled functions are skipped. Each stale entry of the baseline is an error in a suite of the baseline's name. The text conforms to the schema of Jenkins' xUnit plugin (`junit-10.xsd`).

use super::places::relative;
use super::row::{Level, Row};
use super::{Report, StaleEntry};
use miette::IntoDiagnostic;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report as JUnit's XML.
pub(super) fn junit(report: &Report<'_>) -> miette::Result<String> {
    let mut all = quick_junit::Report::new("backedge gate");
    all.set_time(Duration::from_millis(report.time_ms));
    for of_file in report.rows.chunk_by(|a, b| a.record.file == b.record.file) {
        let file = relative(&of_file[0].record.file);
        let mut suite = TestSuite::new(file.as_str());
        suite.add_test_cases(of_file.iter().map(|row| case(row, &file)));
        suite.set_time(Duration::from_millis(of_file.iter().map(|row| row.record.time_ms).sum()));
        all.add_test_suite(suite);
    }
    for of_file in report.stale.chunk_by(|a, b| a.file == b.file) {
        let file = relative(&of_file[0].file);
        let mut suite = TestSuite::new(file.as_str());
        suite.add_test_cases(of_file.iter().map(|entry| stale_case(entry, &file)));
        all.add_test_suite(suite);
    }
    let text = all.to_string().into_diagnostic()?;
    // The schema has this attribute for test suites only.
    Ok(text.replacen(&format!(" skipped=\"{}\"", all.skipped), "", 1))
}

fn case(row: &Row<'_>, file: &str) -> TestCase {
    let name = match (row.function.as_str(), row.pass.as_str()) {
        ("", "") => file.to_owned(),
        (function, pass) => format!("{function} {pass}").trim().to_owned(),
    };
    let mut case = TestCase::new(name, status(row));
    case.set_classname(file).set_time(Duration::from_millis(row.record.time_ms));
    case
}

/// A stale entry of the baseline `file`.
fn stale_case(entry: &StaleEntry, file: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type("stale").set_message(entry.to_string());
    let mut case = TestCase::new(format!("stale: {}", entry.bucket), status);
    case.set_classname(file).set_time(Duration::ZERO);
    case
}

fn status(row: &Row<'_>) -> TestCaseStatus {
    let is_skipped = row.record.accepted.is_some() || row.rule == "opaque";
    let mut status = match row.level {
        Level::Note if is_skipped => TestCaseStatus::skipped(),
        Level::Proved | Level::Note => return TestCaseStatus::success(),
        Level::Open => TestCaseStatus::skipped(),
        Level::Failed => TestCaseStatus::non_success(match row.rule {
            "refuted" | "refuted-by-undef" => NonSuccessKind::Failure,
            _ => NonSuccessKind::Error,
        }),
    };
    status.set_type(row.rule).set_message(row.words.as_str());
    if let Some(details) = row.details() {
        status.set_description(details);
    }
    status
}
