//! Adds a case to a switch, or replaces a branch on an integer comparison with a switch on the compared value.

use super::work::Work;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let is_branch = |kind: &InstKind| matches!(kind, InstKind::CondBr | InstKind::Switch);
    let branch = work.inst(|body, inst| is_branch(&body.inst(inst).kind))?;
    let block = work.body().block_of(branch)?;
    let data = work.body().inst(branch).clone();
    if data.kind == InstKind::Switch {
        return add_case(work, block, data);
    }
    let test: Inst = data.operands[0].as_inst()?;
    if !matches!(work.body().inst(test).kind, InstKind::ICmp { .. }) {
        return None;
    }
    let operands = work.body().inst(test).operands.clone();
    let ty = work.body().ty(operands[0]);
    ty.int_bits().filter(|b| *b <= Type::MAX_INT_BITS)?;
    let case = if work.body().as_int(operands[1]).is_some() { operands[1] } else { work.constant(ty)? };
    // The case leads to the successor for a true comparison, the default to the other one.
    let switch = InstData {
        kind: InstKind::Switch,
        operands: [operands[0], case].into_iter().collect(),
        blocks: [data.blocks[1], data.blocks[0]].into_iter().collect(),
        ..data
    };
    work.editor.set_terminator(block, switch.clone());
    if work.draw.bool() { add_case(work, block, switch) } else { Some(()) }
}

/// Adds a case whose target is a nearby block.
fn add_case(work: &mut Work<'_, '_, '_>, block: Block, mut data: InstData) -> Option<()> {
    let graph = work.graph.clone();
    let case: Value = work.constant(work.body().ty(data.operands[0]))?;
    if data.operands[1..].contains(&case) {
        return None;
    }
    let mut targets: Vec<Block> = data.blocks.to_vec();
    for at in data.blocks.iter() {
        targets.extend(graph.cfg.succs(*at));
    }
    targets.retain(|b| work.may_be_target(*b));
    let target = work.one_of(&targets)?;
    data.operands.push(case);
    data.blocks.push(target);
    work.editor.set_terminator(block, data);
    work.refresh();
    work.add_to_phis(target, block)
}
