//! Refinement on many inputs: the interpreter runs source and target and compares them.

use super::label::{BY_UNDEF, Evidence, Label, slug};
pub use super::oracle::Limits;
use super::{Judge, Oracle};
use backedge_validate::check::{Side, by_few_runs};
use backedge_validate::verdict::{Failure, Verdict};
use backedge_validate::witness::Refutation;
use std::fmt;

/// The oracle.
pub struct Runs;

impl Oracle for Runs {
    fn question(&self) -> &'static str {
        "does the target refine the source on many inputs?"
    }
    fn judge(&self) -> Judge {
        Judge::Pair(|case, work| match check(case.source, case.target, case.runs) {
            Ok(seen) => {
                work.executions += seen.runs;
                work.defined += seen.defined;
                work.inconclusive += u64::from(seen.defined == 0);
                Ok(())
            }
            Err(miscompile) => {
                work.executions += 1;
                work.defined += 1;
                Err(miscompile.into())
            }
        })
    }
    fn share(&self) -> f64 {
        1.0
    }
    fn suits_commands(&self) -> bool {
        true
    }
}

/// A pair whose target does not refine its source.
#[derive(Clone, PartialEq, Debug)]
pub struct Miscompile {
    /// The two runs that refute it.
    pub refutation: Box<Refutation>,
}

impl fmt::Display for Miscompile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refutation { failure, divergence, witness, .. } = &*self.refutation;
        write!(f, "{failure}: {divergence}; on")?;
        for argument in &witness.arguments {
            write!(f, " {} = {}", argument.name, argument.value)?;
        }
        for object in &witness.memory {
            write!(f, "\n  {}: {}", object.name, object.value)?;
        }
        for answer in &witness.environment {
            write!(f, "\n  {answer}")?;
        }
        Ok(())
    }
}

impl Evidence for Miscompile {
    /// The words are the UB rule that the target violates, if any; it distinguishes faults of different passes that all
    /// show as UB. The guilty pass is not known yet.
    fn label(&self) -> Label {
        let refutation = &*self.refutation;
        let rule = refutation.target.undefined.as_ref().map_or("", |undefined| &undefined.id);
        let label = Label::of(&kind_of(refutation)).with_words(rule);
        Label { case: Some(refutation.case.clone()), ..label }
    }
}

/// The kind of failure as a word.
fn kind_of(refutation: &Refutation) -> String {
    let failure = slug(match refutation.failure {
        Failure::MorePoisonous => "more poisonous",
        Failure::MoreDefined => "undefined behaviour",
        Failure::NonTermination => "does not terminate",
        Failure::Termination => "terminates",
        other => other.words(),
    });
    if refutation.undef_input { format!("{failure}{BY_UNDEF}") } else { failure }
}

/// Statistics of a pair that no run refutes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// Pairs of runs.
    pub runs: u64,
    /// Pairs of runs whose source is defined.
    pub defined: u64,
}

/// Runs both functions and compares them.
pub fn check(source: Side<'_>, target: Side<'_>, limits: Limits) -> Result<Seen, Miscompile> {
    let report = by_few_runs(source, target, &limits.options());
    match report.verdict {
        Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
            Err(Miscompile { refutation })
        }
        Verdict::RefinesAll { .. }
        | Verdict::RefinesUpTo { .. }
        | Verdict::Vacuous { .. }
        | Verdict::Inconclusive { .. }
        | Verdict::InternalError(_) => Ok(Seen { runs: report.runs, defined: report.defined }),
    }
}
