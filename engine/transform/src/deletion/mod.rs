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
mod remarks;

pub use remarks::{DeletionDone, DeletionMissed};

use crate::pass::{LoopPass, Unit};
use backedge_ir::entity::Block;

/// LLVM's name.
pub const NAME: &str = "loop-deletion";
/// The pass's name in remarks, as in LLVM.
pub const REMARKED: &str = "loop-delete";

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
