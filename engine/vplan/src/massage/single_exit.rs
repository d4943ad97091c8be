//! Loops' single exit blocks: an exit block that branches, or that is the preheader of another loop, keeps its phis,
//! through which values leave the loop; everything else moves to a new block after it.

use super::Uniformity;
use crate::plan::{BlockId, Graph, VPlan};
use backedge_ir::entity::EntitySet;

/// Applies the transform to all loops with a single exit block.
pub(super) fn run(plan: &mut VPlan, uniform: &dyn Uniformity) -> bool {
    let graph = Graph::new(plan);
    let preheaders: EntitySet<BlockId> = graph.loops().filter_map(|l| graph.preheader(l)).collect();
    let mut cut: EntitySet<BlockId> = EntitySet::new();
    for l in graph.loops() {
        let Some(exit) = graph.single_exit(l) else { continue };
        if uniform.is_uniform_loop(plan, graph.header(l)) {
            continue;
        }
        let must_be_cut = plan.block(exit).succs.len() > 1 || preheaders.contains(exit);
        if must_be_cut && cut.insert(exit) {
            let phis = plan.phis(exit).count();
            let label = format!("{}.split", plan.block(exit).label);
            plan.split_block(exit, phis, &label);
        }
    }
    !cut.is_empty()
}
