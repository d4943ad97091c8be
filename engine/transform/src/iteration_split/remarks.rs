//! The remarks of `iteration-set-split`: the edits that it made, and the reasons why it made none.

use crate::cost::Table;
use crate::counted::Unfit;
use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IterationSplitDone {
    /// The loop was split in two.
    Split {
        /// The comparison that motivated the split, if it has a name.
        comparison: Option<String>,
        /// Whether the second loop does not need it either.
        both: bool,
        /// Whether one iteration was peeled between the two loops.
        between: bool,
        /// The cost table, if costs were compared.
        table: Option<Table>,
    },
}

impl IterationSplitDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        let Self::Split { .. } = self;
        "Split"
    }
}

impl fmt::Display for IterationSplitDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Split { comparison, both, between, table } = self;
        let loops = match (both, between) {
            (_, true) => "both loops and the iteration between",
            (true, false) => "both loops",
            (false, false) => "the first loop",
        };
        match comparison {
            Some(name) => write!(f, "split where '%{name}' changes: it is settled in {loops}")?,
            None => f.write_str("split")?,
        }
        table.as_ref().map_or(Ok(()), |table| write!(f, "; {table}"))
    }
}

/// Why a loop is not split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IterationSplitMissed {
    /// Its iterations cannot be divided.
    Unfit(Unfit),
    /// No exit that each iteration passes has a known count.
    NotCounted,
    /// No comparison in the loop is constant before a known iteration.
    NoPoint,
    /// One of the two loops would never iterate.
    NothingLeft,
    /// There is a split point, but it is not worth a copy of the loop.
    NotWorthIt(Table),
    /// The split point can't be computed before the loop, or only at too high a cost.
    ExpensiveCount,
}

impl IterationSplitMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NotCounted => "NotCounted",
            Self::NoPoint => "NoPoint",
            Self::NothingLeft => "NothingLeft",
            Self::NotWorthIt(_) => "NotWorthIt",
            Self::ExpensiveCount => "ExpensiveCount",
        }
    }
}

impl From<Unfit> for IterationSplitMissed {
    fn from(why: Unfit) -> Self {
        Self::Unfit(why)
    }
}

impl fmt::Display for IterationSplitMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(why) => why.fmt(f),
            Self::NotCounted => f.write_str("no exit that each iteration passes can be counted"),
            Self::NoPoint => f.write_str("no comparison in it is the same up to some iteration"),
            Self::NothingLeft => f.write_str("one of the two loops would make no iteration"),
            Self::NotWorthIt(table) => write!(f, "it is not profitable; {table}"),
            Self::ExpensiveCount => f.write_str("where to split can't be computed cheaply in front of it"),
        }
    }
}
