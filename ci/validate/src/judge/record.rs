//! Records: one JSON object per line.
//!
//! Every record has `"schema": 1`, `"kind"`, `"file"`, `"function"` (without `@`; empty for a whole file) and
//! `"time_ms"` (a measurement: the one field that differs from run to run). A finding that a baseline may accept has a
//! `"bucket"`, and `"accepted"` (the reason) if a baseline accepts it. No string of a record contains a line break.
//! Kinds:
//!
//! - `"validation"`: one function and one pass that changed it, or one pair of `tv`. Fields: `"pass"` (for a pair the
//!   target's name), `"step"` (position in the pipeline), `"verdict"` (an object of [`Verdict`], with the witness of a
//!   refutation), `"rlimit"` (Z3's resource units spent), `"runs"` (pairs of interpreter runs compared), `"defined"`
//!   (compared pairs in which the source is defined), `"cached"` (`true` if the verdict comes from an earlier run),
//!   `"remarks"` (remarks of the pass), `"unproved"` (why the attempted proof for all iterations failed), `"loops"`
//!   (whether one of the functions has a loop).
//! - `"crash"`: the optimizer crashed: a pass of this project panicked, a signal ended the command, or the output is
//!   invalid IR. Fields: `"pass"`, `"step"`, `"message"`, `"remarks"`.
//! - `"refused"`: the optimizer's command exited with a failure. Fields: `"pass"`, `"message"`.
//! - `"hang"`: the optimizer's command exceeded a limit and was killed. Fields: `"pass"`, `"limit"` (`"time"`,
//!   `"memory"` or `"output"`), `"message"`.
//! - `"bad-input"`: the file could not be read or parsed. Field: `"message"`.
//! - `"opaque"`: an unmodelled function, left unchanged. Field: `"feature"`.
//!
//! The last line is `"kind": "summary"`: the counts and options, and `"interrupted"`.

use crate::replay::reproducer::Reproducer;
use crate::verdict::{Reason, Verdict, VerdictKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of this schema.
pub const SCHEMA: u32 = 1;

/// A record about one function of a file, or about one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The file as named by the user.
    pub file: String,
    /// The function, without `@`; empty for a whole file.
    pub function: String,
    /// Wall-clock time in milliseconds.
    pub time_ms: u64,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// For a finding that a baseline may accept: the name by which it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bucket: Option<String>,
    /// Why a baseline accepts the finding; `None` if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// For a refutation: a file that reproduces it, or why there is none. Not serialized.
    #[serde(skip)]
    pub reproducer: Option<Result<Box<Reproducer>, String>>,
}

/// Content of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Finding {
    /// A verdict.
    Validation {
        /// The pass by LLVM's name, or the target's name.
        pass: String,
        /// Position in the pipeline, from 0.
        step: usize,
        /// The verdict.
        verdict: Verdict,
        /// Z3 resource units spent.
        rlimit: u64,
        /// Pairs of interpreter runs compared.
        runs: u64,
        /// Compared pairs in which the source is defined; the others show nothing.
        #[serde(default)]
        defined: u64,
        /// Whether the verdict comes from an earlier run; `rlimit`, `runs` and `defined` are then that run's cost.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cached: bool,
        /// Why the attempted proof for all iterations failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unproved: Option<String>,
        /// Whether one of the functions has a loop.
        #[serde(default = "loops_by_default")]
        loops: bool,
        /// Remarks of the pass.
        remarks: Vec<String>,
    },
    /// The optimizer crashed: it panicked, a signal ended it, or its output is invalid IR.
    Crash {
        /// The pass by LLVM's name.
        pass: String,
        /// Position in the pipeline, from 0.
        step: usize,
        /// The panic's or the verifier's message.
        message: String,
        /// Earlier remarks of the pass.
        remarks: Vec<String>,
    },
    /// The optimizer rejected the function or the file.
    Refused {
        /// Name of the optimizer.
        pass: String,
        /// How the optimizer ended, and its output.
        message: String,
    },
    /// The optimizer exceeded a limit and was killed.
    Hang {
        /// Name of the optimizer.
        pass: String,
        /// The exceeded limit.
        limit: Limit,
        /// The limit in words.
        message: String,
    },
    /// The input could not be read.
    BadInput {
        /// Why.
        message: String,
    },
    /// The function is not modelled.
    Opaque {
        /// The unmodelled feature.
        feature: String,
    },
}

