//! Records: one JSON object per line.
//!
//! Every record has `"schema": 1`, `"kind"`, `"file"`, `"function"` (without `@`; empty for a whole file) and
//! `"time_ms"` (a measurement: the one field that differs from run to run). Kinds:
//!
//! - `"validation"`: one function and one pass that changed it, or one pair of `tv`. Fields: `"pass"` (for a pair the
//!   target's name), `"step"` (position in the pipeline), `"verdict"` (an object of [`Verdict`], with the witness of a
//!   refutation), `"rlimit"` (Z3's resource units that were used), `"runs"` (pairs of runs that the interpreter
//!   compared), `"defined"` (those of them in which the source is defined), `"cached"` (`true` where an earlier run
//!   found the verdict), `"remarks"` (what the pass said), `"unproved"` (why there is no proof for all iterations, where one was looked for in vain).
//! - `"crash"`: the optimizer crashed: a pass of ours panicked, a command was ended by a signal, or what was left is no
//!   valid IR. Fields: `"pass"`, `"step"`, `"message"`, `"remarks"`.
//! - `"refused"`: the optimizer's command ended by itself with a failure. Fields: `"pass"`, `"message"`.
//! - `"hang"`: the optimizer's command passed a limit and was ended. Fields: `"pass"`, `"limit"` (`"time"`, `"memory"` or
//!   `"output"`), `"message"`.
//! - `"bad-input"`: the file could not be read or parsed. Field: `"message"`.
//! - `"opaque"`: a function that is not modelled and so was not touched. Field: `"feature"`.
//!
//! The last line is `"kind": "summary"`: the counts and options, and `"interrupted"`.

use crate::reproducer::Reproducer;
use crate::verdict::{Reason, Verdict, VerdictKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of this schema.
pub const SCHEMA: u32 = 1;

/// One line about one function of a file, or one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The file as named by the user.
    pub file: String,
    /// The function, without `@`; empty for a whole file.
    pub function: String,
    /// Wall-clock time in milliseconds.
    pub time_ms: u64,
    /// What is said.
    #[serde(flatten)]
    pub finding: Finding,
    /// Of a refutation: a file that shows it again, or why there is none. Not a part of the line.
    #[serde(skip)]
    pub reproducer: Option<Result<Box<Reproducer>, String>>,
}

/// What a record says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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
        /// Z3's resource units that were used.
        rlimit: u64,
        /// Pairs of runs that the interpreter compared.
        runs: u64,
        /// Those of them in which the source is defined: the others show nothing.
        #[serde(default)]
        defined: u64,
        /// Whether an earlier run found the verdict; then `rlimit`, `runs` and `defined` are what it took.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cached: bool,
        /// Why there is no proof for all iterations, where one was looked for in vain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unproved: Option<String>,
        /// What the pass said.
        remarks: Vec<String>,
    },
    /// The optimizer crashed: it panicked, a signal ended it, or it left invalid IR.
    Crash {
        /// The pass by LLVM's name.
        pass: String,
        /// Position in the pipeline, from 0.
        step: usize,
        /// The panic's or the verifier's message.
        message: String,
        /// What the pass said before.
        remarks: Vec<String>,
    },
    /// The optimizer did not take the function, or the file.
    Refused {
        /// What it is called.
        pass: String,
        /// How it ended, and what it said.
        message: String,
    },
    /// The optimizer passed a limit and was ended.
    Hang {
        /// What it is called.
        pass: String,
        /// Which limit.
        limit: Limit,
        /// The limit in words.
        message: String,
    },
    /// The input could not be read.
    BadInput {
        /// Why not.
        message: String,
    },
    /// The function is not modelled.
    Opaque {
        /// What it uses.
        feature: String,
    },
}

/// What an optimizer may not have more of.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Wall-clock time.
    Time,
    /// Memory of all its processes together.
    Memory,
    /// Bytes that it writes.
    Output,
}

