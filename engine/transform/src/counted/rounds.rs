//! A counter of the rounds of a loop.

use crate::split::new_phi;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// Adds a counter of rounds to the loop with that header, entered from `preheader` and closed by `latch`. Returns the
/// comparison `pred` of the number of completed rounds with `rounds`, which is at least one; it is computed at
/// `position`, in `latch`.
pub(crate) fn count_rounds(
    editor: &mut Editor<'_>,
    (preheader, header, latch): (Block, Block, Block),
    position: Position,
    pred: IntPredicate,
    rounds: Value,
) -> Value {
    let ty = editor.body().ty(rounds);
    let bits = ty.int_bits().unwrap_or(1);
    let counter = new_phi(editor, header, ty, &[], &[]);
    editor.set_name(counter, "round");
    let (zero, one) = (editor.int(Int::zero(bits)), editor.int(Int::one(bits)));
    let mut at = Builder::new(editor, position);
    // It counts up to `rounds`, so it does not wrap.
    let flags = BinaryFlags { nuw: true, ..BinaryFlags::default() };
    let next = at.binary(BinaryOp::Add, counter.into(), one, flags, "round.next");
    let end = at.icmp(pred, next, rounds, "round.end");
    editor.add_incoming(counter, zero, preheader);
    editor.add_incoming(counter, next, latch);
    end
}