/// The value of `"loops"` in records that lack it.
fn loops_by_default() -> bool {
    true
}

/// A resource limit of an optimizer.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// Memory of all its processes together.
    Memory,
    /// Bytes of output.
    Output,
}

impl Finding {
    /// A finding for a change that is not judged, with the reason.
    pub fn unjudged(pass: String, reason: Reason) -> Self {
        Self::Validation {
            pass,
            step: 0,
            verdict: Verdict::Inconclusive { reason },
            rlimit: 0,
            runs: 0,
            defined: 0,
            cached: false,
            unproved: None,
            loops: true,
            remarks: Vec::new(),
        }
    }
}

impl Record {
    /// A record of the current schema.
    pub fn new(file: &str, function: &str, time_ms: u64, finding: Finding) -> Self {
        let (file, function) = (file.to_owned(), function.to_owned());
        Self {
            schema: SCHEMA,
            file,
            function,
            time_ms,
            finding,
            bucket: None,
            accepted: None,
            reproducer: None,
        }
    }
    /// The verdict, if the record has one.
    pub fn verdict(&self) -> Option<&Verdict> {
        match &self.finding {
            Finding::Validation { verdict, .. } => Some(verdict),
            Finding::Crash { .. }
            | Finding::Refused { .. }
            | Finding::Hang { .. }
            | Finding::BadInput { .. }
            | Finding::Opaque { .. } => None,
        }
    }
    /// The record as a line of JSON, without the line end. Line breaks in strings are replaced by spaces.
    pub fn to_json(&self) -> String {
        without_line_breaks(&serde_json::to_string(self).expect("a record has string keys only"))
    }
}

/// The JSON text with the line breaks in strings, which are escaped there, replaced by spaces. Spaces that follow are
/// dropped.
pub fn without_line_breaks(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('n' | 'r')) => {
                chars.next();
                if !text.ends_with(' ') {
                    text.push(' ');
                }
                while chars.next_if_eq(&' ').is_some() {}
            }
            ('\\', Some(_)) => {
                text.push(c);
                text.extend(chars.next());
            }
            _ => text.push(c),
        }
    }
    text
}

/// Counts of records.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Records with a verdict, by kind of verdict.
    pub verdicts: BTreeMap<VerdictKind, usize>,
    /// Verdicts refuted by an undef input that are inconclusive for defined inputs.
    #[serde(default)]
    pub open_without_undef: usize,
    /// Findings that a baseline accepts. They are part of the other counts.
    #[serde(default)]
    pub accepted: usize,
    /// Verdicts that come from an earlier run.
    #[serde(default)]
    pub cached: usize,
    /// Crashes of the optimizer.
    pub crashes: usize,
    /// Functions and files that the optimizer rejected.
    #[serde(default)]
    pub refused: usize,
    /// Functions and files on which the optimizer exceeded a limit.
    #[serde(default)]
    pub hangs: usize,
    /// Files that could not be read.
    pub bad_inputs: usize,
    /// Unmodelled functions.
    pub opaque: usize,
    /// Pairs of runs, summed over all records.
    pub runs: u64,
    /// Pairs of runs in which the source is defined, summed over all records.
    pub defined_runs: u64,
    /// Records with a verdict but without such a pair of runs.
    pub without_defined_run: usize,
}

/// The last line of the JSON lines of `gate` and `tv`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum LastRecord {
    /// The counts and options of the run.
    Summary {
        /// [`SCHEMA`].
        schema: u32,
        /// The counts.
        counts: Summary,
        /// The options of the run; `"limits"` are those of each check.
        options: serde_json::Value,
        /// The fraction of inconclusive verdicts, from 0 to 1.
        inconclusive_share: f64,
        /// Whether the run was interrupted, so that records may be missing.
        interrupted: bool,
        /// Wall-clock time in milliseconds.
        time_ms: u64,
    },
}

