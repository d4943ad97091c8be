//! Makes some instructions of a block conditional. Users of their results get other values if they are skipped.

use super::work::Work;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let (first, after) = stretch(work)?;
    let condition = work.condition(first)?;
    let block = work.body().block_of(first)?;
    let skipped = work.editor.split_block(first, Some("guarded"));
    let rest = work.editor.split_block(after, Some("rest"));
    let targets = if work.draw.bool() { [skipped, rest] } else { [rest, skipped] };
    work.editor.set_terminator(block, InstData::new(InstKind::CondBr, Type::VOID, [condition], targets));
    Some(())
}

/// A range of instructions in a block: the first one, and the one after the last.
pub(super) fn stretch(work: &mut Work<'_, '_, '_>) -> Option<(Inst, Inst)> {
    let first = work.place(|body, inst| !body.inst(inst).kind.is_terminator())?;
    let block = work.body().block_of(first)?;
    let insts = work.body().insts(block);
    let at = insts.iter().position(|i| *i == first)?;
    let last = insts.len() - 1;
    let after = work.draw.between(at + 1, last.max(at + 1));
    let after = *work.body().insts(block).get(after)?;
    super::work::is_place(work.body(), after).then_some((first, after))
}
