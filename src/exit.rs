//! The exit codes of the tool: what scripts and CI gates rely on.

use std::process::ExitCode;

/// How a command ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Accepted: proved, proved within the stated bound, or no pass changed anything.
    Accepted,
    /// Refuted, or the optimizer crashed.
    Refuted,
    /// Usage error or bad input.
    BadInput,
    /// Inconclusive beyond the allowed share, nothing that could be checked, or the checker contradicted itself.
    Inconclusive,
    /// The optimizer's command ended with a failure of its own.
    Refused,
    /// The optimizer's command passed a limit.
    Hung,
    /// What was accepted does not fail any more.
    Stale,
    /// The optimizer's command can't be run.
    NoOptimizer,
    /// Interrupted; what was finished is in the output.
    Interrupted,
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Accepted => 0,
            Self::Refuted => 1,
            Self::BadInput => 2,
            Self::Inconclusive => 3,
            Self::Refused => 4,
            Self::Hung => 5,
            Self::Stale => 6,
            Self::NoOptimizer => 125,
            Self::Interrupted => 75,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
