//! Changes the bound in an exit test: one more or less, twice as much, a constant, or an argument.

use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, Use};
use backedge_ir::int::Int;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let l = work.any_loop()?;
    let graph = work.graph.clone();
    let body = work.body();
    let tests: Vec<Inst> = graph
        .loops
        .exiting_blocks(&graph.cfg, l)
        .into_iter()
        .filter_map(|b| body.inst(body.terminator(b)?).operands.first()?.as_inst())
        .filter(|i| matches!(body.inst(*i).kind, InstKind::ICmp { .. }))
        .collect();
    let test = work.one_of(&tests)?;
    let operands = work.body().inst(test).operands.clone();
    let invariant = |i: &usize| graph.loops.is_invariant(work.body(), l, operands[*i]);
    let index = (0..operands.len()).rev().find(invariant).unwrap_or(1);
    let old = operands[index];
    let width = work.body().ty(old).int_bits().filter(|w| *w <= backedge_ir::types::Type::MAX_INT_BITS)?;
    let new = match (work.draw.below(6), work.body().as_int(old)) {
        (0, Some(int)) => work.editor.int(int.add(Int::one(width))),
        (1, Some(int)) => work.editor.int(int.sub(Int::one(width))),
        (2, Some(int)) => work.editor.int(int.add(int)),
        (3, _) => {
            let count = work.draw.below(18);
            work.editor.int(Int::from_i128(width, count as i128))
        }
        (4 | 5, _) => work.value(work.body().ty(old), test)?,
        (by, None) => {
            let (op, by) = [(BinaryOp::Add, 1), (BinaryOp::Sub, 1), (BinaryOp::And, 7)][by % 3];
            let by = work.editor.int(Int::from_i128(width, by));
            let flags: BinaryFlags = work.flags(op);
            Builder::new(&mut work.editor, Position::Before(test)).binary(op, old, by, flags, "")
        }
        (_, Some(_)) => work.constant(work.body().ty(old))?,
    };
    (new != old).then(|| work.editor.set_operand(Use { user: test, index: index as u32 }, new))
}
