//! The remarks of `loop-unroll`: the edits that it made, and the reasons why it made none.

use crate::cost::Table;
use crate::counted::Unfit;
use std::fmt;

/// The pass's name.
pub const NAME: &str = "loop-unroll";

/// The name of the pass that only unrolls fully.
pub const FULL_NAME: &str = "loop-unroll-full";

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnrollDone {
    /// The loop was fully unrolled.
    Full {
        /// The number of copies of the body.
        trips: usize,
        /// The cost table, if costs were compared.
        table: Option<Table>,
    },
    /// The loop contains several copies of its body.
    Partial {
        /// The number of copies of the body.
        factor: usize,
        /// The cost table, if costs were compared.
        table: Option<Table>,
    },
    /// The main loop contains several copies of the body, and there is a remainder loop.
    Runtime {
        /// The number of copies of the body.
        factor: usize,
        /// Position of the remainder loop.
        form: Form,
        /// How many exits the main loop does not test.
        dropped: usize,
        /// The cost table, if costs were compared.
        table: Option<Table>,
    },
}

impl UnrollDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Full { .. } => "FullyUnrolled",
            Self::Partial { .. } | Self::Runtime { .. } => "PartialUnrolled",
        }
    }
}

impl fmt::Display for UnrollDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { trips, table } => {
                write!(f, "unrolled completely, {trips} iteration(s)")?;
                write_table(f, table.as_ref())
            }
            Self::Partial { factor, table } => {
                write!(f, "unrolled by {factor}")?;
                write_table(f, table.as_ref())
            }
            Self::Runtime { factor, form, dropped, table } => {
                let form = match form {
                    Form::RequiredEpilogue => "an epilogue that is always entered",
                    Form::Epilogue => "an epilogue",
                    Form::Prologue => "a prologue",
                };
                write!(
                    f,
                    "unrolled by {factor} with {form}, run-time trip count, {dropped} exit(s) not tested in the main loop"
                )?;
                write_table(f, table.as_ref())
            }
        }
    }
}

fn write_table(f: &mut fmt::Formatter<'_>, table: Option<&Table>) -> fmt::Result {
    table.map_or(Ok(()), |table| write!(f, "; {table}"))
}

/// Why a loop is not unrolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnrollMissed {
    /// Its iterations cannot be separated.
    Unfit(Unfit),
    /// No exit that each iteration passes has a known count.
    NotCounted,
    /// The trip count is known only at run time, which rules out full unrolling.
    NotConstant,
    /// The count can't be computed before the loop, or only at too high a cost.
    ExpensiveCount,
    /// It has fewer iterations than a round.
    TooFewIterations,
    /// The trip count is known only at run time, and neither runtime nor partial unrolling is enabled.
    NotAsked,
    /// The cost model finds no benefit.
    NotWorthIt(Option<Table>),
    /// Metadata disables unrolling.
    Disabled,
    /// Metadata requests full unrolling, but the trip count is unknown.
    FullNotCounted,
    /// Metadata requests full unrolling, but the loop is too large.
    FullTooLarge,
}

impl UnrollMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NotCounted => "NotCounted",
            Self::NotConstant => "NotConstant",
            Self::ExpensiveCount => "ExpensiveCount",
            Self::TooFewIterations => "TooFewIterations",
            Self::NotAsked => "NotAsked",
            Self::NotWorthIt(_) => "NotWorthIt",
            Self::Disabled => "Disabled",
            Self::FullNotCounted => "CantFullUnrollAsDirectedRuntimeTripCount",
            Self::FullTooLarge => "FullUnrollAsDirectedTooLarge",
        }
    }
}

impl fmt::Display for UnrollMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit(why) => why.fmt(f),
            Self::NotCounted => f.write_str("no exit that each iteration passes can be counted"),
            Self::NotConstant => f.write_str("how often it runs is not a constant"),
            Self::ExpensiveCount => f.write_str("how often it runs can't be computed cheaply in front of it"),
            Self::NotAsked => f.write_str(
                "how often it runs is known at run time only, and neither 'runtime' nor 'partial' is asked for",
            ),
            Self::TooFewIterations => f.write_str("it has fewer iterations than a round would make"),
            Self::NotWorthIt(table) => {
                f.write_str("it is not profitable")?;
                write_table(f, table.as_ref())
            }
            Self::Disabled => f.write_str("its metadata says that it is not to be unrolled"),
            Self::FullNotCounted => f.write_str(
                "its metadata says that it is to be unrolled completely, but how often it runs is not known",
            ),
            Self::FullTooLarge => f.write_str(
                "its metadata says that it is to be unrolled completely, but the result would be too large",
            ),
        }
    }
}

/// Where the iterations run that do not fill a whole round.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// After the main loop. The main loop tests only its round count and uncountable exits: the last iteration always
    /// runs in the epilogue.
    RequiredEpilogue,
    /// After the main loop, if any are left. The main loop does not test the latch's exit.
    Epilogue,
    /// Before the main loop, if there are any. The latch's exit is tested once a round.
    Prologue,
}
