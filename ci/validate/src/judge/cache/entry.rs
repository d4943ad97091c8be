//! A cache entry: a verdict, its budget, and the local names of the functions.

use super::names::Names;
use crate::pair::extracted::Extracted;
use crate::verdict::witness::Counterexample;
use crate::verdict::{Options, Reason, Report, Verdict};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Budget of a check.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Budget {
    rlimit: u32,
    timeout: Duration,
    memory_mb: u32,
}

impl Budget {
    pub(super) fn of(options: &Options) -> Self {
        Self { rlimit: options.rlimit, timeout: options.timeout, memory_mb: options.memory_mb }
    }
    fn covers(&self, other: &Self) -> bool {
        self.rlimit >= other.rlimit && self.timeout >= other.timeout && self.memory_mb >= other.memory_mb
    }
}

/// A cached verdict.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) report: Report,
    /// The solver's counterexample, for replaying a refutation.
    pub(super) counterexample: Option<Box<Counterexample>>,
    budget: Budget,
    names: Names,
}

/// Validity of a cached verdict.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Lasting {
    /// Valid for every budget.
    Always,
    /// A larger budget may lead to a better verdict.
    ForBudget,
    /// Accidental; never reused.
    Never,
}

fn lasting(verdict: &Verdict) -> Lasting {
    match verdict {
        // The places of its bounded verdict are not translated to other names.
        Verdict::RefutedByUndef { otherwise, .. } if matches!(**otherwise, Verdict::RefinesUpTo { .. }) => {
            Lasting::Never
        }
        Verdict::RefutedByUndef { otherwise, .. } => lasting(otherwise),
        Verdict::RefinesAll { .. } | Verdict::Refuted(_) | Verdict::Vacuous { .. } => Lasting::Always,
        Verdict::RefinesUpTo { .. } => Lasting::ForBudget,
        Verdict::Inconclusive { reason } => match reason {
            Reason::Unsupported { .. } | Reason::Incomparable { .. } | Reason::RunsAlone { .. } => {
                Lasting::Always
            }
            Reason::Time { .. }
            | Reason::Budget { .. }
            | Reason::Memory { .. }
            | Reason::PastBound { .. }
            | Reason::Apart { .. }
            | Reason::Approximation { .. }
            | Reason::Inexact { .. }
            | Reason::UndefInput { .. }
            | Reason::Suspect { .. }
            | Reason::Solver { .. } => Lasting::ForBudget,
            Reason::Worker { .. } => Lasting::Never,
        },
        Verdict::InternalError(_) => Lasting::Never,
    }
}

impl Entry {
    /// The entry for a report; `None` if the report is not to be kept.
    pub(super) fn new(pair: &Extracted, report: &Report, budget: Budget) -> Option<Self> {
        if lasting(&report.verdict) == Lasting::Never {
            return None;
        }
        let counterexample = report.verdict.refutation().and_then(|r| r.counterexample.clone());
        Some(Self { report: report.clone(), counterexample, budget, names: Names::of(pair) })
    }

    /// Whether the entry answers a check with these options; the keys are equal.
    pub(super) fn serves(&self, options: &Options) -> bool {
        match lasting(&self.report.verdict) {
            Lasting::Always => true,
            Lasting::ForBudget => self.budget.covers(&Budget::of(options)),
            Lasting::Never => false,
        }
    }

    /// The report in terms of `pair`, whose locals may have other names; `None` if it mentions a name that cannot be
    /// translated.
    pub(super) fn for_names(&self, pair: &Extracted) -> Option<Report> {
        let names = Names::of(pair);
        if names == self.names {
            return Some(self.report.clone());
        }
        let mut report = self.report.clone();
        // The texts may mention locals.
        report.unproved = None;
        report.certificate = None;
        if let Verdict::RefinesUpTo { unreached, .. } = &mut report.verdict {
            let places = [&mut unreached.source, &mut unreached.target];
            for (side, list) in places.into_iter().enumerate() {
                for place in list {
                    *place = self.names.translate(&names, side, place)?;
                }
            }
            return Some(report);
        }
        if let Verdict::Vacuous { example, .. } = &mut report.verdict {
            *example = None;
        }
        // Other verdicts that name a local are not translated.
        let said = serde_json::to_string(&report.verdict).ok()?;
        (!said.contains('%')).then_some(report)
    }

    /// The serialized entry.
    pub(super) fn to_record(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an entry has string keys only")
    }

    /// The deserialized entry; `None` if the format differs.
    pub(super) fn from_record(record: &[u8]) -> Option<Self> {
        serde_json::from_slice(record).ok()
    }
}
