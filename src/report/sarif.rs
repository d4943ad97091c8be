//! SARIF 2.1.0: every change that is not proved is a result. Code scanning of GitHub and GitLab reads it.
//!
//! A result names the function as a logical location, with its mangled name, and points to the line of its definition.
//! Its fingerprint is the bucket of the finding. A finding that a baseline accepts is suppressed. A stale entry of the
//! baseline is a result at the entry's line. The paths of files below the current directory are relative to `%SRCROOT%`.

use super::demangle;
use super::places::{below_current, relative};
use super::row::{Level, RULES, Row};
use super::{Report, StaleEntry};
use miette::IntoDiagnostic;
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, LogicalLocation, Message, MultiformatMessageString,
    PhysicalLocation, Region, ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif,
    Suppression, Tool, ToolComponent,
};
use std::collections::BTreeMap;

/// The name of the directory to which paths are relative.
const ROOT: &str = "%SRCROOT%";
/// The rule of stale entries of the baseline: its name and its meaning.
const STALE: (&str, &str) = ("stale", "An entry of the baseline accepts what is not found any more");

/// The report as SARIF.
pub(super) fn sarif(report: &Report<'_>) -> miette::Result<String> {
    let rules: Vec<ReportingDescriptor> =
        RULES.iter().chain([&STALE]).map(|(id, what)| rule(id, what)).collect();
    let driver = ToolComponent::builder()
        .name("backedge")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let rows = report.rows.iter().filter(|row| row.level > Level::Proved).map(result);
    let results: Vec<SarifResult> = rows.chain(report.stale.iter().map(stale)).collect();
    let invocation = Invocation::builder().execution_successful(!report.interrupted).build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation])
        .original_uri_base_ids(BTreeMap::from([(ROOT.to_owned(), root())]))
        .results(results)
        .build();
    let sarif = Sarif::builder()
        .schema("https://json.schemastore.org/sarif-2.1.0.json")
        .version("2.1.0")
        .runs(vec![run])
        .build();
    Ok(serde_json::to_string_pretty(&sarif).into_diagnostic()? + "\n")
}

fn rule(id: &str, what: &str) -> ReportingDescriptor {
    let what = MultiformatMessageString::builder().text(what).build();
    ReportingDescriptor::builder().id(id).short_description(what).build()
}

fn result(row: &Row<'_>) -> SarifResult {
    let level = match row.level {
        Level::Proved => ResultLevel::None,
        Level::Note => ResultLevel::Note,
        Level::Open => ResultLevel::Warning,
        Level::Failed => ResultLevel::Error,
    };
    let index = RULES.iter().position(|(id, _)| *id == row.rule).map_or(-1, |at| at as i64);
    let mut result = SarifResult::builder()
        .rule_id(row.rule)
        .rule_index(index)
        .level(level)
        .message(Message::builder().text(text(row)).build())
        .locations(vec![location(row)])
        .build();
    if let Some(bucket) = &row.record.bucket {
        result.partial_fingerprints = Some(BTreeMap::from([("bucket/v1".to_owned(), bucket.clone())]));
    }
    if let Some(why) = &row.record.accepted {
        let accepted = Suppression::builder().kind("external").justification(why.as_str()).build();
        result.suppressions = Some(vec![accepted]);
    }
    result
}

/// The finding with its details.
fn text(row: &Row<'_>) -> String {
    let parts = [&row.function, &row.pass, &row.words];
    let parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let details = row.details().map_or_else(String::new, |details| format!("\n\n{details}"));
    parts.join(": ") + &details
}

fn location(row: &Row<'_>) -> Location {
    let mut location = Location::builder().build();
    let name = &row.record.function;
    if !name.is_empty() {
        let shown = demangle::demangled(name).unwrap_or_else(|| name.clone());
        let mut function =
            LogicalLocation::builder().fully_qualified_name(shown.as_str()).kind("function").build();
        if shown != *name {
            function.decorated_name = Some(name.clone());
        }
        location.logical_locations = Some(vec![function]);
    }
    if row.record.file != "<stdin>" {
        location.physical_location = Some(place(&row.record.file, row.line));
    }
    location
}

/// The place of a line of a file.
fn place(file: &str, line: Option<usize>) -> PhysicalLocation {
    let mut artifact = ArtifactLocation::builder().build();
    match below_current(file) {
        Some(path) => {
            artifact.uri = Some(uri(&path));
            artifact.uri_base_id = Some(ROOT.to_owned());
        }
        None if file.starts_with('/') => artifact.uri = Some(format!("file://{}", uri(&relative(file)))),
        None => artifact.uri = Some(uri(&relative(file))),
    }
    let mut physical = PhysicalLocation::builder().artifact_location(artifact).build();
    physical.region = line.map(|line| Region::builder().start_line(line as i64).build());
    physical
}

/// The directory of the relative paths. Its own path is left out, since it differs between machines.
fn root() -> ArtifactLocation {
    let what = Message::builder().text("The directory in which backedge ran").build();
    ArtifactLocation::builder().description(what).build()
}

/// The result of a stale entry of the baseline.
fn stale(entry: &StaleEntry) -> SarifResult {
    let (rule, _) = STALE;
    let mut location = Location::builder().build();
    location.physical_location = Some(place(&entry.file, Some(entry.line)));
    SarifResult::builder()
        .rule_id(rule)
        .rule_index(RULES.len() as i64)
        .level(ResultLevel::Error)
        .message(Message::builder().text(entry.words()).build())
        .locations(vec![location])
        .build()
}

/// The path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a/b c:%.ll"), "a/b%20c%3A%25.ll");
    }
}
