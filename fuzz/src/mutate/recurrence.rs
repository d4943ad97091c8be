//! Adds a recurrence to a loop: a header phi that an operation steps, with a use.

use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryOp, FastMath, InstData, InstKind, Use, Value};
use backedge_ir::types::Type;

const STEPS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::Xor,
    BinaryOp::And,
    BinaryOp::Or,
];

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let header = graph.loops.header(l);
    let ty = ty(work, header)?;
    let mut incoming: Vec<(Value, Block)> = Vec::new();
    for &pred in graph.cfg.preds(header) {
        let known = incoming.iter().find(|(_, b)| *b == pred).map(|(v, _)| *v);
        let end = work.body().terminator(pred)?;
        let start = match known {
            Some(value) => value,
            None => work.value(ty, end)?,
        };
        incoming.push((start, pred));
    }
    let (values, blocks): (Vec<_>, Vec<_>) = incoming.iter().copied().unzip();
    let data = InstData::new(InstKind::Phi(FastMath::NONE), ty, values, blocks);
    let phi = work.editor.insert(Position::AfterPhis(header), data);
    let first = work.body().first_non_phi(header)?;
    let op = work.draw.pick(&STEPS);
    let by = if work.draw.bool() { work.constant(ty)? } else { work.value(ty, first)? };
    let flags = work.flags(op);
    let operands = if work.draw.chance(80) { [phi.into(), by] } else { [by, phi.into()] };
    let next = Builder::new(&mut work.editor, Position::Before(first)).binary(
        op,
        operands[0],
        operands[1],
        flags,
        "",
    );
    for (index, (_, from)) in incoming.iter().enumerate() {
        if graph.loops.contains(l, *from) {
            work.editor.set_operand(Use { user: phi, index: index as u32 }, next);
        }
    }
    let used = if work.draw.bool() { phi.into() } else { next };
    work.create_use(used)
}

/// The type of one of the header's phis, or another integer type.
fn ty(work: &mut Work<'_, '_, '_>, header: Block) -> Option<Type> {
    let body = work.body();
    let is_plain = |ty: &Type| ty.int_bits().is_some_and(|b| b <= Type::MAX_INT_BITS);
    let phis: Vec<Inst> = body.phis(header).collect();
    let types: Vec<Type> = phis.iter().map(|p| body.inst(*p).ty).filter(is_plain).collect();
    work.one_of(&types).or_else(|| Some(Type::int(work.draw.pick(&[8, 4, 32, 64, 1]))))
}
