//! The remarks of `early-exit-inversion` and `bound-restriction`: their edits, and the reasons why they made none.

use crate::counted::Unfit;
use std::fmt;

/// What a pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RestrictDone {
    /// The loop exits where the condition no longer holds.
    Inverted,
    /// The loop makes only the iterations in which the condition holds.
    Restricted,
}

impl RestrictDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Inverted => "Inverted",
            Self::Restricted => "Restricted",
        }
    }
}

impl fmt::Display for RestrictDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inverted => "left where the condition no longer holds",
            Self::Restricted => "restricted to the iterations in which the condition holds",
        })
    }
}

/// Why a pass did nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RestrictMissed {
    /// The loop is not in loop-simplify form, or must not be transformed.
    Unfit(Unfit),
    /// No branch within the loop is passed by each iteration.
    NoBranch,
    /// No such branch depends on a comparison that changes at most once.
    NotMonotonic,
    /// The iteration has a visible effect although the condition does not hold.
    Seen,
    /// A nested loop runs although the condition does not hold.
    InnerLoop,
    /// If the condition does not hold, there are exits to different blocks, or none, and the exit taken is not
    /// determined or gives no bound.
    SeveralExits,
    /// The loop is not known to terminate.
    MayRunForever,
    /// A live-out value is not known.
    LiveOut,
    /// The bounds can't be computed before the loop, or the latch does not test them.
    NotCounted,
    /// The part of the condition that changes may be poison where the condition does not evaluate it.
    MayBePoison,
}

impl RestrictMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NoBranch => "NoBranch",
            Self::NotMonotonic => "NotMonotonic",
            Self::Seen => "Seen",
            Self::InnerLoop => "InnerLoop",
            Self::SeveralExits => "SeveralExits",
            Self::MayRunForever => "MayRunForever",
            Self::LiveOut => "LiveOut",
            Self::NotCounted => "NotCounted",
            Self::MayBePoison => "MayBePoison",
        }
    }
}

impl From<Unfit> for RestrictMissed {
    fn from(why: Unfit) -> Self {
        Self::Unfit(why)
    }
}

impl fmt::Display for RestrictMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unfit(why) => return why.fmt(f),
            Self::NoBranch => "no branch within it is passed by each iteration",
            Self::NotMonotonic => "no branch depends on a comparison that changes at most once",
            Self::Seen => "an iteration in which the condition fails has a visible effect",
            Self::InnerLoop => "a loop within it runs when the condition does not hold",
            Self::SeveralExits => "the exit taken when the condition fails is not determined",
            Self::MayRunForever => "it may run forever",
            Self::LiveOut => "a live-out value is not known",
            Self::NotCounted => "the bounds can't be computed in front of it",
            Self::MayBePoison => "the comparison that changes may be poison where others decide",
        })
    }
}
