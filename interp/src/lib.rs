//! LLVM IR interpreter: the reference semantics that validators compare against.
//!
//! - [`Program`] is a module ready to run, [`Machine`] runs its functions, and [`Run`] records one run.
//! - [`batch`] runs a function on many inputs at once.
//! - [`input`] describes arguments and initial memory; [`chooser`] resolves nondeterminism.
//! - [`outcome`] names how runs end; [`observe`] defines what outside code can observe of a run; [`trace`] observes
//!   each step.
//! - [`refine`] compares two runs for refinement; [`promise`] checks memory metadata on a run; [`stub`] gives bodies
//!   to declarations; [`claims`] checks analysis results against runs.
//!
//! Requires verified IR. Guarantees for such IR: no input causes a panic, and host stack use does not grow with the
//! run. An unmodelled feature ends the run with [`outcome::Outcome::Unsupported`]. The crate does not know the
//! optimizer.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod batch;
pub mod chooser;
pub mod claims;
mod compile;
mod exec;
mod facts;
mod float_class;
mod float_text;
pub mod input;
pub mod layout;
pub mod memory;
pub mod modelled;
pub mod observe;
pub mod outcome;
pub mod promise;
pub mod refine;
pub mod stub;
pub mod text;
pub mod trace;
pub mod value;

pub use compile::Program;
pub use exec::machine::{Ended, Machine, Run};
pub use exec::vectors::VSCALES;

/// Limits and semantic options of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Instruction budget, charged per block.
    pub fuel: u64,
    /// Limit on allocated memory in bytes, including globals and inputs.
    pub max_bytes: u64,
    /// Limit on call depth.
    pub max_depth: usize,
    /// Limit on the number of events and external calls.
    pub max_events: usize,
    /// Whether uninitialized memory is poison rather than undef.
    pub uninit_poison: bool,
    /// Whether a load fixes undefined bits once for all uses of its result. For analyses that treat a load as a
    /// single value, as LLVM's do.
    pub fixed_loads: bool,
    /// Whether a repeated state ends the run as divergence.
    pub detect_divergence: bool,
    /// Whether reads never violate `noalias`: a byte may be read through the argument although other pointers write it
    /// while the function runs, and vice versa. LangRef forbids such reads, but optimizers hoist loads onto paths that
    /// do not use the result. This option tolerates the reads in optimizer output.
    pub early_reads: bool,
    /// Whether an access that needs more alignment than its alloca guarantees is UB, because the alloca may be placed
    /// where the access is misaligned. For a target the access counts as UB. For a source the answer is unknown, so
    /// its run ends without a result.
    pub allocas_anywhere: bool,
    /// Whether globals of other modules have exactly their declared size; otherwise they may be larger.
    pub declared_sizes: bool,
}

impl Config {
    /// Returns this configuration with the options for the target of a comparison.
    #[must_use]
    pub fn of_target(self) -> Self {
        Self { early_reads: true, allocas_anywhere: true, ..self }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            fuel: 1_000_000,
            max_bytes: 1 << 28,
            max_depth: 1024,
            max_events: 10_000,
            uninit_poison: false,
            fixed_loads: false,
            detect_divergence: true,
            early_reads: false,
            allocas_anywhere: false,
            declared_sizes: false,
        }
    }
}
