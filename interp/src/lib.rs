//! Executes IR: the judge of what a program means.
//!
//! - [`Program`] is a module ready to run, [`Machine`] runs its functions, [`Run`] says what a run did.
//! - [`batch`] runs a function on many inputs at once.
//! - [`input`] describes arguments and memory, [`chooser`] decides what the program leaves open, [`outcome`] names how
//!   runs end, [`observe`] what others see of them, [`trace`] watches them, [`refine`] compares two,
//!   [`promise`] checks promises about memory on a run, [`stub`] gives code to functions that are only declared, [`claims`] checks what analyses say.
//!
//! It needs verified IR: then no run panics, whatever the input, and none uses the host's stack in proportion to it.
//! What is not modelled ends a run with [`outcome::Outcome::Unsupported`]. It knows the IR alone, not what optimizes.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod batch;
pub mod chooser;
pub mod claims;
mod compile;
mod exec;
mod facts;
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

/// Limits and readings of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Instructions that may be run, counted by blocks.
    pub fuel: u64,
    /// Bytes of memory that may be allocated, globals and inputs included.
    pub max_bytes: u64,
    /// Calls within calls.
    pub max_depth: usize,
    /// Events and external calls.
    pub max_events: usize,
    /// Whether uninitialised memory is poison rather than undef.
    pub uninit_poison: bool,
    /// Whether undefined bits are chosen where they are loaded, once for all uses of what was loaded: for analyses that take
    /// a load for one value, as LLVM's do.
    pub fixed_loads: bool,
    /// Whether a state that comes again ends the run as divergence.
    pub detect_divergence: bool,
    /// Whether bytes may be read that a `noalias` argument leads to and that are written by other means while the function
    /// runs. By LangRef they may not; but optimizers load early what can be loaded at all, on paths that don't use it, and
    /// are not to be blamed for that: this is for what they made.
    pub early_reads: bool,
    /// Whether an access with more alignment than its alloca is undefined, since the alloca may lie where the access is
    /// misaligned. That counts against a target. Of a source it is not known, and its run ends without a result.
    pub allocas_anywhere: bool,
    /// Whether variables of other modules are as large as they are declared; they may be larger otherwise.
    pub declared_sizes: bool,
}

impl Config {
    /// As this, for a target that is compared with a source.
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
