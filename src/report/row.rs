//! A record as reports show it: its level, its rule, and its texts, which are safe on a terminal.

use super::demangle;
use super::places::Places;
use crate::shown::visible;
use backedge_validate::record::{Finding, Record};
use backedge_validate::verdict::{Verdict, VerdictKind};

/// Which verdicts a gate accepts.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Policy {
    /// Whether claims of the target's attributes are assumed.
    pub(crate) assume_attributes: bool,
    /// Whether refutations by an undef input fail.
    pub(crate) strict_undef: bool,
}

/// How much attention a record needs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// Proved for all iterations, if only for inputs without undef.
    Proved,
    /// Accepted: within a bound, under another assumption, or by a baseline.
    Note,
    /// Not decided.
    Open,
    /// Fails the gate.
    Failed,
}

/// A record with its texts.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    /// The record.
    pub(crate) record: &'a Record,
    /// The attention that it needs.
    pub(crate) level: Level,
    /// Stable name of the kind of finding.
    pub(crate) rule: &'static str,
    /// The line of the function's definition, from 1, if known.
    pub(crate) line: Option<usize>,
    /// The function, demangled; empty for a whole file.
    pub(crate) function: String,
    /// The pass; empty if no pass is concerned.
    pub(crate) pass: String,
    /// The finding on one line.
    pub(crate) words: String,
}

impl<'a> Row<'a> {
    /// The row of `record`.
    pub(crate) fn new(record: &'a Record, policy: Policy, places: &mut Places) -> Self {
        let (pass, words) = texts(&record.finding);
        let accepted = record.accepted.as_ref().map(|why| format!(" (accepted: {why})"));
        let one_line = |text: &str| visible(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        let level = level(&record.finding, policy);
        Self {
            record,
            level: if record.accepted.is_some() { level.min(Level::Note) } else { level },
            rule: rule(&record.finding),
            line: places.line(&record.file, &record.function),
            function: demangle::function(&record.function),
            pass: one_line(&pass),
            words: one_line(&(words + &accepted.unwrap_or_default())),
        }
    }

    /// The place as compilers print it: file and line.
    pub(crate) fn place(&self) -> String {
        let file = &self.record.file;
        self.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"))
    }

    /// The row on one line.
    pub(crate) fn one_line(&self) -> String {
        let parts = [&self.place(), &self.function, &self.pass, &self.words];
        parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(": ")
    }

    /// What the one line has no room for: a refutation, a contradiction between engines, and the bucket of a failure.
    /// Accepted findings have no details.
    pub(crate) fn details(&self) -> Option<String> {
        if self.record.accepted.is_some() {
            return None;
        }
        let text = match self.record.verdict() {
            Some(Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. }) => {
                refutation.to_string()
            }
            Some(Verdict::InternalError(error)) => error.to_string(),
            _ => String::new(),
        };
        let mut lines: Vec<String> = text.lines().map(visible).collect();
        if let Some(bucket) = self.record.bucket.as_ref().filter(|_| self.level == Level::Failed) {
            lines.push(format!("bucket: {bucket}"));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// The pass and the finding as texts.
fn texts(finding: &Finding) -> (String, String) {
    match finding {
        Finding::Validation { pass, verdict, loops, .. } => (pass.clone(), verdict.words(*loops)),
        Finding::Crash { pass, message, .. } => (pass.clone(), format!("crashed: {message}")),
        Finding::Refused { pass, message } => (pass.clone(), format!("refused it: {message}")),
        Finding::Hang { pass, message, .. } => (pass.clone(), format!("hung: {message}")),
        Finding::BadInput { message } => (String::new(), format!("unreadable: {message}")),
        Finding::Opaque { feature } => (String::new(), format!("not modelled: {feature}")),
    }
}

fn level(finding: &Finding, policy: Policy) -> Level {
    let verdict = match finding {
        Finding::Validation { verdict, .. } => verdict.kind(),
        Finding::Opaque { .. } => return Level::Note,
        Finding::Crash { .. } | Finding::Refused { .. } | Finding::Hang { .. } | Finding::BadInput { .. } => {
            return Level::Failed;
        }
    };
    match verdict {
        VerdictKind::RefinesAll | VerdictKind::RefinesAllIfNoUndef | VerdictKind::RefinesAllIfNoPoison => {
            Level::Proved
        }
        VerdictKind::RefinesIfClaims if !policy.assume_attributes => Level::Open,
        VerdictKind::RefinesUpTo
        | VerdictKind::RefinesIfClaims
        | VerdictKind::RefinesUpToIfNoUndef
        | VerdictKind::RefinesUpToIfNoPoison
        | VerdictKind::Vacuous => Level::Note,
        VerdictKind::RefutedByUndef if !policy.strict_undef => Level::Open,
        VerdictKind::Inconclusive => Level::Open,
        VerdictKind::Refuted | VerdictKind::RefutedByUndef | VerdictKind::InternalError => Level::Failed,
    }
}

/// The kind of the verdict, or of the record if there is no verdict, as in records.
fn rule(finding: &Finding) -> &'static str {
    match finding {
        Finding::Crash { .. } => "crash",
        Finding::Refused { .. } => "refused",
        Finding::Hang { .. } => "hang",
        Finding::BadInput { .. } => "bad-input",
        Finding::Opaque { .. } => "opaque",
        Finding::Validation { verdict, .. } => match verdict.kind() {
            VerdictKind::RefinesAll => "refines-all",
            VerdictKind::RefinesUpTo => "refines-up-to",
            VerdictKind::RefinesIfClaims => "refines-if-claims",
            VerdictKind::RefinesAllIfNoUndef => "refines-all-if-no-undef",
            VerdictKind::RefinesUpToIfNoUndef => "refines-up-to-if-no-undef",
            VerdictKind::RefinesAllIfNoPoison => "refines-all-if-no-poison",
            VerdictKind::RefinesUpToIfNoPoison => "refines-up-to-if-no-poison",
            VerdictKind::Refuted => "refuted",
            VerdictKind::RefutedByUndef => "refuted-by-undef",
            VerdictKind::Vacuous => "vacuous",
            VerdictKind::Inconclusive => "inconclusive",
            VerdictKind::InternalError => "internal-error",
        },
    }
}

/// The meaning of each rule that needs attention, for formats that list rules.
pub(crate) const RULES: [(&str, &str); 17] = [
    ("refuted", "The function after the pass does not refine the function before"),
    ("refuted-by-undef", "The function after the pass does not refine the function before on an undef input"),
    ("internal-error", "Two engines of the checker contradict each other"),
    ("inconclusive", "Neither a proof nor a refutation was found"),
    ("refines-if-claims", "The result is correct if attributes that only it has hold"),
    ("refines-all-if-no-undef", "The result is correct if no input is undef"),
    ("refines-all-if-no-poison", "The result is correct if no input is poison"),
    ("refines-up-to-if-no-poison", "The result is correct within a bound, if no input is poison"),
    ("refines-up-to-if-no-undef", "The result is correct within a bound, if no input is undef"),
    ("refines-up-to", "The result is correct within a bound on iterations"),
    ("refines-all", "The result is correct"),
    ("vacuous", "The function before the pass is undefined on every input"),
    ("crash", "The optimizer crashed, or its output is invalid IR"),
    ("refused", "The optimizer refused the input"),
    ("hang", "The optimizer exceeded a limit"),
    ("bad-input", "The file can't be read"),
    ("opaque", "The function uses what is not modelled"),
];
