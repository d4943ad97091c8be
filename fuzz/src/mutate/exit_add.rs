//! Adds an exiting edge to a loop, to an existing block or to a new block that returns.

use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::entity::Block;
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let at = work.place(|body, inst| body.block_of(inst).is_some_and(|b| graph.loops.contains(l, b)))?;
    let loops = graph.loops.ancestors(l);
    let mut exits: Vec<Block> = loops.flat_map(|a| graph.loops.exit_blocks(&graph.cfg, a)).collect();
    exits.retain(|b| work.may_be_target(*b) && !graph.loops.contains(l, *b));
    let new = work.draw.chance(15);
    let target = match work.one_of(&exits) {
        Some(exit) if !new => exit,
        _ => returning(work)?,
    };
    work.branch_off(at, target)?;
    Some(())
}

/// A new block at the end that returns a constant.
fn returning(work: &mut Work<'_, '_, '_>) -> Option<Block> {
    let ty = work.returns;
    let value = if ty == Type::VOID { None } else { Some(work.constant(ty)?) };
    let block = work.editor.add_block(Some("exit"));
    Builder::new(&mut work.editor, Position::End(block)).ret(value);
    Some(block)
}
