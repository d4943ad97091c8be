//! Logic and shift operations as arithmetic.

use super::operation::binary_of;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use crate::facts::Flags;
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::values::facts_on_demand;
use backedge_ir::inst::{BinaryFlags, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;

impl ScalarEvolution<'_> {
    /// The amount of a shift, if it is a constant below the width.
    fn amount(&self, r: Expr) -> Option<u32> {
        let amount = self.as_constant(r)?;
        (amount.bits() < u128::from(amount.width())).then_some(amount.bits() as u32)
    }
    fn power_of_two(&mut self, width: u32, exponent: u32) -> Expr {
        self.constant(Int::new(width, 1 << exponent))
    }
    pub(super) fn recognized_shl(
        &mut self,
        value: Value,
        l: Expr,
        r: Expr,
        flags: BinaryFlags,
    ) -> Option<Expr> {
        let amount = self.amount(r)?;
        let width = self.width(l);
        let factor = self.power_of_two(width, amount);
        // As signed, the factor of a shift into the sign bit is negative.
        let nsw = flags.nsw && (amount < width - 1 || flags.nuw && width > 1);
        Some(self.flagged_product(value, l, factor, Flags::new(flags.nuw, nsw)))
    }
    pub(super) fn recognized_lshr(&mut self, l: Expr, r: Expr) -> Option<Expr> {
        let amount = self.amount(r)?;
        let divisor = self.power_of_two(self.width(l), amount);
        Some(self.udiv(l, divisor))
    }
    pub(super) fn recognized_ashr(&mut self, operands: [Value; 2], l: Expr, r: Expr) -> Option<Expr> {
        let amount = self.amount(r)?;
        if amount == 0 {
            return Some(l);
        }
        if self.is_non_negative(operands[0], l) {
            return self.recognized_lshr(l, r);
        }
        self.sign_extended_field(operands[0], amount)
    }
    /// `ashr (x << n), m` for n >= m: the low bits of x, sign-extended, and shifted left by the difference. Also with a
    /// constant added to `x << n`.
    fn sign_extended_field(&mut self, shifted: Value, right: u32) -> Option<Expr> {
        let body = self.at.body;
        let (mut op, _, mut operands) = binary_of(body, shifted)?;
        let mut added = None;
        if op == BinaryOp::Add {
            added = body.as_int(operands[1]);
            added?;
            (op, _, operands) = binary_of(body, operands[0])?;
        }
        let factor = body.as_int(operands[1])?;
        let width = factor.width();
        let left = match op {
            BinaryOp::Shl if factor.bits() < width.into() => factor.bits() as u32,
            BinaryOp::Mul => factor.exact_log2()?,
            _ => return None,
        };
        if left < right || left == 0 || added.is_some_and(|a| a.trailing_zeros() < left) {
            return None;
        }
        let low = width - left;
        let x = self.found(operands[0])?;
        let mut field = self.trunc(x, low);
        if let Some(added) = added {
            let added = self.constant(added.extract(left, low));
            field = self.add(&[field, added]);
        }
        let field = self.sext(field, width);
        if left == right {
            return Some(field);
        }
        let factor = self.power_of_two(width, left - right);
        // |field| is at most 2^(low - 1), and low + left - right <= width.
        let flags = if left - right < width - 1 { Flags::NSW } else { Flags::NONE };
        Some(self.mul_flagged(&[field, factor], flags))
    }
    pub(super) fn recognized_and(&mut self, operands: [Value; 2], [l, r]: [Expr; 2]) -> Option<Expr> {
        if l == r {
            return Some(l);
        }
        if self.width(l) == 1 {
            return Some(self.min_max(NAry::UMin, &[l, r]));
        }
        match (self.as_constant(l), self.as_constant(r)) {
            (_, Some(mask)) => self.masked(Some(operands[0]), l, mask),
            (Some(mask), _) => self.masked(Some(operands[1]), r, mask),
            _ => None,
        }
    }
    /// `expr & mask` for a mask whose set bits are contiguous, apart from bits that are known to be zero in the
    /// expression or in `value`.
    pub(super) fn masked(&mut self, value: Option<Value>, expr: Expr, mask: Int) -> Option<Expr> {
        let width = mask.width();
        if mask.is_zero() {
            return Some(self.constant(mask));
        }
        if mask.is_all_ones() {
            return Some(expr);
        }
        let clear = bits_of(self, value, expr).zero;
        let (mut leading, mut trailing) = (mask.leading_zeros(), mask.trailing_zeros());
        let field = Int::low_ones(width, width - leading).and(Int::low_ones(width, trailing).not());
        if !field.and(mask.not()).and(clear.not()).is_zero() {
            return None;
        }
        // Bits that are already zero need not be cleared.
        if clear.leading_ones() >= leading {
            leading = 0;
        }
        if clear.trailing_ones() >= trailing {
            trailing = 0;
        }
        Some(self.cleared(expr, leading, trailing))
    }
    /// `expr` with the given numbers of leading and trailing bits cleared.
    fn cleared(&mut self, expr: Expr, leading: u32, trailing: u32) -> Expr {
        let width = self.width(expr);
        let factor = self.power_of_two(width, trailing);
        let mut low = if trailing == 0 { expr } else { self.udiv(expr, factor) };
        if leading > 0 {
            low = self.trunc(low, width - leading - trailing);
            low = self.zext(low, width);
        }
        if trailing == 0 {
            low
        } else if leading > 0 {
            self.mul_flagged(&[low, factor], Flags::NUW)
        } else {
            // Facts of the current context may have simplified the quotient.
            self.mul_flagged_here(&[low, factor], Flags::NUW)
        }
    }

    pub(super) fn recognized_or(
        &mut self,
        value: Value,
        disjoint: bool,
        operands: [Value; 2],
        [l, r]: [Expr; 2],
    ) -> Option<Expr> {
        if l == r {
            return Some(l);
        }
        if self.width(l) == 1 {
            return Some(self.min_max(NAry::UMax, &[l, r]));
        }
        if disjoint {
            return Some(self.flagged_sum(value, l, r, Flags::BOTH));
        }
        // A proof from the expressions and their facts here makes no-wrap a fact of the sum.
        if self.are_disjoint(l, r) {
            return Some(self.add_flagged_here(&[l, r], Flags::BOTH));
        }
        let [a, b] = [(operands[0], l), (operands[1], r)].map(|(v, e)| known_bits(self, v, e));
        if a.zero.or(b.zero).is_all_ones() {
            return Some(self.add(&[l, r]));
        }
        // All bits that may be set in one operand are set in the other.
        let covers = |a: KnownBits, b: KnownBits| a.one.or(b.zero).is_all_ones();
        if covers(a, b) {
            return Some(l);
        }
        covers(b, a).then_some(r)
    }
    /// Whether one operand is a multiple of a power of two that exceeds the other.
    fn are_disjoint(&mut self, l: Expr, r: Expr) -> bool {
        [(l, r), (r, l)].into_iter().any(|(high, low)| {
            let zeros = self.trailing_zeros(high);
            zeros > 0
                && self
                    .unsigned_range(low)
                    .unsigned_max()
                    .is_some_and(|m| m.width() - m.leading_zeros() <= zeros)
        })
    }

    pub(super) fn recognized_xor(&mut self, operands: [Value; 2], [l, r]: [Expr; 2]) -> Option<Expr> {
        let width = self.width(l);
        if l == r {
            return Some(self.int(width, 0));
        }
        if width == 1 {
            return Some(self.add(&[l, r]));
        }
        let (value, expr, mask) = match (self.as_constant(l), self.as_constant(r)) {
            (_, Some(mask)) => (operands[0], l, mask),
            (Some(mask), _) => (operands[1], r, mask),
            _ => {
                let disjoint = self.are_disjoint(l, r);
                return disjoint.then(|| self.add_flagged_here(&[l, r], Flags::BOTH));
            }
        };
        if mask.is_zero() {
            return Some(expr);
        }
        if mask.is_all_ones() {
            return Some(self.not(expr));
        }
        // Inverting the sign bit is adding it.
        if mask.is_smin() {
            let mask = self.constant(mask);
            return Some(self.add(&[expr, mask]));
        }
        let known = known_bits(self, value, expr);
        if mask.and(known.zero.not()).is_zero() {
            let mask = self.constant(mask);
            return Some(self.add(&[expr, mask]));
        }
        if mask.and(known.one.not()).is_zero() {
            let mask = self.constant(mask.neg());
            return Some(self.add(&[expr, mask]));
        }
        // All bits that may be set are inverted, so the value is at most the mask.
        if mask.not().and(known.zero.not()).is_zero() {
            let mask = self.constant(mask);
            return Some(self.sub(mask, expr));
        }
        None
    }
}

/// The known bits of `value`, wherever it is computed and not poison.
pub(super) fn known_bits(s: &mut ScalarEvolution<'_>, value: Value, expr: Expr) -> KnownBits {
    bits_of(s, Some(value), expr)
}
fn bits_of(s: &mut ScalarEvolution<'_>, value: Option<Value>, expr: Expr) -> KnownBits {
    let width = s.width(expr);
    let of_value = value.and_then(|v| facts_on_demand(s.at, v)).map_or(KnownBits::unknown(width), |f| f.bits);
    let zeros = s.trailing_zeros(expr).min(width);
    let of_expr = s.unsigned_range(expr).known_bits();
    of_value.meet(of_expr).meet(KnownBits::with_trailing_zeros(width, zeros))
}
