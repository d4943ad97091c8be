//! Inserts a new operation between a value and its use, or on two values: arithmetic, a minimum, a select, or a
//! division whose divisor may be zero.

use super::work::{Work, place_of};
use backedge_ir::builder::Builder;
use backedge_ir::editor::Position;
use backedge_ir::inst::{BinaryOp, Value};
use backedge_ir::types::Type;

pub(super) fn run(work: &mut Work<'_, '_, '_>) -> Option<()> {
    let is_plain = |ty: Type| ty.int_bits().is_some_and(|b| b <= Type::MAX_INT_BITS);
    let (use_, old) = work.operand(|body, _, value| is_plain(body.ty(value)))?;
    let before = place_of(work.body(), use_);
    let ty = work.body().ty(old);
    let other = work.value(ty, before)?;
    let new: Value = match work.draw.below(6) {
        0 => {
            let condition = work.condition(before)?;
            Builder::new(&mut work.editor, Position::Before(before)).select(condition, old, other, "")
        }
        1 | 2 => {
            let name = work.draw.pick(&["umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "ssub.sat"]);
            let name = format!("llvm.{name}.i{}", ty.int_bits()?);
            let fn_ty = work.env.types.function(ty, &[ty, ty], false);
            let func = work.env.declare_intrinsic(&name, fn_ty)?;
            work.call(func, &[old, other], before).into()
        }
        _ => {
            let op = work.draw.pick(BinaryOp::ALL);
            let flags = work.flags(op);
            let (left, right) = if work.draw.chance(75) { (old, other) } else { (other, old) };
            Builder::new(&mut work.editor, Position::Before(before)).binary(op, left, right, flags, "")
        }
    };
    work.set_operand(use_, new);
    Some(())
}
