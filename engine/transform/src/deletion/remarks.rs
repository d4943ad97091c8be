//! The remarks of `loop-deletion`: the edits that it made, and the reasons why it made none.

use std::fmt;

/// What the pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeletionDone {
    /// Control never reaches the loop; it was removed.
    NeverEntered,
    /// The loop was bypassed and removed.
    Deleted {
        /// The number of instructions hoisted for live-out values.
        hoisted: usize,
    },
    /// The loop was bypassed and removed; the counts of its exits select the exit.
    Decided {
        /// The number of exits.
        exits: usize,
    },
    /// The loop has no exit but must make progress, so entering it is UB.
    Endless,
    /// The backedge is never taken, and was removed.
    BackedgeBroken,
}

impl DeletionDone {
    /// The name of the outcome.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NeverEntered => "NeverExecutes",
            Self::Deleted { .. } => "Invariant",
            Self::Decided { .. } => "Decided",
            Self::Endless => "Endless",
            Self::BackedgeBroken => "BackedgeBroken",
        }
    }
}

impl fmt::Display for DeletionDone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverEntered => f.write_str("deleted: control never reaches it"),
            Self::Deleted { hoisted: 0 } => f.write_str("deleted: it has no observable effect"),
            Self::Deleted { hoisted } => {
                write!(f, "deleted: it has no observable effect; {hoisted} instruction(s) hoisted")
            }
            Self::Decided { exits, .. } => {
                write!(f, "deleted: by which of its {exits} exits it is left is decided before it")
            }
            Self::Endless => f.write_str("deleted: it has no exit but must terminate"),
            Self::BackedgeBroken => f.write_str("its backedge is never taken, and is gone"),
        }
    }
}

/// Why a loop was not deleted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeletionMissed {
    /// The loop has no preheader, or exit blocks that are not dedicated.
    NotSimplified,
    /// An instruction has a side effect.
    Effect {
        /// Its mnemonic.
        what: &'static str,
    },
    /// The loop, or a nested one, may legally run forever.
    MayNotEnd,
    /// A value that changes in the loop is used after it.
    ResultUsed {
        /// The name of the exit block's phi.
        phi: Option<String>,
    },
    /// The exits are not equivalent.
    ExitsDiffer {
        /// The number of exit blocks.
        count: usize,
    },
}

impl DeletionMissed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::Effect { .. } => "Effect",
            Self::MayNotEnd => "MayNotEnd",
            Self::ResultUsed { .. } => "ResultUsed",
            Self::ExitsDiffer { .. } => "ExitsDiffer",
        }
    }
}

impl fmt::Display for DeletionMissed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified => f.write_str("the loop is not in loop simplify form"),
            Self::Effect { what } => write!(f, "the loop has an effect: {what}"),
            Self::MayNotEnd => f.write_str("the loop may run forever"),
            Self::ResultUsed { phi: Some(phi) } => write!(f, "%{phi} takes a value that changes in the loop"),
            Self::ResultUsed { phi: None } => {
                f.write_str("a value that changes in the loop is used after it")
            }
            Self::ExitsDiffer { count } => write!(f, "which of the {count} exit blocks is taken matters"),
        }
    }
}
