//! Fuzzing campaigns: the programs of many seeds are tested, and the findings are reduced, sorted into buckets and
//! stored.
//!
//! | file | contents |
//! |---|---|
//! | `program` | maps a seed to a program |
//! | `shares` | the shares of programs that the oracles examine |
//! | `examine` | tests one program with this project's passes |
//! | `merge` | merges programs into one file, for commands with a high start-up time |
//! | `task` | tasks and their replies |
//! | `bucket` | buckets of similar findings |
//! | `findings` | the directory of findings |
//! | `state` | the progress of a campaign |
//! | `baseline` | findings that are accepted until a date |
//! | `workers` | the interface of workers |
//! | `whole` | files that are complete whenever they exist |
//!
//! [`run`] distributes the tasks and handles the replies. The caller provides the workers, threads or processes
//! ([`Workers`]).
//!
//! Findings and counters do not depend on the number of workers: batches of seeds have fixed bounds, and replies are
//! processed in order, for batches as well as for findings that are worked up. Among findings that look alike at
//! first (same pass, same kind) the first few are worked up, and then ever fewer: the 12th, 16th, 24th, 32nd and so
//! on. So a fault that shows on every tenth program does not use up the whole time, and a second fault masked by it
//! is still found. Of findings that are equal error messages of a command only the first is worked up.

pub mod baseline;
pub mod bucket;
pub mod examine;
pub mod findings;
pub mod merge;
pub mod program;
mod schedule;
pub mod shares;
pub mod state;
pub mod task;
mod whole;
mod workers;

pub use schedule::{Event, Outcome, Plan, Stopped, run};
pub use workers::{Loss, Workers};
