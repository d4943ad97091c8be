//! Adds a phi of a loop's value to an exit block, with other values on other edges, and uses the phi after the loop.

use super::work::Work;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{FastMath, InstData, InstKind, Value};

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let exits = graph.loops.distinct_exit_blocks(&graph.cfg, l);
    let exit = work.one_of(&exits)?;
    let value = work.inst(|body, inst| {
        let inside = body.block_of(inst).is_some_and(|b| graph.loops.contains(l, b));
        inside && body.inst(inst).ty.is_int()
    })?;
    let phi = phi(work, exit, value)?;
    work.create_use(phi.into())
}

/// A phi at the start of `block`: `value` on the edges where it is available, other values on the rest.
fn phi(work: &mut Work<'_, '_, '_>, block: Block, value: Inst) -> Option<Inst> {
    let graph = work.graph.clone();
    let ty = work.body().inst(value).ty;
    let mut incoming: Vec<(Value, Block)> = Vec::new();
    for &pred in graph.cfg.preds(block) {
        if let Some((same, _)) = incoming.iter().find(|(_, b)| *b == pred) {
            incoming.push((*same, pred));
            continue;
        }
        let end = work.body().terminator(pred)?;
        let is_there = work.available_of(ty, end).contains(&value.into());
        let taken = if is_there && work.draw.chance(70) { value.into() } else { work.value(ty, end)? };
        incoming.push((taken, pred));
    }
    let (values, blocks): (Vec<_>, Vec<_>) = incoming.into_iter().unzip();
    let data = InstData::new(InstKind::Phi(FastMath::NONE), ty, values, blocks);
    Some(work.editor.insert(Position::AfterPhis(block), data))
}