impl Finding {
    /// That a change is not judged, and why.
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
            remarks: Vec::new(),
        }
    }
}

impl Record {
    /// A record of the present schema.
    pub fn new(file: &str, function: &str, time_ms: u64, finding: Finding) -> Self {
        let (file, function) = (file.to_owned(), function.to_owned());
        Self { schema: SCHEMA, file, function, time_ms, finding, reproducer: None }
    }
    /// The verdict if it has one.
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
    /// The record as a line of JSON, without the line end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record has string keys only")
    }
}

/// Counts of records.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Records with a verdict, by kind of verdict.
    pub verdicts: BTreeMap<VerdictKind, usize>,
    /// How many of those refuted by an undef input are inconclusive if no input is undef.
    #[serde(default)]
    pub open_without_undef: usize,
    /// How many of these verdicts an earlier run found.
    #[serde(default)]
    pub cached: usize,
    /// Crashes of the optimizer.
    pub crashes: usize,
    /// Functions and files that the optimizer refused.
    #[serde(default)]
    pub refused: usize,
    /// Functions and files on which the optimizer passed a limit.
    #[serde(default)]
    pub hangs: usize,
    /// Files that could not be read.
    pub bad_inputs: usize,
    /// Functions that are not modelled.
    pub opaque: usize,
    /// Pairs of runs, over all records.
    pub runs: u64,
    /// Those of them in which the source is defined.
    pub defined_runs: u64,
    /// Records with a verdict for which there was no such run.
    pub without_defined_run: usize,
}

impl Summary {
    /// The counts of `records`.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut summary = Self::default();
        for record in records {
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
    /// How many records have a verdict of that kind.
    pub fn count(&self, kind: VerdictKind) -> usize {
        self.verdicts.get(&kind).copied().unwrap_or(0)
    }
    /// How many records have a verdict.
    pub fn judged(&self) -> usize {
        self.verdicts.values().sum()
    }
    /// The share of verdicts that are inconclusive, from 0 to 1. A refutation by an undef input decides nothing about other
    /// inputs.
    pub fn inconclusive_share(&self) -> f64 {
        self.share(self.inconclusive())
    }
    /// Verdicts that decide nothing about defined inputs.
    fn inconclusive(&self) -> usize {
        self.count(VerdictKind::Inconclusive) + self.open_without_undef
    }
    /// The share of verdicts that do not accept: inconclusive ones, and those under claims of the target unless
    /// `assume_attributes` takes these for true.
    pub fn open_share(&self, assume_attributes: bool) -> f64 {
        let claims = if assume_attributes { 0 } else { self.count(VerdictKind::RefinesIfClaims) };
        self.share(self.inconclusive() + claims)
    }
    fn share(&self, count: usize) -> f64 {
        if self.judged() == 0 { 0.0 } else { count as f64 / self.judged() as f64 }
    }
    /// Whether something is not decided, and no run of anything was defined.
    pub fn shows_nothing(&self) -> bool {
        self.count(VerdictKind::Inconclusive) > 0 && self.defined_runs == 0
    }
    /// What the verdicts rest on as far as runs go.
    pub fn on_runs(&self) -> String {
        let Self { runs, defined_runs, without_defined_run: without, .. } = self;
        let with = self.judged() - without;
        format!(
            "{runs} pairs of runs, {defined_runs} defined; {with} judged with a defined run, {without} without"
        )
    }
    /// The last line of the JSON lines.
    pub fn to_json(&self, options: &serde_json::Value, interrupted: bool, time_ms: u64) -> String {
        serde_json::json!({
            "schema": SCHEMA, "kind": "summary", "counts": self, "options": options,
            "inconclusive_share": self.inconclusive_share(), "interrupted": interrupted, "time_ms": time_ms,
        })
        .to_string()
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
        write!(f, "{} judged{cached}: {all}; {share:.1} % inconclusive", self.judged())
    }
}
