//! Splits an edge with a new block.

use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::entity::Block;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let graph = work.graph.clone();
    let blocks = graph.cfg.rpo().iter().copied();
    let edges: Vec<(Block, usize)> =
        blocks.flat_map(|b| (0..graph.cfg.succs(b).len()).map(move |i| (b, i))).collect();
    let (from, index) = work.one_of(&edges)?;
    let target = graph.cfg.succs(from)[index];
    let terminator = work.body().terminator(from)?;
    if !work.may_be_target(target) {
        return None;
    }
    let middle = work.editor.add_block_after(from, Some("edge"));
    Builder::new(&mut work.editor, Position::End(middle)).br(target);
    for phi in work.body().phis(target).collect::<Vec<_>>() {
        let value = work.body().incoming_from(phi, from)?;
        work.editor.add_incoming(phi, value, middle);
    }
    work.editor.remove_edge_from_phis(target, from);
    work.editor.set_successor(terminator, index, middle);
    Some(())
}
