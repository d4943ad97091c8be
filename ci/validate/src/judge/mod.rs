//! The order of the stages, and everything around the verdict on one pair: workers, cache, batches of pairs, records,
//! certificates, claims of scalar evolution, and comparisons of the engines with each other and with twins.
//!
//! The highest room: it imports all others, and none imports it.
//!
//! | file or folder | contents |
//! |---|---|
//! | `portfolio` | the order of the stages |
//! | `check` | one pair in this process |
//! | `single` | one pair within its modules, with workers and cache |
//! | `batch` | many pairs in parallel |
//! | `worker` | processes for the solver's stages |
//! | `cache` | verdicts of earlier runs |
//! | `certificate` | proofs as files |
//! | `record` | records of verdicts |
//! | `claims` | verdicts on claims of scalar evolution |
//! | `agreement`, `twins` | comparison of the engines on runs, and of the portfolio with expected verdicts |
//! | `panics` | confinement of a panic to one piece of work |

pub mod agreement;
pub mod batch;
pub mod cache;
pub mod certificate;
pub(crate) mod check;
pub mod claims;
pub mod panics;
pub(crate) mod portfolio;
pub mod record;
mod single;
pub mod twins;
pub mod worker;

pub use single::{Judge, Judged};
