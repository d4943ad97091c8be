//! What goes between a process and its workers: one JSON object per line, either way.

use crate::check::{Options, Report};
use crate::extracted::Extracted;
use crate::verdict::Verdict;
use crate::witness::Counterexample;
use serde::{Deserialize, Serialize};

/// A request or an answer on its way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Numbered<T> {
    /// The answer bears the number of the request.
    pub(super) number: u64,
    /// What is asked or answered.
    pub(super) what: T,
}

/// A pair to be judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Request {
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
    /// The request for that pair.
    pub(super) fn new(pair: &Extracted, options: &Options, runs: u64) -> Self {
        let (source, target) = pair.sides();
        Self {
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
    /// The verdict.
    report: Report,
    /// Of a refutation: what is no part of records.
    counterexample: Option<Box<Counterexample>>,
}

impl Answer {
    /// The answer with that report.
    pub(super) fn new(report: Report) -> Self {
        let counterexample = match &report.verdict {
            Verdict::Refuted(refutation) => refutation.counterexample.clone(),
            _ => None,
        };
        Self { report, counterexample }
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
