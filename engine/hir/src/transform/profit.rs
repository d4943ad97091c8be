//! What is weighed before a legal transform is done, and that it need not be.

use std::fmt;

/// Whether something has to be gained.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Profit {
    /// A transform is done where something is gained by it.
    #[default]
    Asked,
    /// It is done wherever it is legal and changes anything, up to the size that is made for nobody: LLVM's
    /// `-loop-interchange-profitabilities=ignore`, for all transforms. For whoever tests what is legal.
    Ignored,
}

/// What would be gained, and is not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Smaller steps through memory in the inner loop.
    Steps,
    /// A cache line to which a reference comes back in a tile.
    Reuse,
    /// An access that all copies have in common.
    Shared,
    /// A cache line that both loops touch.
    Line,
    /// A part of a body that should be a loop of its own.
    Part,
}

impl Profit {
    /// Whether something may be done for what it gains, if that has to be asked.
    pub(super) fn asks(self, is_gained: impl FnOnce() -> bool, gain: Gain) -> Result<(), super::Missed> {
        match self {
            Self::Asked if !is_gained() => Err(super::Missed::NotWorthIt(gain)),
            Self::Asked | Self::Ignored => Ok(()),
        }
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "its references do not advance by fewer bytes then",
            Self::Reuse => "no reference comes back to a cache line in an outer loop",
            Self::Shared => "no access of the loop in it has one address in all its iterations",
            Self::Line => "the two touch no cache line in common",
            Self::Part => "no part of its body should be a loop of its own",
        })
    }
}
