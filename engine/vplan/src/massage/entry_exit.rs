//! Entries and exits of non-loop regions: splits a block with several predecessors and several successors before its
//! condition bit. The first part can be the exit of a region, the second part the entry of another.
//!
//! This also splits a loop header with two successors, a block that is both a join and a branch, and an exiting latch
//! with several predecessors.

use super::Uniformity;
use crate::plan::{BlockId, VPlan};

/// Applies the transform to all eligible blocks.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let of_several = |plan: &VPlan, block: BlockId| {
        let block = plan.block(block);
        block.preds.len() > 1 && block.succs.len() > 1
    };
    let mut changed = false;
    for block in plan.blocks() {
        if of_several(plan, block) && !uniform.is_uniform_branch(plan, block) {
            let bit = plan.block(block).recipes.len() - 1;
            let label = format!("{}.split", plan.block(block).label);
            plan.split_block(block, bit, &label);
            changed = true;
        }
    }
    changed
}
