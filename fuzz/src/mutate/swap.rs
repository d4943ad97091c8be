//! Swaps two operands: of an arithmetic operation or comparison, the arms of a select, or two incoming values of a
//! phi.

use super::work::Work;
use backedge_ir::inst::{InstKind, Use, Value};

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let may_swap = |kind: &InstKind, operands: usize| match kind {
        InstKind::Binary(..) | InstKind::FloatBinary(..) | InstKind::ICmp { .. } | InstKind::FCmp(..) => true,
        InstKind::Select(_) => true,
        InstKind::Phi(_) | InstKind::Call(_) => operands > 2,
        InstKind::Store(_) => false,
        _ => false,
    };
    let inst = work.inst(|body, inst| {
        let data = body.inst(inst);
        let phi = data.kind.is_phi() && data.operands.len() > 1;
        phi || may_swap(&data.kind, data.operands.len())
    })?;
    let data = work.body().inst(inst);
    let (from, to) = match &data.kind {
        InstKind::Select(_) => (1, 3),
        InstKind::Call(info) => (0, info.arg_count()),
        _ => (0, data.operands.len()),
    };
    let places: Vec<usize> = (from..to).collect();
    let (i, j) = (work.one_of(&places)?, work.one_of(&places)?);
    let (a, b): (Value, Value) = (work.body().inst(inst).operands[i], work.body().inst(inst).operands[j]);
    if a == b || work.body().ty(a) != work.body().ty(b) {
        return None;
    }
    // Sometimes preserves the meaning of the comparison.
    if let InstKind::ICmp { pred, samesign } = work.body().inst(inst).kind
        && work.draw.chance(30)
    {
        work.editor.set_kind(inst, InstKind::ICmp { pred: pred.swapped(), samesign });
    }
    work.set_operand(Use { user: inst, index: i as u32 }, b);
    work.set_operand(Use { user: inst, index: j as u32 }, a);
    Some(())
}
