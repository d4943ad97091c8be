//! Wraps some instructions of a block in a loop that a counter bounds.

use super::guard::stretch;
use super::work::Work;
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstData, InstKind, IntPredicate};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let (first, after) = stretch(work)?;
    let block = work.body().block_of(first)?;
    let ty = Type::int(work.draw.pick(&[8, 4, 32, 64, 3]));
    let width = ty.int_bits()?;
    let bound = if work.draw.chance(70) {
        let trips = work.draw.between(1, 5) as i128;
        work.editor.int(Int::from_i128(width, trips))
    } else {
        work.value(ty, first)?
    };
    let looped = work.editor.split_block(first, Some("again"));
    let rest = work.editor.split_block(after, Some("done"));
    let start = work.boundary(width);
    let start = if work.draw.chance(70) { Int::zero(width) } else { start };
    let (start, one) = (work.editor.int(start), work.editor.int(Int::one(width)));
    let mut builder = Builder::new(&mut work.editor, Position::Start(looped));
    let counter = builder.phi(ty, &[(start, block)], "");
    let phi = counter.as_inst()?;
    let flags = if work.draw.chance(60) { BinaryFlags::default() } else { work.flags(BinaryOp::Add) };
    let pred = work.draw.pick(&[IntPredicate::Ult, IntPredicate::Ne, IntPredicate::Slt, IntPredicate::Ule]);
    let mut builder = Builder::new(&mut work.editor, Position::BeforeTerminator(looped));
    let next = builder.binary(BinaryOp::Add, counter, one, flags, "");
    let goes_on = builder.icmp(pred, next, bound, "");
    work.editor.add_incoming(phi, next, looped);
    let data = InstData::new(InstKind::CondBr, Type::VOID, [goes_on], [looped, rest]);
    work.editor.set_terminator(looped, data);
    Some(())
}