impl Summary {
    /// The counts of `records`.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut summary = Self::default();
        for record in records {
            summary.accepted += usize::from(record.accepted.is_some());
            match &record.finding {
                Finding::Validation { verdict, runs, defined, cached, .. } => {
                    summary.cached += usize::from(*cached);
                    *summary.verdicts.entry(verdict.kind()).or_default() += 1;
                    let open =
                        |kind| matches!(kind, VerdictKind::Inconclusive | VerdictKind::RefinesIfClaims);
                    let open = matches!(verdict, Verdict::RefutedByUndef { otherwise, .. } if open(otherwise.kind()));
                    summary.open_without_undef += usize::from(open);
                    summary.runs += runs;
                    summary.defined_runs += defined;
                    summary.without_defined_run += usize::from(*defined == 0);
                }
                Finding::Crash { .. } => summary.crashes += 1,
                Finding::Refused { .. } => summary.refused += 1,
                Finding::Hang { .. } => summary.hangs += 1,
                Finding::BadInput { .. } => summary.bad_inputs += 1,
                Finding::Opaque { .. } => summary.opaque += 1,
            }
        }
        summary
    }
    /// Number of records with a verdict of that kind.
    pub fn count(&self, kind: VerdictKind) -> usize {
        self.verdicts.get(&kind).copied().unwrap_or(0)
    }
    /// Number of records with a verdict.
    pub fn judged(&self) -> usize {
        self.verdicts.values().sum()
    }
    /// The fraction of inconclusive verdicts, from 0 to 1. A refutation by an undef input decides nothing about other
    /// inputs.
    pub fn inconclusive_share(&self) -> f64 {
        self.share(self.inconclusive())
    }
    /// Number of verdicts that decide nothing about defined inputs.
    fn inconclusive(&self) -> usize {
        self.count(VerdictKind::Inconclusive) + self.open_without_undef
    }
    /// The fraction of verdicts that do not accept: inconclusive ones, and those under claims of the target unless
    /// `assume_attributes` assumes these.
    pub fn open_share(&self, assume_attributes: bool) -> f64 {
        let claims = if assume_attributes { 0 } else { self.count(VerdictKind::RefinesIfClaims) };
        self.share(self.inconclusive() + claims)
    }
    fn share(&self, count: usize) -> f64 {
        if self.judged() == 0 { 0.0 } else { count as f64 / self.judged() as f64 }
    }
    /// Whether something is undecided and no pair of runs was defined.
    pub fn shows_nothing(&self) -> bool {
        self.count(VerdictKind::Inconclusive) > 0 && self.defined_runs == 0
    }
    /// Text of the run counts.
    pub fn on_runs(&self) -> String {
        let Self { runs, defined_runs, without_defined_run: without, .. } = self;
        let with = self.judged() - without;
        format!(
            "{runs} pairs of runs, {defined_runs} defined; {with} judged with a defined run, {without} without"
        )
    }
    /// The last line of the JSON lines.
    pub fn to_json(&self, options: &serde_json::Value, interrupted: bool, time_ms: u64) -> String {
        let last = LastRecord::Summary {
            schema: SCHEMA,
            counts: self.clone(),
            options: options.clone(),
            inconclusive_share: self.inconclusive_share(),
            interrupted,
            time_ms,
        };
        serde_json::to_string(&last).expect("a record has string keys only")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.verdicts.iter().map(|(kind, n)| format!("{n} {kind}"));
        let rest = [
            (self.crashes, "crashed"),
            (self.hangs, "hung"),
            (self.refused, "refused"),
            (self.bad_inputs, "unreadable"),
            (self.opaque, "not modelled"),
        ];
        let rest = rest.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
        let all: Vec<_> = counts.chain(rest).collect();
        let all = if all.is_empty() { "nothing changed".to_owned() } else { all.join(", ") };
        let cached =
            if self.cached == 0 { String::new() } else { format!(" ({} from the cache)", self.cached) };
        let share = 100.0 * self.inconclusive_share();
        write!(f, "{} judged{cached}: {all}; {share:.1} % inconclusive", self.judged())?;
        if self.accepted > 0 { write!(f, "; {} accepted by the baseline", self.accepted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, Record, without_line_breaks};

    #[test]
    fn records_have_no_line_breaks() {
        let message = "one\n  two\r\nthree\\n four\n\"five\"".to_owned();
        let json = Record::new("a.ll", "", 0, Finding::BadInput { message }).to_json();
        let read: Record = serde_json::from_str(&json).expect("a record");
        let Finding::BadInput { message } = read.finding else { panic!("{json}") };
        assert_eq!(message, "one two three\\n four \"five\"");
        assert_eq!(without_line_breaks(r#"{"a":"\u000a\\n\t"}"#), r#"{"a":"\u000a\\n\t"}"#);
    }
}
