//! A campaign: programs of many seeds are put to the test, and what is found is made small, sorted into buckets and kept.
//!
//! | file | what it is |
//! |---|---|
//! | `program` | the program that a seed stands for |
//! | `oracles` | what is asked, of which share of the programs |
//! | `examine` | one program and passes of ours |
//! | `merge` | programs in one file, for commands that take longer to start than to work |
//! | `task` | pieces of work and what comes of them |
//! | `bucket` | what findings that are alike have in common |
//! | `findings` | the directory of findings |
//! | `state` | how far a campaign has come |
//! | `baseline` | findings that are accepted for a time |
//! | `whole` | files that are whole whenever they are there |
//!
//! [`run`] hands out the work and decides what becomes of what is found. Who does the work, threads or processes, is the
//! caller's matter ([`Workers`]).
//!
//! What is found, kept and counted does not depend on how many work: batches of seeds have fixed limits, what comes of them
//! is looked at in order, and so is what comes of findings that are worked up. Of findings that look alike at first (the same
//! pass, the same kind) the first few are worked up, and then ever fewer: the 12th, 16th, 24th, 32nd and so on. So a fault
//! that shows on every tenth program does not take all of the time, and a second one behind it is found all the same.

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

/// Who works for a campaign.
pub trait Workers: Sync {
    /// Has `task` done; `thread` tells which of those that work at a time asks.
    fn work(&self, thread: usize, task: &Task) -> Result<Reply, Loss>;
}

/// A worker that was lost over its work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// `hang`, `memory` or `crash`; anything where the campaign is asked to end.
    pub kind: &'static str,
    /// How, in words.
    pub words: String,
}
