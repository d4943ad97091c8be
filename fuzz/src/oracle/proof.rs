//! What the solver proved of a pair is not refuted by runs, and what it refuted is so: the interpreter judges it.
//!
//! The solver is asked without what runs show, so that its verdict is its own. It has a small budget: a campaign looks at
//! many small pairs, not at the hardest ones.

use super::runs::Limits;
use backedge_validate::check::{Options, Side, SoFar, by_few_runs, by_solver};
use backedge_validate::verdict::{InternalError, Verdict, VerdictKind};
use backedge_validate::witness::Refutation;
use std::fmt;
use std::time::Duration;

/// A verdict that another engine contradicts.
#[derive(Clone, PartialEq, Debug)]
pub enum WrongVerdict {
    /// It was proved that the target refines the source, or that the source is always undefined, and two runs refute it.
    Refuted {
        /// What was said.
        verdict: Box<Verdict>,
        /// The runs.
        refutation: Box<Refutation>,
    },
    /// The solver refuted what the interpreter does not.
    Internal(Box<InternalError>),
}

impl fmt::Display for WrongVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted { verdict, refutation } => {
                write!(f, "{verdict}, but runs refute it ({}): {}", refutation.failure, refutation.divergence)
            }
            Self::Internal(error) => write!(f, "{error}"),
        }
    }
}

/// What came of a pair of which nothing contradictory was said.
#[derive(Clone, PartialEq, Debug)]
pub enum Seen {
    /// It was proved, with a bound or without, and runs do not refute it.
    Holds {
        /// What was said.
        verdict: Box<Verdict>,
        /// Pairs of runs in which the source is defined.
        defined: u64,
    },
    /// The solver refuted it, and the interpreter agrees: the pair is wrong, the engines are not.
    Refuted(Box<Refutation>),
    /// The solver did not decide.
    Open,
}

/// Limits of a question: small enough for hundreds a minute.
pub fn limits() -> Options {
    Options {
        bound: 3,
        rlimit: 2_000_000,
        timeout: Duration::from_secs(20),
        memory_mb: 1024,
        fuel: 2_000,
        ..Options::default()
    }
}

/// Asks the solver about the pair, and then the interpreter on so many inputs.
pub fn check(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
    runs: Limits,
) -> Result<Seen, WrongVerdict> {
    let verdict = by_solver(source, target, options, &SoFar::default()).verdict;
    match verdict {
        Verdict::InternalError(error) => Err(WrongVerdict::Internal(error)),
        Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
            Ok(Seen::Refuted(refutation))
        }
        Verdict::Inconclusive { .. } => Ok(Seen::Open),
        Verdict::RefinesAll { .. } | Verdict::Vacuous { .. } => {
            // What is proved if no input is undef is not held against such inputs.
            let undef_inputs = verdict.kind() == VerdictKind::RefinesAll;
            let report = by_few_runs(source, target, &Options { undef_inputs, ..runs.options() });
            match report.verdict {
                Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                    Err(WrongVerdict::Refuted { verdict: Box::new(verdict), refutation })
                }
                _ => Ok(Seen::Holds { verdict: Box::new(verdict), defined: report.defined }),
            }
        }
        // Longer runs than the bound may well refute it.
        Verdict::RefinesUpTo { .. } => Ok(Seen::Holds { verdict: Box::new(verdict), defined: 0 }),
    }
}
