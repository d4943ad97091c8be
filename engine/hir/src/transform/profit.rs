//! The profitability policy for legal transforms, and the gains that are weighed.

use std::fmt;

/// Whether a transform must be profitable.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Profit {
    /// A transform is applied only if it is profitable.
    #[default]
    Asked,
    /// A transform is applied wherever it is legal and changes anything, up to a hard size limit, like LLVM's
    /// `-loop-interchange-profitabilities=ignore`, but for all transforms. For tests of legality.
    Ignored,
}

/// The missing gain of an unprofitable transform.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Smaller strides through memory in the inner loop.
    Steps,
    /// A cache line that a reference touches again within a tile.
    Reuse,
    /// An access shared by all copies.
    Shared,
    /// A cache line that both loops touch.
    Line,
    /// A part of the body that deserves a loop of its own.
    Part,
}

impl Profit {
    /// Checks the gain, unless profit is ignored.
    pub(super) fn asks(
        self,
        is_gained: impl FnOnce() -> bool,
        gain: Gain,
    ) -> Result<(), super::TransformMissed> {
        match self {
            Self::Asked if !is_gained() => Err(super::TransformMissed::NotWorthIt(gain)),
            Self::Asked | Self::Ignored => Ok(()),
        }
    }
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "its references would not advance by fewer bytes",
            Self::Reuse => "no reference reuses a cache line in an outer loop",
            Self::Shared => {
                "no access of the inner loop has the same address in all iterations of the outer loop"
            }
            Self::Line => "the two loops share no cache line",
            Self::Part => "no part of its body should be a loop of its own",
        })
    }
}
