//! What goes between a process and its workers: one JSON object per line, either way.

use crate::check::{Options, Report};
use crate::extracted::Extracted;
use crate::verdict::Verdict;
use crate::witness::Counterexample;
use serde::{Deserialize, Serialize};

/// A pair to be judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// The answer bears the same number.
    pub(super) number: u64,
    /// Source and target, each with what it refers to, as a module.
    pub(super) texts: [String; 2],
    /// Their names, without `@`.
    pub(super) functions: [String; 2],
    /// Limits and readings.
    pub(super) options: Options,
    /// Pairs of runs that were compared before.
    pub(super) runs: u64,
}

impl Request {
    /// The request for that pair, not numbered yet.
    pub(super) fn new(pair: &Extracted, options: &Options, runs: u64) -> Self {
        let (source, target) = pair.sides();
        Self {
            number: 0,
            texts: pair.texts().clone(),
            functions: [source, target].map(|side| side.name().to_owned()),
            options: options.clone(),
            runs,
        }
    }
}

/// What came of a pair.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Answer {
    /// Of the request.
    pub(super) number: u64,
    /// The verdict.
    report: Report,
    /// Of a refutation: what is no part of records.
    counterexample: Option<Box<Counterexample>>,
}

impl Answer {
    /// The answer to the request of that number.
    pub(super) fn new(number: u64, report: Report) -> Self {
        let counterexample = match &report.verdict {
            Verdict::Refuted(refutation) => refutation.counterexample.clone(),
            _ => None,
        };
        Self { number, report, counterexample }
    }

    /// The verdict with all that belongs to it.
    pub(super) fn into_report(self) -> Report {
        let mut report = self.report;
        if let Verdict::Refuted(refutation) = &mut report.verdict {
            refutation.counterexample = self.counterexample;
        }
        report
    }
}
