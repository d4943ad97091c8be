//! Checks an analysis's claims on runs, directly from their definitions in docs/semantics.md; no analysis of our own
//! takes part.
//!
//! An ordinary observer watches a run: it counts arrivals at loop headers for each entry of a loop and evaluates the
//! claims' expressions on the values of the run, recurrences by their closed form. Exact quantities are computed in
//! the integers. A run *refutes* a claim if it ends without UB: by returning, by a call that does not return, or by
//! running forever where that is allowed. A run that is cut short or reaches an unmodelled feature is inconclusive.
//! So is a run that fixed undefined bits seen by several uses: a branch on such bits is UB, which the fixed bits
//! conceal.
//!
//! Excused are expressions with poison leaves, with undefined leaves (which may differ at each use), and those that
//! divide by zero. Exit counts are the exception: a count that is poison or divides by zero claims that the exit's
//! branch is not reached.
//!
//! - [`Checker`] holds the claims on one function in a form that evaluates fast: `plan` determines when each claim is
//!   checked, `eval` evaluates expressions, `exact` defines the no-wrap flags, `watch` is the observer.
//! - [`inputs`] generates the inputs, exhaustively where possible; [`check`] combines the parts.

mod eval;
mod evidence;
mod exact;
pub mod inputs;
mod plan;
mod report;
mod watch;

pub use backedge_claim::derive::Subject;
pub use evidence::Evidence;
pub use exact::Form;
pub use plan::Checker;
pub use report::{Environment, Options, Report, Stop, Violation, check, check_run};
