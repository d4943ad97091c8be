//! Tables of verdicts by pass and of reasons, and the list of results that a person must examine.

use super::Judged;
use crate::table::{right, row};
use comfy_table::{Cell, Table, presets};
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

/// Verdicts as columns: the word in records, and the column header.
const VERDICTS: [(&str, &str); 9] = [
    ("refines-all", "proved"),
    ("assumed", "with assumption"),
    ("claims", "if attributes hold"),
    ("refines-up-to", "bounded"),
    ("vacuous", "vacuous"),
    ("inconclusive", "inconclusive"),
    ("refuted", "refuted"),
    ("refuted-by-undef", "refuted by undef"),
    ("internal-error", "internal error"),
];

/// All verdicts counted so far.
#[derive(Default)]
pub(crate) struct Report {
    /// By pass and verdict.
    counts: BTreeMap<String, BTreeMap<&'static str, usize>>,
    /// By reason: the number of verdicts, and the first location.
    reasons: BTreeMap<String, (usize, String)>,
    to_read: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    /// Adds the records of one pass on one file.
    pub(crate) fn add(&mut self, pass: &str, file: &Path, judged: &Judged) {
        if let Some(failure) = &judged.failure {
            self.failures.push(format!("{pass}: {}: {failure}", file.display()));
        }
        for record in judged.records.iter().filter(|record| record["kind"] == "validation") {
            let verdict = &record["verdict"];
            let kind = kind(verdict);
            let function = record["function"].as_str().unwrap_or_default();
            let place = format!("{} @{function}", file.display());
            *self.counts.entry(pass.to_owned()).or_default().entry(kind).or_default() += 1;
            match kind {
                "inconclusive" => {
                    let entry = self.reasons.entry(reason(&verdict["reason"])).or_insert((0, place));
                    entry.0 += 1;
                }
                "refuted" => {
                    let failure = verdict["failure"].as_str().unwrap_or_default();
                    self.to_read.push(format!("{pass}: {place}: refuted: {failure}"));
                }
                "refuted-by-undef" => {
                    let failure = verdict["refutation"]["failure"].as_str().unwrap_or_default();
                    self.to_read.push(format!("{pass}: {place}: refuted by an undef input: {failure}"));
                }
                "internal-error" => {
                    let what = verdict["what"].as_str().unwrap_or_default();
                    self.to_read.push(format!("{pass}: {place}: internal error: {what}"));
                }
                _ => {}
            }
        }
    }
    /// Whether nothing is refuted and no engine failed.
    pub(crate) fn is_clean(&self) -> bool {
        self.to_read.is_empty()
    }
    /// The report as text.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        let heads = std::iter::once("pass").chain(VERDICTS.iter().map(|(_, head)| *head)).chain(["all"]);
        table.set_header(heads.map(Cell::new));
        let line = |name: &str, counts: &BTreeMap<&'static str, usize>| {
            let columns = VERDICTS.iter().map(|(kind, _)| counts.get(kind).copied().unwrap_or(0));
            row(name, columns.chain([counts.values().sum()]))
        };
        let mut sums: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (pass, counts) in &self.counts {
            table.add_row(line(pass, counts));
            counts.iter().for_each(|(kind, n)| *sums.entry(kind).or_default() += n);
        }
        table.add_row(line("all", &sums));
        let _ = writeln!(text, "{table}");
        if !self.reasons.is_empty() {
            let mut reasons: Vec<_> = self.reasons.iter().collect();
            reasons.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), *reason));
            let mut table = Table::new();
            table.load_style(presets::NOTHING);
            table.set_header(["inconclusive", "reason", "first place"]);
            for (reason, (count, place)) in reasons {
                table.add_row([right(count), Cell::new(reason), Cell::new(place)]);
            }
            let _ = writeln!(text, "\n{table}");
        }
        for (head, list) in [("to be read by a person", &self.to_read), ("not judged", &self.failures)] {
            if !list.is_empty() {
                let _ = writeln!(text, "\n{head}: {}", list.len());
                list.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            }
        }
        text
    }
}

/// The column of a verdict.
fn kind(verdict: &Value) -> &'static str {
    let assumed = verdict["assumed"].as_array().map(Vec::as_slice).unwrap_or_default();
    if assumed.iter().any(|assumption| assumption.get("claims").is_some()) {
        return "claims";
    }
    let word = verdict["kind"].as_str().unwrap_or_default();
    match VERDICTS.iter().find(|(kind, _)| *kind == word) {
        Some(("refines-all", _)) if !assumed.is_empty() => "assumed",
        Some((kind, _)) => kind,
        None => "internal-error",
    }
}

/// Names, numbers and quoted code, which are replaced so that reasons of one kind are equal.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[@%]"[^"]*"|[@%!][\w.$-]+|\b\d+\b"#).expect("a constant pattern that is well formed")
});

/// The reason of an inconclusive verdict without names and numbers.
fn reason(reason: &Value) -> String {
    let why = reason["why"].as_str().unwrap_or("unknown");
    let detail = ["feature", "what", "word"].iter().find_map(|key| reason[*key].as_str());
    match detail {
        Some(detail) => format!("{why}: {}", VARIABLE.replace_all(detail, "_")),
        None => why.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reasons_of_one_class_are_counted_as_one() {
        let of = |name: &str| {
            reason(&json!({ "why": "unsupported", "feature": format!("a call of @{name} with 12 bytes") }))
        };
        assert_eq!(of("f"), "unsupported: a call of _ with _ bytes");
        assert_eq!(of("f"), of("g.1"));
        assert_eq!(reason(&json!({ "why": "budget", "rlimit": 5 })), "budget");
    }

    #[test]
    fn what_a_person_has_to_read_is_listed() {
        let record = |verdict: Value| json!({ "kind": "validation", "function": "f", "verdict": verdict });
        let judged = Judged {
            records: vec![
                record(json!({ "kind": "refines-all", "assumed": [] })),
                record(json!({ "kind": "refines-all", "assumed": ["no-undef-inputs"] })),
                record(json!({ "kind": "refines-all", "assumed": [{ "claims": ["@f is nofree"] }] })),
                record(json!({ "kind": "inconclusive", "reason": { "why": "budget" } })),
                record(json!({ "kind": "refuted", "failure": "value-mismatch" })),
            ],
            failure: None,
        };
        let mut report = Report::default();
        report.add("licm", Path::new("a.ll"), &judged);
        assert!(!report.is_clean());
        let text = report.render();
        assert!(text.contains("licm: a.ll @f: refuted: value-mismatch"), "{text}");
        assert_eq!(report.counts["licm"]["assumed"], 1);
        assert_eq!(report.counts["licm"]["claims"], 1);
        assert_eq!(report.counts["licm"]["refines-all"], 1);
    }
}
