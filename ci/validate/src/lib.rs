//! One verdict out of interp and smt: portfolio, witness, records and reports. It does not know how passes work.
//!
//! [`check::check`] judges one pair of functions, [`batch::judge`] many of them side by side.

pub mod batch;
pub mod check;
pub mod claims;
pub mod narrate;
pub mod pairs;
pub mod panics;
pub mod record;
pub mod report;
pub mod verdict;
pub mod witness;

mod bounded;
mod call_promises;
mod inputs;
mod promises;
mod replay;
mod runs;
mod translate;
