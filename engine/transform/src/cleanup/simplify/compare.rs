//! Integer comparisons with a constant result, and those that equal an operand.

use super::{Rules, Simple};
use backedge_analysis::range::{ConstantRange, exact_icmp_region};
use backedge_ir::inst::{InstKind, IntPredicate, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::CastOp;
use backedge_ir::types::Type;

impl Rules<'_> {
    pub(super) fn icmp(self, ty: Type, pred: IntPredicate, a: Value, b: Value) -> Option<Simple> {
        if self.is_poison(a) || self.is_poison(b) {
            return Some(Simple::Poison(ty));
        }
        if a == b {
            return Some(Simple::Int(ty, Int::bool(pred.holds(Int::zero(1), Int::zero(1)))));
        }
        match (self.int(a), self.int(b)) {
            (_, Some(c)) => self.icmp_with(ty, pred, a, c),
            (Some(c), _) => self.icmp_with(ty, pred.swapped(), b, c),
            _ => None,
        }
    }
    fn icmp_with(self, ty: Type, pred: IntPredicate, a: Value, c: Int) -> Option<Simple> {
        let region = exact_icmp_region(pred, c);
        if region.is_full() || region.is_empty() {
            return Some(Simple::Int(ty, Int::bool(region.is_full())));
        }
        if self.body.ty(a) == ty && self.is_truth(pred, c) {
            return Some(a.into());
        }
        let data = self.data(a)?;
        let (InstKind::Cast(op @ (CastOp::ZExt | CastOp::SExt), _), &[x]) =
            (&data.kind, data.operands.as_slice())
        else {
            return None;
        };
        let from = self.env.types.scalar(self.body.ty(x)).int_bits().filter(|w| *w < c.width())?;
        let all = ConstantRange::full(from);
        let possible = if *op == CastOp::ZExt { all.zext(c.width(), false) } else { all.sext(c.width()) };
        match possible.icmp(pred, ConstantRange::constant(c)) {
            Some(truth) => Some(Simple::Int(ty, Int::bool(truth))),
            // The comparison tests whether an extended `i1` is the extension of true, so it equals the `i1`.
            None if self.body.ty(x) == ty => {
                let extended = |truth: bool| match op {
                    CastOp::ZExt => Int::bool(truth).zext(c.width()),
                    _ => Int::bool(truth).sext(c.width()),
                };
                (pred.holds(extended(true), c) && !pred.holds(extended(false), c)).then_some(x.into())
            }
            None => None,
        }
    }
    /// Whether `pred c` of an `i1` equals the `i1`.
    fn is_truth(self, pred: IntPredicate, c: Int) -> bool {
        c.width() == 1 && pred.holds(Int::bool(true), c) && !pred.holds(Int::bool(false), c)
    }
}
