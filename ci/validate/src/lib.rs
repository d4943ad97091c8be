//! Translation validation: combines the interpreter and the SMT encoder into one verdict for each pair of functions.
//! Holds the portfolio of methods, witnesses, records and reports. The crate does not know how passes work.
//!
//! [`check::check`] judges one pair of functions, [`judge::Judge`] judges a pair with workers, and [`batch::judge`]
//! judges many pairs in parallel.

pub mod agreement;
pub mod batch;
pub mod cache;
mod cases;
pub mod certificate;
mod checks;
pub mod claims;
pub mod judge;
pub mod kept;
pub mod narrate;
pub mod pairs;
pub mod panics;
pub mod record;
mod replay;
pub mod report;
pub mod reproducer;
pub mod surroundings;
pub mod token;
pub mod twins;
pub mod verdict;
pub mod worker;

mod absolute;
mod bounded;
mod callees;
mod coverage;
mod declared;
mod deeper;
mod endless;
mod excuse;
mod extracted;
mod hardened;
mod inputs;
mod jumps;
mod minimize;
mod nameless;
mod narrow;
mod pair;
mod recursion;
mod runs;
mod silent;
mod stages;
mod translate;
mod trips;
mod unbounded;
mod unify;
mod unkept;
mod unmodelled;
mod variables;

pub use verdict::witness;

/// Judges one pair of functions in this process.
pub mod check {
    pub use crate::checks::{
        SoFar, Staged, by_few_runs, by_runs, by_solver, check, holds_on_some_run, refuted_by_case,
    };
    pub use crate::pair::Side;
    pub use crate::verdict::{Options, Report, Uninit};
}

/// Cases, and their replay.
pub mod case {
    pub use crate::cases::Replayed;
    pub use crate::verdict::Case;
}
