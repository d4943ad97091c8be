//! `loop-deletion`: loops that do nothing that matters, and loops that are none.
//!
//! | what is so | what is done |
//! |---|---|
//! | control never comes to the loop | its blocks are removed |
//! | its backedge is never taken | the backedge is taken away, the blocks stay |
//! | it has no effect, it ends, and what it computes is not needed or the same in each iteration | it is passed by |
//! | the same, but for the exits by which it is left, all of which are counted | the counts decide in front of it |
//! | it has no effect, no exit, and must end | entering it is undefined behaviour |
//!
//! Needs loop simplify form and LCSSA form, and restores them. Several exits are one if each leads to the same block with
//! the same values, and exits that are known never to be taken are none. A loop ends if ScalarEvolution bounds its
//! count, or if running forever in it is undefined behaviour (`mustprogress`); loops within it must end too, and so must
//! irreducible cycles, of which only the function's `mustprogress` tells.
//! Instructions whose operands don't change in the loop are moved in front of it if what leaves the loop needs them.
//!
//! Not done: loops whose last values could be computed from the count (`indvars` does that first); loops that only store
//! to memory that nothing reads.

pub(crate) mod apply;
mod check;
mod first;

use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;
use std::fmt;

/// LLVM's name.
pub const NAME: &str = "loop-deletion";
/// The pass in remarks, as LLVM has it.
pub const REMARKED: &str = "loop-delete";

/// What the pass did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// Control never comes to the loop; it is gone.
    NeverEntered,
    /// The loop was passed by, and is gone.
    Deleted {
        /// How many instructions were moved in front of it for what is used behind it.
        hoisted: usize,
    },
    /// The loop was passed by, and is gone: where control goes is decided by what its exits count.
    Decided {
        /// How many exits there are.
        exits: usize,
    },
    /// The loop can't be left, and must be; who enters it has undefined behaviour.
    Endless,
    /// The backedge is never taken, and is gone.
    BackedgeBroken,
}

impl Done {
    /// The name of what was done.
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
            Self::NeverEntered => f.write_str("deleted: control never comes to it"),
            Self::Deleted { hoisted: 0 } => f.write_str("deleted: it does nothing that matters"),
            Self::Deleted { hoisted } => {
                write!(
                    f,
                    "deleted: it does nothing that matters; {hoisted} instruction(s) stand in front now"
                )
            }
            Self::Decided { exits, .. } => {
                write!(f, "deleted: by which of its {exits} exits it is left is decided in front of it")
            }
            Self::Endless => f.write_str("deleted: it must be left, and can't"),
            Self::BackedgeBroken => f.write_str("its backedge is never taken, and is gone"),
        }
    }
}

/// Why a loop was not deleted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop has no preheader or shares exit blocks.
    NotSimplified,
    /// An instruction has an effect.
    Effect {
        /// Its mnemonic.
        what: &'static str,
    },
    /// The loop, or one in it, may run forever, and may do so.
    MayNotEnd,
    /// A value that changes in the loop is used behind it.
    ResultUsed {
        /// The name of the phi that takes it.
        phi: Option<String>,
    },
    /// It makes a difference which exit is taken.
    ExitsDiffer {
        /// How many exit blocks there are.
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
                f.write_str("a value that changes in the loop is used behind it")
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
