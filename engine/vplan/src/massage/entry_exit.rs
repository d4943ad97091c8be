//! Entries and exits of regions that are no loops: a block with several predecessors and several successors is cut in front
//! of its condition bit. The first part can be where a region ends, the second where another begins.
//!
//! So it is done to a loop's header with two successors, to where one region ends and the next begins, and to a latch with
//! several predecessors that leaves the loop.

use super::Uniformity;
use crate::plan::{BlockId, VPlan};

/// Does it to all blocks that it applies to.
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
