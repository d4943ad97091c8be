//! What is known about a pair between two stages.

use super::Step;
use crate::verdict::witness::{Counterexample, Refutation};
use crate::verdict::{Options, Reason, Report, Suspicion, Verdict};
use backedge_smt::proof::Certificate;
use serde::{Deserialize, Serialize};

/// What is known about an open pair.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SoFar {
    /// Pairs of runs compared.
    pub runs: u64,
    /// Compared pairs in which the source is defined.
    pub(super) defined: u64,
    /// A failing pair of runs on an undef input.
    pub(super) by_undef: Option<Box<Refutation>>,
    /// Why another failing run is no refutation.
    pub(super) excused: Option<String>,
    pub(super) earlier: Earlier,
    /// Z3 resource units used.
    pub(super) units: u64,
    /// Why the attempted proof for all iterations failed.
    pub(super) unproved: Option<String>,
    /// The proof for all iterations.
    pub(super) certificate: Option<Box<Certificate>>,
}

/// The part of [`SoFar`] that a stage's question may depend on; sent to workers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Earlier {
    /// The verdict of the solver's stages; `None` before the first one.
    pub(super) verdict: Option<Verdict>,
    /// Z3 resource units that the bounded check spent on it.
    pub(super) spent: u64,
    /// The failure of a narrower copy.
    pub(super) suspicion: Option<Suspicion>,
}

/// A verdict and its cost, as the answer of a stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Checked {
    verdict: Verdict,
    /// Z3's resource units.
    pub(super) units: u64,
    /// For a refutation: the counterexample, which is not part of records.
    counterexample: Option<Box<Counterexample>>,
}

impl Checked {
    pub(super) fn new(verdict: Verdict, units: u64) -> Self {
        let counterexample = verdict.refutation().and_then(|refutation| refutation.counterexample.clone());
        Self { verdict, units, counterexample }
    }

    /// The verdict with its counterexample.
    fn into_verdict(self) -> Verdict {
        let mut verdict = self.verdict;
        if let Some(refutation) = verdict.refutation_mut() {
            refutation.counterexample = self.counterexample;
        }
        verdict
    }
}

impl Earlier {
    /// The verdict of the solver's stages.
    pub(super) fn of_solver(&self) -> Verdict {
        let none = || Verdict::Inconclusive { reason: Reason::RunsAlone { runs: 0, defined: 0 } };
        self.verdict.clone().unwrap_or_else(none)
    }

    /// Whether a narrower copy of the pair fails.
    pub(super) fn is_suspect(&self) -> bool {
        self.suspicion.is_some()
    }
}

impl SoFar {
    /// The part that questions may depend on.
    pub(crate) fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// With a suspicion, or without one.
    pub(super) fn with_suspicion(mut self, suspicion: Option<Suspicion>) -> Self {
        self.earlier.suspicion = suspicion;
        self
    }

    /// With the verdict of a stage that asks the solver, and its cost.
    pub(super) fn with_verdict(mut self, verdict: Verdict, units: u64) -> Self {
        self.earlier.verdict = Some(verdict);
        self.units += units;
        self
    }

    /// With the verdict of the bounded check.
    pub(super) fn with_bounded(mut self, checked: Checked) -> Self {
        self.earlier.spent = checked.units;
        self.with_checked(checked)
    }

    /// With the answer of a stage that asks the solver.
    pub(super) fn with_checked(self, checked: Checked) -> Self {
        let units = checked.units;
        self.with_verdict(checked.into_verdict(), units)
    }

    /// With the cost of a stage that leaves the verdict as it is.
    pub(super) fn with_units(mut self, units: u64) -> Self {
        self.units += units;
        self
    }

    /// The verdict of the solver's stages.
    pub(super) fn verdict(&self) -> Option<&Verdict> {
        self.earlier.verdict.as_ref()
    }

    /// Whether the solver was asked, and other methods may decide the pair.
    pub(super) fn is_open(&self) -> bool {
        self.verdict().is_some_and(Verdict::is_open)
    }

    /// The pair is decided, with the number of runs.
    pub(super) fn decided(&self, verdict: Verdict) -> Step {
        Step::Break(Report { runs: self.runs, defined: self.defined, ..Report::new(verdict) })
    }

    /// Combines the report of the following stages with what was known before them.
    pub(crate) fn then(self, report: Report) -> Report {
        let Self { runs, defined, by_undef, excused, earlier, .. } = self;
        let report = report.map(|verdict| {
            let verdict = match (verdict, excused) {
                (Verdict::Inconclusive { .. }, Some(what)) => {
                    Verdict::Inconclusive { reason: Reason::Approximation { what } }
                }
                (verdict, _) => verdict,
            };
            let verdict = match earlier.suspicion {
                Some(suspicion) => verdict.suspected(suspicion),
                None => verdict,
            };
            match by_undef {
                Some(refutation) => Verdict::by_undef(refutation, verdict),
                None => verdict,
            }
        });
        Report { runs, defined, ..report }
    }

    /// The report of the solver's stages; [`SoFar::then`] adds the rest.
    pub(crate) fn into_report(self) -> Report {
        let verdict = self.earlier.of_solver();
        let Self { units, unproved, certificate, .. } = self;
        Report { rlimit: units, unproved, certificate, ..Report::new(verdict) }
    }

    /// The options for the stages that ask the solver: undef inputs are excluded if runs already refuted the pair on
    /// one.
    fn options(&self, options: &Options) -> Options {
        Options { undef_inputs: options.undef_inputs && self.by_undef.is_none(), ..options.clone() }
    }

    /// The report of the stages that ask the solver, all through `ask`. An undef-input refutation up to a bound says
    /// nothing about other inputs beyond the bound, so `ask` is repeated for these.
    pub(crate) fn ask(&self, options: &Options, ask: impl Fn(&Options) -> Report) -> Report {
        let report = ask(&self.options(options));
        match report.verdict {
            Verdict::RefutedByUndef { refutation, otherwise } if otherwise.is_open() => {
                let again = ask(&Options { undef_inputs: false, ..options.clone() });
                let rlimit = report.rlimit + again.rlimit;
                let again = again.map(|verdict| match verdict {
                    Verdict::Inconclusive { .. } => Verdict::by_undef(refutation, *otherwise),
                    verdict => Verdict::by_undef(refutation, verdict),
                });
                Report { rlimit, ..again }
            }
            _ => report,
        }
    }
}
