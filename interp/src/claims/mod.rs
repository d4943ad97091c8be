//! Checks claims of an analysis on runs, straight from what they mean: no analysis of our own takes part.
//!
//! A run is watched as an ordinary observer watches it: arrivals at loop headers are counted for each entry of a loop,
//! and the expressions of the claims are evaluated on the values that the run has, recurrences by their closed form.
//! What "exact" says is computed in the integers. A claim is *refuted* by a run that ends without undefined behaviour:
//! by returning, by a call that does not return, or by running on forever where that is allowed. A run that is cut
//! short, or that reaches what is not modelled, shows nothing; nor does one in which undefined bits were fixed that several
//! uses see: a branch that depends on such bits is undefined behaviour, which the fixed ones hide.
//!
//! Poison leaves are excused, and so are leaves with undefined bits, which may differ at each use, and expressions
//! that divide by zero, but for exit counts: of those a count that is poison or divides by zero says that the exit's
//! branch is not reached.
//!
//! - [`Checker`] holds the claims on one function in a form that is quick to evaluate: `plan` says when each of them is
//!   looked at, `eval` evaluates expressions, `exact` knows the no-wrap flags, `watch` is the observer.
//! - [`inputs`] makes the inputs, all of them where that is possible; [`check`] puts it together.

mod eval;
mod exact;
pub mod inputs;
mod plan;
mod report;
mod watch;

pub use backedge_claim::derive::Subject;
pub use exact::Form;
pub use plan::Checker;
pub use report::{Environment, Evidence, Options, Report, Stop, Violation, check, check_run};
