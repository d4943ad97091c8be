//! The remarks of `loop-peel`: the edits that it made, and the reasons why it made none.

use crate::cost::Table;
use crate::counted::Unfit;
use std::fmt;

/// Why iterations are peeled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The number was requested.
    Asked,
    /// Phis are invariant from then on.
    Invariant,
    /// Recurrences alternate between two values.
    Alternates,
    /// Recurrences do not change any more.
    Settles,
    /// Comparisons are settled from then on.
    Decided,
    /// Minima or maxima equal one of their operands from then on.
    Extreme,
    /// Memory holds the stored value from then on.
    Stored,
    /// Lanes are uniform in rounds of iterations from then on.
    Lanes,
    /// Profile data predicts few iterations.
    Profile,
}

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeelDone {
    /// First iterations were peeled before it.
    First {
        /// The number of iterations.
        count: usize,
        /// The reason.
        reason: Reason,
        /// The cost table, if costs were compared.
        table: Option<Table>,
    },
    /// The last iteration was peeled after it.
    Last {
        /// The cost table, unless peeling was requested.
        table: Option<Table>,
    },
}

impl PeelDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::First { .. } => "Peeled",
            Self::Last { .. } => "PeeledLast",
        }
    }
}

impl fmt::Display for PeelDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First { count, reason, table } => {
                let why = match reason {
                    Reason::Asked => "as asked for",
                    Reason::Invariant => "a phi is invariant from then on",
                    Reason::Alternates => "a recurrence alternates between two values that are known then",
                    Reason::Settles => "a recurrence does not change any more",
                    Reason::Decided => "a comparison is settled from then on",
                    Reason::Extreme => "a minimum or maximum is one of its operands from then on",
                    Reason::Stored => "what is stored is there from then on",
                    Reason::Lanes => "lanes are uniform in rounds of iterations from then on",
                    Reason::Profile => "profile data expects no more",
                };
                write!(f, "peeled {count} iteration(s): {why}")?;
                table.as_ref().map_or(Ok(()), |table| write!(f, "; {table}"))
            }
            Self::Last { table: None } => f.write_str("peeled the last iteration"),
            Self::Last { table: Some(table) } => {
                write!(f, "peeled the last iteration: a comparison is settled up to there; {table}")
            }
        }
    }
}

/// Why nothing is peeled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeelMissed {
    /// Its iterations cannot be separated.
    Unfit(Unfit),
    /// Peeling would simplify nothing.
    NoReason,
    /// The simplifications are not worth the copies.
    NotWorthIt(Table),
    /// No exit can be counted before the loop.
    NotCounted,
    /// It has too few iterations.
    TooFewIterations,
}

impl PeelMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NoReason => "NoReason",
            Self::NotWorthIt(_) => "NotWorthIt",
            Self::NotCounted => "NotCounted",
            Self::TooFewIterations => "TooFewIterations",
        }
    }
}

impl From<Unfit> for PeelMissed {
    fn from(why: Unfit) -> Self {
        Self::Unfit(why)
    }
}

impl fmt::Display for PeelMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(why) => why.fmt(f),
            Self::NoReason => f.write_str("nothing would become simpler"),
            Self::NotWorthIt(table) => write!(f, "it is not profitable; {table}"),
            Self::NotCounted => f.write_str("no exit of it can be counted in front of it"),
            Self::TooFewIterations => f.write_str("it has no more iterations than that"),
        }
    }
}
