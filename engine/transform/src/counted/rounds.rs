//! A counter of the rounds of a loop.

use crate::split::new_phi;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Adds a counter of type `ty` of the rounds of the loop with that header, entered from `preheader` and closed by
/// `latch`. Returns the number of completed rounds, computed at `position`, in `latch`. The loop must end before the
/// number wraps.
pub(crate) fn count_rounds(
    editor: &mut Editor<'_>,
    preheader: Block,
    header: Block,
    latch: Block,
    position: Position,
    ty: Type,
) -> Value {
    let bits = ty.int_bits().unwrap_or(1);
    let counter = new_phi(editor, header, ty, &[], &[]);
    editor.set_name(counter, "round");
    let (zero, one) = (editor.int(Int::zero(bits)), editor.int(Int::one(bits)));
    let mut at = Builder::new(editor, position);
    let flags = BinaryFlags { nuw: true, ..BinaryFlags::default() };
    let next = at.binary(BinaryOp::Add, counter.into(), one, flags, "round.next");
    editor.add_incoming(counter, zero, preheader);
    editor.add_incoming(counter, next, latch);
    next
}
