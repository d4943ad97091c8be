//! Redirects an exiting edge to another exit block of the loop or of an enclosing loop, so that exits share a block.

use super::work::Work;
use backedge_analysis::Edge;
use backedge_ir::entity::Block;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let edges: Vec<Edge> = graph.loops.exiting_edges(&graph.cfg, l);
    let edge = work.one_of(&edges)?;
    let mut targets: Vec<Block> =
        graph.loops.ancestors(l).flat_map(|a| graph.loops.exit_blocks(&graph.cfg, a)).collect();
    // A successor of an exit block is a valid target too.
    targets.extend(edges.iter().flat_map(|e| graph.cfg.succs(e.to).iter().copied()));
    targets.retain(|b| *b != edge.to && !graph.loops.contains(l, *b) && work.may_be_target(*b));
    let target = work.one_of(&targets)?;
    work.lead(edge, target)
}
