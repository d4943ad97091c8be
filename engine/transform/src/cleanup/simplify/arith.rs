//! Identities of integer arithmetic and shifts.

use super::{Rules, Simple};
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::types::Type;

impl Rules<'_> {
    /// `a op b`; of commutative operations both orders are tried.
    pub(super) fn binary(
        self,
        ty: Type,
        op: BinaryOp,
        flags: BinaryFlags,
        a: Value,
        b: Value,
    ) -> Option<Simple> {
        if self.is_poison(a) || self.is_poison(b) {
            return Some(Simple::Poison(ty));
        }
        match op {
            BinaryOp::Add => self.add(ty, a, b),
            BinaryOp::Sub => self.sub(ty, flags, a, b),
            BinaryOp::Mul => self.mul(ty, a, b),
            BinaryOp::UDiv | BinaryOp::SDiv => self.div(ty, op, a, b),
            BinaryOp::URem | BinaryOp::SRem => self.rem(ty, op, a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.shift(ty, op, a, b),
            BinaryOp::And => self.and(ty, a, b),
            BinaryOp::Or => self.or(ty, a, b),
            BinaryOp::Xor => self.xor(ty, a, b),
        }
    }
    fn add(self, ty: Type, a: Value, b: Value) -> Option<Simple> {
        if self.is_zero(b) {
            return Some(a.into());
        }
        if self.is_complement(a, b) {
            return self.small(ty, -1);
        }
        // (x - b) + b, and (0 - b) + b.
        let (x, subtrahend, _) = self.operands_of(a, BinaryOp::Sub)?;
        (subtrahend == b).then_some(x.into())
    }
    fn sub(self, ty: Type, flags: BinaryFlags, a: Value, b: Value) -> Option<Simple> {
        if a == b {
            return self.small(ty, 0);
        }
        if self.is_zero(b) {
            return Some(a.into());
        }
        // 0 - b without unsigned wrap: b is 0.
        if flags.nuw && self.is_zero(a) {
            return self.small(ty, 0);
        }
        // (b + y) - b.
        if let Some((y, _)) = self.other_operand(a, BinaryOp::Add, b) {
            return Some(y.into());
        }
        // a - (a - y).
        let (x, y, _) = self.operands_of(b, BinaryOp::Sub)?;
        (x == a).then_some(y.into())
    }
    fn mul(self, ty: Type, a: Value, b: Value) -> Option<Simple> {
        if self.is_zero(b) {
            return self.small(ty, 0);
        }
        if self.is_one(b) {
            return Some(a.into());
        }
        // (x /exact b) * b.
        let exact = |op| self.operands_of(a, op).filter(|(_, y, flags)| *y == b && flags.exact);
        let (x, ..) = exact(BinaryOp::UDiv).or_else(|| exact(BinaryOp::SDiv))?;
        Some(x.into())
    }
    /// A division that is executed has a nonzero divisor that is neither poison nor undef.
    fn div(self, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simple> {
        if self.is_zero(b) {
            return Some(Simple::Poison(ty));
        }
        // An `i1` divisor is all ones; -1 / -1 overflows.
        if self.is_one(b) || self.env.types.scalar(ty) == Type::I1 {
            return Some(a.into());
        }
        if self.is_zero(a) {
            return self.small(ty, 0);
        }
        if a == b {
            return self.small(ty, 1);
        }
        let unsigned = op == BinaryOp::UDiv;
        // (x * b) / b, if the product did not wrap.
        if let Some((x, flags)) = self.other_operand(a, BinaryOp::Mul, b)
            && (unsigned && flags.nuw || !unsigned && flags.nsw)
        {
            return Some(x.into());
        }
        // (x % b) / b.
        let remainder = if unsigned { BinaryOp::URem } else { BinaryOp::SRem };
        let (_, divisor, _) = self.operands_of(a, remainder)?;
        if divisor == b { self.small(ty, 0) } else { None }
    }
    fn rem(self, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simple> {
        if self.is_zero(b) {
            return Some(Simple::Poison(ty));
        }
        let signed_one = op == BinaryOp::SRem && self.is_all_ones(b);
        if self.is_one(b) || signed_one || self.is_zero(a) || a == b {
            return self.small(ty, 0);
        }
        if self.env.types.scalar(ty) == Type::I1 {
            return self.small(ty, 0);
        }
        // (x * b) % b, if the product did not wrap.
        let unsigned = op == BinaryOp::URem;
        if let Some((_, flags)) = self.other_operand(a, BinaryOp::Mul, b)
            && (unsigned && flags.nuw || !unsigned && flags.nsw)
        {
            return self.small(ty, 0);
        }
        // (x % b) % b.
        let (_, divisor, _) = self.operands_of(a, op)?;
        (divisor == b).then_some(a.into())
    }
    fn shift(self, ty: Type, op: BinaryOp, a: Value, b: Value) -> Option<Simple> {
        if self.int(b).is_some_and(|amount| amount.bits() >= u128::from(amount.width())) {
            return Some(Simple::Poison(ty));
        }
        // For `i1`, any other amount is too large.
        if self.is_zero(b) || self.env.types.scalar(ty) == Type::I1 {
            return Some(a.into());
        }
        if self.is_zero(a) {
            return self.small(ty, 0);
        }
        if op == BinaryOp::AShr && self.is_all_ones(a) {
            return self.small(ty, -1);
        }
        // Shifts in both directions by the same amount cancel if no relevant bit was lost.
        let same_amount = |of| self.operands_of(a, of).filter(|(_, amount, _)| *amount == b);
        let (x, ..) = match op {
            BinaryOp::Shl => {
                same_amount(BinaryOp::LShr).or_else(|| same_amount(BinaryOp::AShr)).filter(|f| f.2.exact)
            }
            BinaryOp::LShr => same_amount(BinaryOp::Shl).filter(|f| f.2.nuw),
            _ => same_amount(BinaryOp::Shl).filter(|f| f.2.nsw),
        }?;
        Some(x.into())
    }
}
