//! The options of loop unrolling.

use super::Form;
use crate::cost::Machine;

/// The pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopUnroll {
    /// The unroll factor; chosen by the cost model if `None`.
    pub count: Option<usize>,
    /// Whether to unroll only fully.
    pub full_only: bool,
    /// Largest trip count for full unrolling.
    pub full_limit: Option<usize>,
    /// Whether to unroll loops with few iterations fully on every machine, as metadata requests.
    pub full_asked: bool,
    /// Whether to unroll without regard to costs, as metadata requests.
    pub asked: bool,
    /// Whether to unroll fully with only an upper bound of the trip count.
    pub upper_bound: bool,
    /// Whether to unroll loops with all their exit tests.
    pub partial: bool,
    /// Whether to peel loops that are not unrolled fully or by request, if this simplifies the remaining iterations.
    pub peeling: bool,
    /// Whether to peel as many iterations as profile data predicts, if these are few. `None` means yes.
    pub profile_peeling: Option<bool>,
    /// Whether to unroll loops with a run-time trip count.
    pub runtime: bool,
    /// Position of the remainder loop; chosen if `None`.
    pub form: Option<Form>,
    /// The machine of the cost model.
    pub machine: Machine,
    /// Cost limit for computing the count, in units of an addition.
    pub count_budget: u32,
    /// Size limit of all copies of a body, in instructions.
    pub most_instructions: usize,
    /// Largest number of copies.
    pub most_trips: usize,
}
