//! Loops' single exits: one that branches, or that is the preheader of another loop, keeps its phis, by which values leave the
//! loop, and all else goes to a block behind it.

use super::Uniformity;
use crate::plan::{BlockId, Graph, VPlan};
use backedge_ir::entity::EntitySet;

/// Does it to all loops that are left to one block.
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
