//! SARIF 2.1.0: every change that is not proved is a result. Code scanning of GitHub and GitLab reads it.
//!
//! A result names the function as a logical location, with its mangled name, and points to the line of its definition.
//! Its fingerprint is the bucket of the finding. A finding that a baseline accepts is suppressed.

use super::Report;
use super::demangle;
use super::places::relative;
use super::row::{Level, RULES, Row};
use miette::IntoDiagnostic;
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, LogicalLocation, Message, MultiformatMessageString,
    PhysicalLocation, Region, ReportingDescriptor, Result as SarifResult, ResultLevel, Run, Sarif,
    Suppression, Tool, ToolComponent,
};
use std::collections::BTreeMap;

/// The report as SARIF.
pub(super) fn sarif(report: &Report<'_>) -> miette::Result<String> {
    let rules: Vec<ReportingDescriptor> = RULES.iter().map(|(id, what)| rule(id, what)).collect();
    let driver = ToolComponent::builder()
        .name("backedge")
        .version(env!("CARGO_PKG_VERSION"))
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(rules)
        .build();
    let results: Vec<SarifResult> =
        report.rows.iter().filter(|row| row.level > Level::Proved).map(result).collect();
    let invocation = Invocation::builder().execution_successful(!report.interrupted).build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations(vec![invocation])
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
        let file = ArtifactLocation::builder().uri(uri(&relative(&row.record.file))).build();
        let mut physical = PhysicalLocation::builder().artifact_location(file).build();
        physical.region = row.line.map(|line| Region::builder().start_line(line as i64).build());
        location.physical_location = Some(physical);
    }
    location
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
