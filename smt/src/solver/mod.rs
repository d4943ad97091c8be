//! Asks Z3 whether assertions are satisfiable, and interprets the answer.
//!
//! Each query runs in a fresh context with fixed seeds, and its budget is counted primarily in Z3's resource units: the
//! same assertions and the same budget give the same answer, independent of earlier queries. The limits on time and
//! memory cover the cases that the units do not measure; an answer that they cut short says so. A model is plain data,
//! and is evaluated against the assertions without Z3 before any caller sees it.

#[cfg_attr(not(feature = "z3"), expect(dead_code, reason = "only queries to Z3 eliminate arrays"))]
mod arrays;
mod exists_forall;
#[cfg(feature = "z3")]
mod libz3;
#[cfg(not(feature = "z3"))]
mod no_libz3;

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::term::{Assignment, Evaluator, Term, Terms};
use crate::version::{UnusableZ3, check_least_z3_version};
use arrays::Without;

pub use exists_forall::{ExistsForall, ForallAnswer, ForallOutcome};

/// The resource limits of one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Z3's resource units; 0 means no limit. Five million units are about one second of bit-blasting.
    pub units: u32,
    /// Wall-clock time from the call on, including translation and reading of the model. An answer that it cuts short
    /// may differ between machines.
    pub time: Duration,
    /// Megabytes that Z3 may hold, counted over all threads of the process.
    pub memory: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { units: 20_000_000, time: Duration::from_secs(60), memory: 4096 }
    }
}

/// The resources that a query used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Queries that reached Z3.
    pub queries: u32,
    /// Z3's resource units.
    pub units: u64,
    /// Wall-clock time.
    pub time: Duration,
}

impl Cost {
    /// The sum of both costs.
    #[must_use]
    pub fn plus(self, other: Cost) -> Cost {
        Cost {
            queries: self.queries + other.queries,
            units: self.units + other.units,
            time: self.time + other.time,
        }
    }
}

/// Whether the assertions are satisfiable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable: the assignment gives a value to each of their variables.
    Sat(Assignment),
    /// Unsatisfiable.
    Unsat,
    /// The solver gave up.
    Unknown(UnknownReason),
}

/// Why the solver gave up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownReason {
    /// The resource units were exhausted. This happens on every machine.
    Units,
    /// The wall-clock limit was reached. This may depend on the machine.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The rounds of an instantiation loop were exhausted.
    Rounds,
    /// The formula exceeded the allowed number of terms.
    Terms,
    /// Another reason, in Z3's words.
    Other(String),
}

/// An answer with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// The cost.
    pub cost: Cost,
}

/// The solver misbehaved. Nothing follows for the assertions.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SolverError {
    /// There is no Z3, or it is too old to be trusted; it was not asked.
    #[error(transparent)]
    UnusableZ3(UnusableZ3),
    /// The system cannot start a thread for a query, for lack of memory or of threads.
    #[error("no thread can be started: {0}")]
    NoThread(String),
    /// The model doesn't satisfy an assertion: the translation, the evaluator or Z3 is wrong.
    #[error("the model of Z3 does not satisfy assertion {assertion:?}")]
    WrongModel {
        /// The assertion that is false.
        assertion: Term,
        /// The model.
        model: Box<Assignment>,
    },
    /// The model gives a variable a value of an unknown form.
    #[error("the model's value of {variable:?} can't be read: {text}")]
    UnreadableModel {
        /// The variable.
        variable: Term,
        /// The value, as Z3 prints it.
        text: String,
    },
    /// A call into Z3 failed.
    #[error("a call into Z3 failed: {0}")]
    Failed(String),
}

/// Checks whether all `assertions` can hold at once.
///
/// ```
/// use backedge_smt::solver::{check, Answer, Budget};
/// use backedge_smt::term::{Sort, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.variable("x", Sort::BitVec(8));
/// let square = terms.mul(x, x);
/// let three = terms.number(8, 3);
/// let is_three = terms.eq(square, three);
/// assert_eq!(check(&terms, &[is_three], &Budget::default()).unwrap().answer, Answer::Unsat);
/// ```
///
/// # Errors
///
/// [`SolverError`] if the solver misbehaved. Giving up is not an error.
///
/// # Panics
///
/// If an assertion is not a Boolean term.
pub fn check(terms: &Terms, assertions: &[Term], budget: &Budget) -> Result<Outcome, SolverError> {
    ask(terms, assertions, Without::Apart, budget)
}

/// Like [`check`], for callers that need unsatisfiability rather than a natural model: arrays that are only read are
/// eliminated wherever possible.
///
/// # Errors
///
/// [`SolverError`] if the solver misbehaved. Giving up is not an error.
///
/// # Panics
///
/// If an assertion is not a Boolean term.
pub fn check_in_bits(terms: &Terms, assertions: &[Term], budget: &Budget) -> Result<Outcome, SolverError> {
    ask(terms, assertions, Without::PerhapsSame, budget)
}

fn ask(
    terms: &Terms,
    assertions: &[Term],
    without: Without,
    budget: &Budget,
) -> Result<Outcome, SolverError> {
    let free = |answer| Ok(Outcome { answer, cost: Cost::default() });
    if assertions.iter().any(|&assertion| terms.as_bool(assertion) == Some(false)) {
        return free(Answer::Unsat);
    }
    if assertions.iter().all(|&assertion| terms.as_bool(assertion) == Some(true)) {
        return free(Answer::Sat(Assignment::new()));
    }
    check_least_z3_version().map_err(SolverError::UnusableZ3)?;
    let start = Instant::now();
    #[cfg(feature = "z3")]
    let (answer, units) = libz3::run(terms, assertions, without, budget, start)?;
    #[cfg(not(feature = "z3"))]
    let (answer, units) = no_libz3::run(terms, assertions, without, budget, start)?;
    if let Answer::Sat(model) = &answer {
        confirm(terms, assertions, model)?;
    }
    Ok(Outcome { answer, cost: Cost { queries: 1, units, time: start.elapsed() } })
}

/// Evaluates the assertions under the model.
fn confirm(terms: &Terms, assertions: &[Term], model: &Assignment) -> Result<(), SolverError> {
    let mut evaluator = Evaluator::new(terms, model);
    match assertions.iter().find(|&&assertion| !evaluator.truth(assertion)) {
        None => Ok(()),
        Some(&assertion) => Err(SolverError::WrongModel { assertion, model: Box::new(model.clone()) }),
    }
}
