//! The remarks of `indvars`: the edits that it made, and the reasons why it made none.

use std::fmt;

/// What the pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndVarsDone {
    /// This many values used after the loop are computed before it.
    ExitValues(usize),
    /// This many exits are known to be taken at once, or never.
    DecidedExits(usize),
    /// This many exit tests are computed before the loop.
    InvariantTests(usize),
    /// This many exit tests compare a counter for equality.
    CanonicalTests(usize),
    /// This many comparisons have a known result.
    DecidedCompares(usize),
    /// This many instructions were replaced by simpler ones or by existing values.
    Simplified(usize),
    /// This many instructions got flags.
    Flagged(usize),
    /// This many counters were widened.
    Widened(usize),
    /// This many dead instructions were removed.
    Removed(usize),
}

impl IndVarsDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ExitValues(_) => "ExitValues",
            Self::DecidedExits(_) => "DecidedExits",
            Self::InvariantTests(_) => "InvariantTests",
            Self::CanonicalTests(_) => "CanonicalTests",
            Self::DecidedCompares(_) => "DecidedCompares",
            Self::Simplified(_) => "Simplified",
            Self::Flagged(_) => "Flagged",
            Self::Widened(_) => "Widened",
            Self::Removed(_) => "Removed",
        }
    }
}

impl fmt::Display for IndVarsDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitValues(n) => write!(f, "computed {n} value(s) used after the loop before it"),
            Self::DecidedExits(n) => write!(f, "decided {n} exit(s)"),
            Self::InvariantTests(n) => write!(f, "moved {n} exit test(s) in front of the loop"),
            Self::CanonicalTests(n) => write!(f, "made {n} exit test(s) on a counter"),
            Self::DecidedCompares(n) => write!(f, "decided {n} comparison(s)"),
            Self::Simplified(n) => write!(f, "simplified {n} instruction(s)"),
            Self::Flagged(n) => write!(f, "gave flags to {n} instruction(s)"),
            Self::Widened(n) => write!(f, "widened {n} counter(s)"),
            Self::Removed(n) => write!(f, "removed {n} instruction(s) that nothing needs"),
        }
    }
}

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndVarsMissed {
    /// The loop is not in loop-simplify form.
    NotSimplified,
    /// A value used after the loop is too expensive to compute before it.
    ExpensiveExitValue,
    /// The counter's value in the last iteration is too expensive to compute, so an exit test is unchanged.
    ExpensiveLimit,
}

impl IndVarsMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::ExpensiveExitValue => "ExpensiveExitValue",
            Self::ExpensiveLimit => "ExpensiveLimit",
        }
    }
}

impl fmt::Display for IndVarsMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSimplified => "the loop is not in loop simplify form",
            Self::ExpensiveExitValue => "a value used after the loop is too expensive to compute before it",
            Self::ExpensiveLimit => {
                "an exit test is unchanged: the counter's last value is too expensive to compute"
            }
        })
    }
}

impl IndVarsDone {
    pub(super) fn is_nothing(&self) -> bool {
        let (Self::ExitValues(n)
        | Self::DecidedExits(n)
        | Self::InvariantTests(n)
        | Self::CanonicalTests(n)
        | Self::DecidedCompares(n)
        | Self::Simplified(n)
        | Self::Flagged(n)
        | Self::Widened(n)
        | Self::Removed(n)) = self;
        *n == 0
    }
}
