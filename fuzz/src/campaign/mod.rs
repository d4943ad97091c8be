//! Fuzzing campaigns: the programs of many seeds are tested, and the findings are reduced, sorted into buckets and
//! stored.
//!
//! | file | contents |
//! |---|---|
//! | `program` | maps a seed to a program |
//! | `oracles` | the oracles, each with the share of programs that it examines |
//! | `examine` | tests one program with this project's passes |
//! | `merge` | merges programs into one file, for commands with a high start-up time |
//! | `task` | tasks and their replies |
//! | `bucket` | buckets of similar findings |
//! | `findings` | the directory of findings |
//! | `state` | the progress of a campaign |
//! | `baseline` | findings that are accepted until a date |
//! | `whole` | files that are complete whenever they exist |
//!
//! [`run`] distributes the tasks and handles the replies. The caller provides the workers, threads or processes
//! ([`Workers`]).
//!
//! Findings and counters do not depend on the number of workers: batches of seeds have fixed bounds, and replies are
//! processed in order, for batches as well as for findings that are worked up. Among findings that look alike at
//! first (same pass, same kind) the first few are worked up, and then ever fewer: the 12th, 16th, 24th, 32nd and so
//! on. So a fault that shows on every tenth program does not use up the whole time, and a second fault masked by it
//! is still found.

pub mod baseline;
pub mod bucket;
pub mod examine;
pub mod findings;
pub mod merge;
pub mod oracles;
pub mod program;
mod schedule;
pub mod state;
pub mod task;
mod whole;

pub use schedule::{Event, Outcome, Plan, Stopped, run};

use task::{Reply, Task};

/// Executes the tasks of a campaign.
pub trait Workers: Sync {
    /// Executes `task`; `thread` identifies the concurrent caller.
    fn work(&self, thread: usize, task: &Task) -> Result<Reply, Loss>;
}

/// A worker was lost while it executed a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// `hang`, `memory` or `crash`; arbitrary if the campaign is being stopped.
    pub kind: &'static str,
    /// A description of the loss.
    pub words: String,
}
