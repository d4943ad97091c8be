//! Sums, products and quotients.
//!
//! Flags of an instruction become facts of its expression only where [`super::facts`] proves that a violation would be
//! UB.

use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use crate::facts::Flags;
use backedge_analysis::values::facts_on_demand;
use backedge_ir::inst::{BinaryFlags, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;

impl ScalarEvolution<'_> {
    /// The expression of `value`, which is `op` applied to `operands`.
    pub(super) fn recognized_binary(
        &mut self,
        value: Value,
        op: BinaryOp,
        flags: BinaryFlags,
        operands: [Value; 2],
    ) -> Option<Expr> {
        let [l, r] = operands.map(|v| self.operand(v));
        let no_wrap = Flags::new(flags.nuw, flags.nsw);
        match op {
            BinaryOp::Add => Some(self.flagged_sum(value, l, r, no_wrap)),
            BinaryOp::Sub => Some(self.difference(value, l, r, no_wrap)),
            BinaryOp::Mul => Some(self.flagged_product(value, l, r, no_wrap)),
            BinaryOp::UDiv => Some(self.udiv(l, r)),
            BinaryOp::URem => Some(self.urem(l, r)),
            BinaryOp::SDiv => self.both_non_negative(operands, [l, r]).then(|| self.udiv(l, r)),
            BinaryOp::SRem => self.signed_remainder(operands, [l, r]),
            BinaryOp::Shl => self.recognized_shl(value, l, r, flags),
            BinaryOp::LShr => self.recognized_lshr(l, r),
            BinaryOp::AShr => self.recognized_ashr(operands, l, r),
            BinaryOp::And => self.recognized_and(operands, [l, r]),
            BinaryOp::Or => self.recognized_or(value, flags.disjoint, operands, [l, r]),
            BinaryOp::Xor => self.recognized_xor(operands, [l, r]),
        }
    }
    /// `l - r`. The absence of unsigned wrap in a subtraction implies nothing for the addition of the negated operand.
    pub(super) fn difference(&mut self, value: Value, l: Expr, r: Expr, flags: Flags) -> Expr {
        let negated = self.neg(r);
        let min = Int::signed_min(self.width(r));
        let keeps = flags.nsw() && !self.signed_range(r).contains(min);
        if keeps { self.flagged_sum(value, l, negated, Flags::NSW) } else { self.sub(l, r) }
    }
    fn signed_remainder(&mut self, operands: [Value; 2], [l, r]: [Expr; 2]) -> Option<Expr> {
        if self.both_non_negative(operands, [l, r]) {
            return Some(self.urem(l, r));
        }
        // The sign of the divisor does not affect the remainder.
        let divisor = self.as_constant(r).filter(|d| d.is_negative() && !d.is_smin())?;
        let positive = self.constant(divisor.neg());
        self.is_non_negative(operands[0], l).then(|| self.urem(l, positive))
    }
    fn both_non_negative(&mut self, values: [Value; 2], exprs: [Expr; 2]) -> bool {
        (0..2).all(|i| self.is_non_negative(values[i], exprs[i]))
    }
    /// Whether `value` is non-negative wherever it is computed and not poison.
    pub(super) fn is_non_negative(&mut self, value: Value, expr: Expr) -> bool {
        self.signed_range(expr).signed_min().is_some_and(|m| !m.is_negative())
            || facts_on_demand(self.at, value).is_some_and(|f| f.bits.is_non_negative())
    }

    /// The arithmetic result of an operation with overflow.
    pub(super) fn with_overflow(
        &mut self,
        value: Value,
        op: BinaryOp,
        signed: bool,
        operands: [Value; 2],
    ) -> Expr {
        let [l, r] = operands.map(|v| self.operand(v));
        let result = match op {
            BinaryOp::Sub => self.sub(l, r),
            BinaryOp::Mul => self.mul(&[l, r]),
            _ => self.add(&[l, r]),
        };
        self.learn_from_overflow(value, result, op, signed, [l, r]);
        result
    }

    /// `llvm.usub.sat`: `l - min(l, r)`.
    pub(super) fn saturating_sub(&mut self, l: Expr, r: Expr) -> Expr {
        let least = self.min_max(NAry::UMin, &[l, r]);
        self.sub(l, least)
    }
    /// `llvm.uadd.sat`: `min(l, -1 - r) + r`, which does not wrap.
    pub(super) fn saturating_add(&mut self, l: Expr, r: Expr) -> Expr {
        let room = self.not(r);
        let least = self.min_max(NAry::UMin, &[l, room]);
        self.add_flagged_here(&[least, r], Flags::NUW)
    }
}
