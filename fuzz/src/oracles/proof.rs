//! Solver verdicts on a pair of functions agree with the interpreter: runs do not refute a proof, and the interpreter
//! confirms each counterexample.
//!
//! The solver does not see the results of runs, so its verdict is independent. It has a small budget, since a
//! campaign checks many small pairs rather than the hardest ones.

use super::runs::{Limits, Miscompile};
use super::{Evidence, Judge, Label, Oracle};
use backedge_validate::check::{Options, Side, SoFar, by_few_runs, by_solver};
use backedge_validate::verdict::{InternalError, Verdict, VerdictKind};
use backedge_validate::witness::Refutation;
use std::fmt;
use std::time::Duration;

/// The oracle.
pub struct Proof;

/// Number of runs on a pair that the solver proves.
const RUNS: u64 = 200;

impl Oracle for Proof {
    fn question(&self) -> &'static str {
        "do proofs hold on runs?"
    }
    fn judge(&self) -> Judge {
        Judge::Pair(|case, work| {
            work.proofs += 1;
            match check(case.source, case.target, case.proof, Limits { runs: RUNS, ..case.runs })? {
                Seen::Holds { .. } => {}
                Seen::Open => work.inconclusive += 1,
                Seen::Refuted(refutation) => return Err(Miscompile { refutation }.into()),
            }
            Ok(())
        })
    }
    fn share(&self) -> f64 {
        0.0
    }
    fn needs_solver(&self) -> bool {
        true
    }
    fn suits_commands(&self) -> bool {
        true
    }
}

/// A verdict that another engine contradicts.
#[derive(Clone, PartialEq, Debug)]
pub enum WrongVerdict {
    /// Two runs refute a proof that the target refines the source, or that the source is always undefined.
    Refuted {
        /// The solver's verdict.
        verdict: Box<Verdict>,
        /// The refuting runs.
        refutation: Box<Refutation>,
    },
    /// The interpreter does not confirm the solver's counterexample.
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

impl Evidence for WrongVerdict {
    fn label(&self) -> Label {
        match self {
            Self::Refuted { .. } => Label::of("wrong-proof"),
            Self::Internal(error) => Label::of("engines-disagree").with_words(&*error.what),
        }
    }
}

/// Result for a pair on which the engines do not contradict each other.
#[derive(Clone, PartialEq, Debug)]
pub enum Seen {
    /// A proof, bounded or unbounded, that runs do not refute.
    Holds {
        /// The solver's verdict.
        verdict: Box<Verdict>,
        /// Pairs of runs in which the source is defined.
        defined: u64,
    },
    /// A counterexample that the interpreter confirms: the pair is wrong, the engines are not.
    Refuted(Box<Refutation>),
    /// An inconclusive solver result.
    Open,
}

/// Solver limits, small enough for hundreds of queries per minute.
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

/// Runs the solver on the pair and then the interpreter on `runs` inputs.
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
            // A proof for inputs without undef is not compared with undef inputs.
            let undef_inputs = verdict.kind() == VerdictKind::RefinesAll;
            let report = by_few_runs(source, target, &Options { undef_inputs, ..runs.options() });
            match report.verdict {
                Verdict::Refuted(refutation) | Verdict::RefutedByUndef { refutation, .. } => {
                    Err(WrongVerdict::Refuted { verdict: Box::new(verdict), refutation })
                }
                _ => Ok(Seen::Holds { verdict: Box::new(verdict), defined: report.defined }),
            }
        }
        // Runs longer than the bound may refute the pair.
        Verdict::RefinesUpTo { .. } => Ok(Seen::Holds { verdict: Box::new(verdict), defined: 0 }),
    }
}
