//! The exit codes of this program, for scripts and CI gates.

use std::process::ExitCode;

/// How a command ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Accepted: proved, or proved within the stated bound.
    Accepted,
    /// Refuted, or the optimizer crashed.
    Refuted,
    /// Usage error or bad input.
    BadInput,
    /// Inconclusive beyond the allowed share, nothing was judged, or the checker contradicted itself.
    Inconclusive,
    /// The external optimizer refused the input.
    Refused,
    /// The external optimizer exceeded a limit.
    Hung,
    /// An accepted failure no longer fails.
    Stale,
    /// The external optimizer can't be run.
    NoOptimizer,
    /// Interrupted; the output contains the finished results.
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
