//! The remarks of `simple-loop-unswitch`: the edits that it made, and the reasons why it made none.

use crate::clone::Uncopyable;
use crate::cost::Tight;
use crate::rotate::FormPart;
use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnswitchDone {
    /// Exits were moved before the loop.
    Trivial {
        /// The number of exits; a switch may have several.
        exits: usize,
    },
    /// There are several loops, one for each outcome of a decision.
    Copied {
        /// The kind of decision.
        by: By,
        /// The number of resulting loops.
        loops: usize,
        /// The scaled amount of duplicated code.
        cost: usize,
    },
}

/// The kind of condition that a loop was unswitched on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// The condition of a branch.
    Branch,
    /// Parts of the condition of a branch.
    Parts,
    /// The condition of a select.
    Select,
    /// The value of a switch.
    Switch,
    /// The condition of a guard.
    Guard,
    /// A condition that stays the same as long as the loop takes one successor.
    OneWay,
}

impl UnswitchDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Trivial { .. } => "Trivial",
            Self::Copied { .. } => "Copied",
        }
    }
}

impl fmt::Display for UnswitchDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial { exits } => write!(f, "took {exits} exit(s) in front of the loop"),
            Self::Copied { by, loops, cost } => {
                write!(f, "made {loops} loops of one, {by}; the copies cost {cost}")
            }
        }
    }
}

/// Why a loop is not unswitched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnswitchMissed {
    /// The loop is not in loop-simplify form.
    NotSimplified(FormPart),
    /// No exit can be moved before the loop, and copying is not enabled.
    NoTrivialExit,
    /// No decision in the loop has an invariant condition.
    NoInvariantCondition,
    /// The loop can't be copied.
    Uncopyable(Uncopyable),
    /// The function must not grow.
    Tight(Tight),
    /// Too much code would be duplicated.
    TooExpensive {
        /// The smallest scaled amount.
        cost: usize,
        /// The limit, exclusive.
        limit: usize,
    },
    /// The loop and its copies were unswitched too often.
    TooMany {
        /// The limit.
        limit: usize,
    },
}

impl UnswitchMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified(_) => "NotSimplified",
            Self::NoTrivialExit => "NoTrivialExit",
            Self::NoInvariantCondition => "NoInvariantCondition",
            Self::Tight(Tight::ForSize) => "ForSize",
            Self::Tight(Tight::Cold) => "Cold",
            Self::Tight(Tight::NeverExecuted) => "NeverExecuted",
            Self::TooExpensive { .. } => "TooExpensive",
            Self::TooMany { .. } => "TooMany",
            Self::Uncopyable(why) => why.name(),
        }
    }
}

impl fmt::Display for UnswitchMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified(part) => part.fmt(f),
            Self::NoTrivialExit => f.write_str("no exit is settled before the loop is entered"),
            Self::NoInvariantCondition => f.write_str("no branch has an invariant condition"),
            Self::Uncopyable(why) => why.fmt(f),
            Self::Tight(tight) => tight.fmt(f),
            Self::TooExpensive { cost, limit } => {
                write!(f, "the copies would cost {cost}, not less than {limit}")
            }
            Self::TooMany { limit } => write!(f, "the loop and its copies were unswitched {limit} times"),
        }
    }
}
