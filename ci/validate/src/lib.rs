//! Translation validation: combines the interpreter and the SMT encoder into one verdict for each pair of functions.
//! Holds the portfolio of methods, witnesses, records and reports. The crate does not know how passes work.
//!
//! [`check::check`] judges one pair of functions, [`judge::Judge`] judges a pair with workers, and [`batch::judge`]
//! judges many pairs in parallel.

pub mod agreement;
pub mod batch;
pub mod cache;
pub mod case;
pub mod certificate;
pub mod check;
pub mod claims;
pub mod judge;
pub mod kept;
pub mod narrate;
pub mod pairs;
pub mod panics;
pub mod record;
pub mod report;
pub mod reproducer;
pub mod surroundings;
pub mod token;
pub mod twins;
pub mod verdict;
pub mod witness;
pub mod worker;

mod absolute;
mod bounded;
mod callees;
mod coverage;
mod cycles;
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
mod recursion;
mod replay;
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
