//! The remarks of `loop-simplify`: the edits that it made, and the reasons why it made none.

use std::fmt;

/// Maximum number of backedges of a header for which the pass looks for nested loops (LLVM's limit).
pub const MAX_BACKEDGES_TO_SEPARATE: usize = 8;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimplifyDone {
    /// Unreachable blocks had edges into the loop; they now end in `unreachable`.
    UnreachablePredecessorsCut {
        /// The number of blocks.
        count: usize,
    },
    /// The loop got a preheader.
    PreheaderInserted,
    /// Exit blocks with predecessors outside the loop were split.
    ExitsDedicated {
        /// The number of exit blocks.
        count: usize,
    },
    /// Header phis with a constant value were replaced.
    PhisFolded {
        /// The number of phis.
        count: usize,
    },
    /// Two loops shared the header; the outer one now has its own.
    NestSeparated,
    /// The backedges were merged.
    BackedgesUnified {
        /// The old number of backedges.
        count: usize,
    },
}

impl SimplifyDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::UnreachablePredecessorsCut { .. } => "UnreachablePredecessorsCut",
            Self::PreheaderInserted => "PreheaderInserted",
            Self::ExitsDedicated { .. } => "ExitsDedicated",
            Self::PhisFolded { .. } => "PhisFolded",
            Self::NestSeparated => "NestSeparated",
            Self::BackedgesUnified { .. } => "BackedgesUnified",
        }
    }
}

impl fmt::Display for SimplifyDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnreachablePredecessorsCut { count } => {
                write!(f, "cut off {count} unreachable predecessor(s)")
            }
            Self::PreheaderInserted => f.write_str("inserted a preheader"),
            Self::ExitsDedicated { count } => write!(f, "gave {count} exit block(s) to the loop alone"),
            Self::PhisFolded { count } => write!(f, "folded {count} phi(s) that never change"),
            Self::NestSeparated => f.write_str("separated the outer loop from the inner one"),
            Self::BackedgesUnified { count } => write!(f, "united {count} backedges in one"),
        }
    }
}

/// Why the pass did not look for nested loops that share the header of a loop with several backedges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SimplifyMissed {
    /// A call in the loop is convergent: its meaning depends on the loop that contains it.
    ConvergentCall,
    /// There are too many backedges.
    TooManyBackedges {
        /// Their number.
        count: usize,
    },
}

impl SimplifyMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ConvergentCall => "ConvergentCall",
            Self::TooManyBackedges { .. } => "TooManyBackedges",
        }
    }
}

impl fmt::Display for SimplifyMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nested loops that may share the header are not separated: ")?;
        match self {
            Self::ConvergentCall => f.write_str("the loop makes a convergent call"),
            Self::TooManyBackedges { count } => {
                write!(f, "{count} backedges, looked at up to {}", MAX_BACKEDGES_TO_SEPARATE - 1)
            }
        }
    }
}
