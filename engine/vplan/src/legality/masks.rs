//! Blocks that do not execute in every iteration, and the consequences for their instructions.
//!
//! In vector code all blocks execute in linear order. A block that does not dominate the latch has a *mask*: the lanes
//! that enter it. The mask of an edge combines that of its source block and the branch condition, as
//! `select mask, condition, false`, because the condition may be poison in lanes that do not reach the branch. An
//! exiting edge does not restrict the mask of the other edge: lanes that leave are not computed in this vector
//! iteration, or were separated before.
//!
//! If the tail is folded, a lane may have no iteration at all. Then every block has a mask; the mask of the header
//! contains the lanes with an iteration.
//!
//! Pure instructions need no mask. Accesses need one, and divisions need a safe divisor in inactive lanes.

use super::Form;
use super::ops::Op;
use backedge_ir::entity::{Block, Inst};
use backedge_scev::ScalarEvolution;
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks and instructions that need masks.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    /// Blocks that are not entered by all lanes, in linear order.
    pub blocks: Vec<Block>,
    /// Instructions that must not execute, or not with their original operands, in inactive lanes.
    pub insts: Vec<Inst>,
    /// Blocks that do not execute in each iteration.
    conditional: FxHashSet<Block>,
    fold_tail: bool,
}

impl Masks {
    /// Whether some lanes may not enter `block`.
    pub fn has_mask(&self, block: Block) -> bool {
        self.fold_tail || self.is_conditional(block)
    }
    /// Whether `block` does not execute in each iteration.
    pub fn is_conditional(&self, block: Block) -> bool {
        self.conditional.contains(&block)
    }
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    ops: &FxHashMap<Inst, Op>,
    fold_tail: bool,
) -> Masks {
    let dominators = scev.dominators();
    let is_conditional = |b: &Block| !dominators.dominates(*b, form.latch);
    let conditional: FxHashSet<Block> = form.blocks.iter().copied().filter(is_conditional).collect();
    let mut masks = Masks { conditional, fold_tail, ..Masks::default() };
    masks.blocks = form.blocks.iter().copied().filter(|b| masks.has_mask(*b)).collect();
    let guarded = |inst: &Inst| matches!(ops.get(inst), Some(Op::Load | Op::Store | Op::Divide));
    let inside = form.insts().iter().copied().filter(guarded);
    let is_masked = |i: &Inst| scev.body().block_of(*i).is_some_and(|b| masks.has_mask(b));
    masks.insts = inside.filter(is_masked).collect();
    masks
}
