//! Moves an instruction: before another one in its block, before its loop, or after it.

use super::work::{Work, is_place};
use backedge_ir::editor::Position;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let inst = work.place(|body, inst| !body.inst(inst).kind.is_terminator())?;
    let block = work.body().block_of(inst)?;
    let near = work.draw.chance(50);
    let to = work.place(|body, to| to != inst && (!near || body.block_of(to) == Some(block)))?;
    debug_assert!(is_place(work.body(), to));
    work.editor.move_to(inst, Position::Before(to));
    Some(())
}
