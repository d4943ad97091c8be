//! Adds a backedge to a loop, from the middle of one of its blocks.

use super::work::Work;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let header = graph.loops.header(l);
    let at = work.place(|body, inst| body.block_of(inst).is_some_and(|b| graph.loops.contains(l, b)))?;
    work.branch_off(at, header)?;
    Some(())
}
