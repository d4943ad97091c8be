//! `loop-deletion`: deletes loops without observable effects, and breaks backedges that are never taken.
//!
//! | condition | edit |
//! |---|---|
//! | control never reaches the loop | its blocks are removed |
//! | its backedge is never taken | the backedge is removed, the blocks stay |
//! | it has no effect, it terminates, and its live-out values are unused or invariant | it is bypassed |
//! | the same, but the exits differ, and all of them are counted | the counts select the exit before it |
//! | it has no effect and no exit, and must terminate | entering it is UB |
//!
//! Needs loop-simplify and LCSSA form, and restores them. Several exits count as one if they lead to the same block
//! with the same values; exits known never to be taken are ignored. A loop terminates if ScalarEvolution bounds its
//! count, or if an infinite loop is UB (`mustprogress`). Nested loops must terminate too, and so must irreducible
//! cycles, for which only the function's `mustprogress` counts.
//! Instructions with invariant operands are hoisted if live-out values need them.
//!
//! Not done: loops whose exit values could be computed from the count (`indvars` does that first); loops that only
//! store to memory that nothing reads.

pub(crate) mod apply;
mod check;
mod first;

use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;
use std::fmt;

/// LLVM's name.
pub const NAME: &str = "loop-deletion";
/// The pass's name in remarks, as in LLVM.
pub const REMARKED: &str = "loop-delete";

/// What the pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
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

impl Done {
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

impl fmt::Display for Done {
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
pub enum Missed {
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

impl Missed {
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

impl fmt::Display for Missed {
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

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct LoopDeletion;

impl LoopPass for LoopDeletion {
    fn text(&self) -> String {
        NAME.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        let shape = unit.shape();
        let l = shape.loops.with_header(header)?;
        match check::check(unit, &shape, l) {
            Ok(plan) => {
                let label = unit.label(header);
                let done = apply::apply(unit, &shape, l, plan);
                unit.remark_at(REMARKED, label, done);
                crate::cleanup::is_header(unit, header).then_some(header)
            }
            Err(missed) => {
                unit.remark(REMARKED, header, missed);
                Some(header)
            }
        }
    }
}
