//! Which blocks are not entered in every iteration, and what that means for what stands in them.
//!
//! In vectors all blocks are gone through in the linear order. A block that does not dominate the latch has a *mask*: the
//! lanes that enter it. The mask of an edge is that of its block and the condition, as `select mask, condition, false`: in
//! lanes that do not come to the branch the condition may be poison. An exiting edge takes nothing from the mask of the
//! other one: lanes that leave are none of those that are computed, or were told apart before.
//!
//! If the tail is folded, a lane may be in no iteration at all: every block has a mask then, the header that of the lanes
//! whose iterations there are.
//!
//! Pure instructions need no mask. Accesses do, and divisions need a divisor that is safe in the other lanes.

use super::Form;
use super::ops::Op;
use backedge_ir::entity::{Block, Inst};
use backedge_scev::ScalarEvolution;
use rustc_hash::{FxHashMap, FxHashSet};

/// What needs masks.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    /// Blocks that not all lanes enter, in the linear order.
    pub blocks: Vec<Block>,
    /// Instructions that must not be executed, or not with the operands that they have, in lanes that do not enter.
    pub insts: Vec<Inst>,
    /// Blocks that are not entered in each iteration.
    conditional: FxHashSet<Block>,
    fold_tail: bool,
}

impl Masks {
    /// Whether not all lanes enter `block`.
    pub fn has_mask(&self, block: Block) -> bool {
        self.fold_tail || self.is_conditional(block)
    }
    /// Whether `block` is not entered in each iteration.
    pub fn is_conditional(&self, block: Block) -> bool {
        self.conditional.contains(&block)
    }
}

pub(super) fn find(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    (ops, fold_tail): (&FxHashMap<Inst, Op>, bool),
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
