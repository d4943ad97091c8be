//! The question: limits and semantic options of a check.

use backedge_smt::refinement::Uninit;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits and semantic options of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Backedges taken per entry of a loop, on paths that the solver covers.
    pub bound: u32,
    /// Least acceptable bound of a verdict if the budget does not suffice for [`Options::bound`].
    pub min_bound: u32,
    /// If the check at [`Options::bound`] finishes without a proof, the bound is doubled up to this value while a part
    /// of the budget lasts. Values not above [`Options::bound`] disable this.
    pub max_bound: u32,
    /// Budget of all solver queries for one bound, in Z3's resource units.
    pub rlimit: u32,
    /// Wall-clock limit of the solver's check at one bound, for encoding and all queries together. Lower bounds tried
    /// afterwards share the same amount again.
    pub timeout: Duration,
    /// Memory limit of the solver in megabytes, for the whole process.
    pub memory_mb: u32,
    /// Contents of uninitialized memory.
    pub uninit: Uninit,
    /// Whether arguments and the initial memory may hold undef bits.
    pub undef_inputs: bool,
    /// Whether arguments and the initial memory may hold poison.
    pub poison_inputs: bool,
    /// Interpreter steps of one run.
    pub fuel: u64,
    /// Pairs of interpreter runs, if there are more inputs and choices than this.
    pub runs: u64,
    /// Target runs compared for each input with the first choices in order: calls return in them, and nearly all
    /// choices are zero.
    pub in_order: u32,
    /// Further target runs compared for each input, with random choices.
    pub at_random: u64,
    /// Whether the solver is asked if runs do not decide.
    pub solver: bool,
    /// Whether a proof for all iterations is attempted if the bounded check finds nothing.
    pub induction: bool,
    /// Whether identical functions are accepted without either engine.
    pub identity: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bound: 4,
            min_bound: 1,
            max_bound: 1,
            rlimit: 20_000_000,
            timeout: Duration::from_secs(300),
            memory_mb: 4096,
            uninit: Uninit::Undef,
            undef_inputs: true,
            poison_inputs: true,
            fuel: 20_000,
            runs: 2_000,
            in_order: 8,
            at_random: 0,
            solver: true,
            induction: true,
            identity: true,
        }
    }
}
