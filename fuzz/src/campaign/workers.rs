//! The interface of workers, which execute the tasks of a campaign: threads or processes of the caller.

use super::task::{Reply, Task};

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
