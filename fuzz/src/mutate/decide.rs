//! Replaces a conditional branch or switch with an unconditional branch to one of its successors.

use super::work::Work;
use crate::reduce::edit::{branch_to, remove_unreachable};
use backedge_ir::entity::Block;
use backedge_ir::inst::InstKind;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let decides = |kind: &InstKind| matches!(kind, InstKind::CondBr | InstKind::Switch);
    let branch = work.inst(|body, inst| decides(&body.inst(inst).kind))?;
    let block = work.body().block_of(branch)?;
    let targets: Vec<Block> = work.body().successors(block).to_vec();
    let target = work.one_of(&targets)?;
    if !branch_to(&mut work.editor, block, target) {
        return None;
    }
    if work.draw.chance(80) {
        remove_unreachable(&mut work.editor);
    }
    Some(())
}
