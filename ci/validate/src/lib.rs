//! Translation validation: combines the interpreter and the SMT encoder into one verdict for each pair of functions.
//! Holds the portfolio of methods, witnesses, records and reports. The crate does not know how passes work.
//!
//! [`check::check`] judges one pair of functions, [`judge::Judge`] judges a pair with workers, and [`batch::judge`]
//! judges many pairs in parallel.
//!
//! | room | contents |
//! |---|---|
//! | `pair` | the two functions: extraction, matching by name, copies of them, cycles, call graph |
//! | [`verdict`] | options, verdicts, refutations, cases and reports, as data |
//! | `admit` | pairs that can't be judged, and failing runs that are no refutations |
//! | `replay` | inputs and runs: violations, replay of models and cases, minimizing, telling |
//! | `stages` | the methods of the portfolio |
//! | [`judge`] | their order; workers, cache, batches, records, certificates |
//!
//! A room imports only rooms above it in this table.

mod admit;
pub mod judge;
mod pair;
mod replay;
mod stages;
pub mod verdict;

pub use admit::module_level;
pub use judge::{agreement, batch, cache, certificate, claims, panics, record, twins, worker};
pub use pair::{pairs, token};
pub use replay::{narrate, reproducer, target_promises};
pub use verdict::witness;

/// Judges one pair of functions in this process.
pub mod check {
    pub use crate::judge::check::{
        by_few_runs, by_runs, by_solver, check, holds_on_some_run, refuted_by_case,
    };
    pub use crate::judge::portfolio::Staged;
    pub use crate::pair::Side;
    pub use crate::stages::SoFar;
    pub use crate::verdict::{Options, Report, Uninit};
}

/// Cases, and their replay.
pub mod case {
    pub use crate::replay::case::Replayed;
    pub use crate::verdict::Case;
}
