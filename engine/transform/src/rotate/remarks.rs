//! The remarks of `loop-rotate`: the edits that it made, and the reasons why it made none.

use crate::clone::Uncopyable;
use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RotateDone {
    /// The loop was rotated.
    Rotated {
        /// Whether a branch before the loop decides whether it is entered; if not, it is known to be entered.
        guarded: bool,
    },
}

impl RotateDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rotated { .. } => "Rotated",
        }
    }
}

impl fmt::Display for RotateDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Rotated { guarded } = self;
        f.write_str("rotated, ")?;
        f.write_str(if *guarded {
            "with a guard"
        } else {
            "without a guard: the loop is known to be entered"
        })
    }
}

/// A part of loop-simplify form that a loop lacks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FormPart {
    /// A preheader.
    Preheader,
    /// A single backedge.
    SingleBackedge,
    /// Dedicated exits.
    DedicatedExits,
}

/// Why a loop is not rotated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RotateMissed {
    /// The loop is not in loop-simplify form.
    NotSimplified(FormPart),
    /// The latch is exiting already.
    AlreadyRotated,
    /// The header does not end in a conditional branch.
    HeaderNotConditional {
        /// The mnemonic of its terminator.
        terminator: &'static str,
    },
    /// No successor of the header is outside the loop.
    HeaderDoesNotExit,
    /// The function has `minsize`, and copying the header makes it larger.
    ForSize,
    /// The header has too many instructions.
    HeaderTooLarge {
        /// Its number of instructions.
        size: usize,
        /// The limit.
        limit: usize,
    },
    /// The header can't be copied.
    Uncopyable(Uncopyable),
    /// The header calls a function that link-time optimization may inline.
    InlinableCall,
}

impl RotateMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified(_) => "NotSimplified",
            Self::AlreadyRotated => "AlreadyRotated",
            Self::HeaderNotConditional { .. } => "HeaderNotConditional",
            Self::HeaderDoesNotExit => "HeaderDoesNotExit",
            Self::ForSize => "ForSize",
            Self::HeaderTooLarge { .. } => "HeaderTooLarge",
            Self::Uncopyable(why) => why.name(),
            Self::InlinableCall => "InlinableCall",
        }
    }
}

impl fmt::Display for FormPart {
    /// The problem if the part is missing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Preheader => "the loop has no preheader",
            Self::SingleBackedge => "the loop has several backedges",
            Self::DedicatedExits => "an exit block is entered from outside the loop too",
        })
    }
}

impl fmt::Display for RotateMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(part) => part.fmt(f),
            Self::AlreadyRotated => f.write_str("the latch leaves the loop already"),
            Self::HeaderNotConditional { terminator } => {
                write!(f, "the header ends in '{terminator}', not in a conditional branch")
            }
            Self::HeaderDoesNotExit => f.write_str("the header does not leave the loop"),
            Self::ForSize => f.write_str("the function is optimized for minimum size"),
            Self::HeaderTooLarge { size, limit } => {
                write!(f, "the header has {size} instructions to copy, more than {limit}")
            }
            Self::Uncopyable(why) => write!(f, "the header can't be copied: {why}"),
            Self::InlinableCall => {
                f.write_str("the header calls a function that may be inlined when the program is linked")
            }
        }
    }
}
