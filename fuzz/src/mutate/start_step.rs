//! Changes the start value or the step of a header phi.

use super::work::Work;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstKind, Use, Value};
use backedge_ir::int::Int;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let header = graph.loops.header(l);
    let body = work.body();
    let phis: Vec<Inst> = body.phis(header).filter(|p| body.inst(*p).ty.is_int()).collect();
    let phi = work.one_of(&phis)?;
    let data = work.body().inst(phi).clone();
    let indices: Vec<usize> = (0..data.operands.len()).collect();
    let is_start = |i: &usize| !graph.loops.contains(l, data.blocks[*i]);
    let (starts, nexts): (Vec<usize>, Vec<usize>) = indices.into_iter().partition(is_start);
    if work.draw.bool() {
        let index = work.one_of(&starts)?;
        let before = work.body().terminator(data.blocks[index])?;
        let new = if work.draw.chance(60) { work.constant(data.ty)? } else { work.value(data.ty, before)? };
        let same = new == data.operands[index];
        return (!same).then(|| work.set_operand(Use { user: phi, index: index as u32 }, new));
    }
    let index = work.one_of(&nexts)?;
    let next = data.operands[index].as_inst()?;
    step(work, phi, next)
}

/// Changes the step of the phi.
fn step(work: &mut Work<'_, '_, '_>, phi: Inst, next: Inst) -> Option<()> {
    let data = work.body().inst(next).clone();
    let InstKind::Binary(op, flags) = data.kind else { return None };
    let index = data.operands.iter().position(|v| *v != Value::from(phi))?;
    let width = data.ty.int_bits()?;
    let by: [i128; 8] = [1, 2, 3, 64, -1, -2, 7, 0];
    match work.draw.below(10) {
        0 if op == BinaryOp::Add => work.editor.set_kind(next, InstKind::Binary(BinaryOp::Sub, flags)),
        0 if op == BinaryOp::Sub => work.editor.set_kind(next, InstKind::Binary(BinaryOp::Add, flags)),
        1..=7 => {
            let by = work.draw.pick(&by);
            let by = work.editor.int(Int::from_i128(width, by));
            if by == data.operands[index] {
                return None;
            }
            work.editor.set_operand(Use { user: next, index: index as u32 }, by);
        }
        _ => {
            let value = work.value(data.ty, next)?;
            work.editor.set_operand(Use { user: next, index: index as u32 }, value);
        }
    }
    Some(())
}
