//! Divisions and loads that are safe in iterations that a data-dependent exit skips.

use super::Form;
use super::access::Access;
use backedge_analysis::alias::Aliasing;
use backedge_analysis::alias::object::{Object, dereferenceable_bytes, underlying_objects};
use backedge_analysis::alias::speculate::{may_be_freed_before, suppresses_speculation};
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_scev::{Expr, Node, ScalarEvolution};

/// Whether the divisor is a constant for which the division is always defined.
pub(super) fn divides_safely(scev: &ScalarEvolution<'_>, inst: Inst) -> bool {
    let data = scev.body().inst(inst);
    let InstKind::Binary(op, _) = data.kind else { return false };
    let Some(by) = data.operands.get(1).and_then(|v| scev.body().as_int(*v)) else { return false };
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    let overflows = signed && by.is_all_ones();
    !by.is_zero() && !overflows
}

/// Whether a load is dereferenceable in iterations 0 to `taken`, at the address it would have without wrapping.
pub(super) fn is_readable(scev: &mut ScalarEvolution<'_>, form: &Form, taken: Expr, access: &Access) -> bool {
    let Some((start, step)) = access.affine else { return false };
    let at = scev.at;
    let Some(place) = at.body.terminator(form.preheader) else { return false };
    let base = scev.pointer_base(start);
    let Node::Unknown(base) = scev.node(base) else { return false };
    let offset = scev.without_base(start);
    let Some(offset) = scev.as_constant(offset).and_then(|o| o.to_i64()) else { return false };
    let Ok(most) = i128::try_from(scev.unsigned_max(taken).bits()) else { return false };
    let Some(room) = readable_bytes_from(scev, form, base, place) else { return false };
    let walked = most.checked_mul(i128::from(step));
    let Some(last) = walked.and_then(|w| w.checked_add(offset.into())) else { return false };
    let (low, high) = (last.min(offset.into()), last.max(offset.into()));
    let inside = low >= 0 && high.checked_add(access.bytes.into()).is_some_and(|end| end <= room);
    let divides = |n: i64| n.unsigned_abs().is_multiple_of(access.align);
    let aligned = Aliasing::new(at).known_align(base, Some(place)) >= access.align
        && access.align.is_power_of_two()
        && divides(offset)
        && divides(step);
    inside && aligned
}

/// The number of bytes readable from `base` on, before and during the loop; nothing in the loop frees memory.
fn readable_bytes_from(scev: &ScalarEvolution<'_>, form: &Form, base: Value, place: Inst) -> Option<i128> {
    let at = scev.at;
    let objects = underlying_objects(at, base)?;
    let &[object] = objects.as_slice() else { return None };
    let is_base = match object {
        Object::Alloca(i) | Object::Fresh(i) => base == Value::Inst(i),
        Object::NoAlias(arg) | Object::Argument(arg) => base == Value::Arg(arg),
        Object::Escaped(v) => base == v,
        Object::Global(_) => base.as_const().is_some(),
        _ => false,
    };
    let bytes = dereferenceable_bytes(at, object);
    let defined = bytes > 0 && matches!(object, Object::Argument(_) | Object::NoAlias(_) | Object::Global(_))
        || is_guaranteed_defined(at, base, Some(place), Defined::NotUndef);
    let usable =
        is_base && defined && !suppresses_speculation(at) && !may_be_freed_before(at, base, form.preheader);
    usable.then(|| bytes.into())
}
