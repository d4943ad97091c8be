//! Sums, products and quotients of known bits, with `nuw`, `nsw` and `exact`; saturating arithmetic.
//!
//! Addition and subtraction without flags are optimal. Signed operations are split by the signs of the operands,
//! computed on magnitudes, and joined.

use super::KnownBits;
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;

/// The sum of both operands and a carry-in, which is `carry` if known.
fn sum(a: KnownBits, b: KnownBits, carry: Option<bool>) -> KnownBits {
    let bit = |set: bool| Int::new(a.width(), u128::from(set));
    // Compare the largest and the smallest sum: a carry into a bit is known if both agree on it.
    let max = a.zero.not().add(b.zero.not()).add(bit(carry != Some(false)));
    let min = a.one.add(b.one).add(bit(carry == Some(true)));
    let carry_zero = max.xor(a.zero).xor(b.zero).not();
    let carry_one = min.xor(a.one).xor(b.one);
    let known = a.known().and(b.known()).and(carry_zero.or(carry_one));
    KnownBits { zero: max.not().and(known), one: min.and(known) }
}

impl KnownBits {
    /// `op` with its flags. A violated flag yields poison, so such results are excluded.
    #[must_use]
    pub fn binary(op: BinaryOp, flags: BinaryFlags, a: Self, b: Self) -> Self {
        if a.is_contradiction() || b.is_contradiction() {
            return Self::contradiction(a.width());
        }
        match op {
            BinaryOp::Add => a.add(b, flags.nuw, flags.nsw),
            BinaryOp::Sub => a.sub(b, flags.nuw, flags.nsw),
            BinaryOp::Mul => a.mul(b, flags.nuw, flags.nsw),
            BinaryOp::UDiv => a.udiv(b, flags.exact),
            BinaryOp::SDiv => a.sdiv(b, flags.exact),
            BinaryOp::URem => a.urem(b),
            BinaryOp::SRem => a.srem(b),
            BinaryOp::Shl => a.shl(b, flags.nuw, flags.nsw),
            BinaryOp::LShr => a.lshr(b, flags.exact),
            BinaryOp::AShr => a.ashr(b, flags.exact),
            BinaryOp::And => a.and(b),
            BinaryOp::Or => a.or(b, flags.disjoint),
            BinaryOp::Xor => a.xor(b),
        }
    }

    /// `add`.
    #[must_use]
    pub fn add(self, rhs: Self, nuw: bool, nsw: bool) -> Self {
        if self.is_contradiction() || rhs.is_contradiction() {
            return Self::contradiction(self.width());
        }
        let mut result = sum(self, rhs, Some(false));
        if nuw {
            if self.one.add_overflows_unsigned(rhs.one) {
                return Self::contradiction(self.width());
            }
            let max = self.unsigned_max().uadd_sat(rhs.unsigned_max());
            result = result.clamp_unsigned(self.one.add(rhs.one), max);
        }
        if nsw {
            let min = self.signed_min().sadd_sat(rhs.signed_min());
            let max = self.signed_max().sadd_sat(rhs.signed_max());
            result = result.clamp_signed(min, max);
        }
        result
    }

    /// `sub`.
    #[must_use]
    pub fn sub(self, rhs: Self, nuw: bool, nsw: bool) -> Self {
        if self.is_contradiction() || rhs.is_contradiction() {
            return Self::contradiction(self.width());
        }
        let mut result = sum(self, rhs.complement(), Some(true));
        if nuw {
            let (max, subtrahend) = (self.unsigned_max(), rhs.unsigned_min());
            if max.ult(subtrahend) {
                return Self::contradiction(self.width());
            }
            let min = self.unsigned_min().usub_sat(rhs.unsigned_max());
            result = result.clamp_unsigned(min, max.sub(subtrahend));
        }
        if nsw {
            let min = self.signed_min().ssub_sat(rhs.signed_max());
            let max = self.signed_max().ssub_sat(rhs.signed_min());
            result = result.clamp_signed(min, max);
        }
        result
    }

    /// `sub 0, self`.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "a call names what it does to integers, as in `Int`")]
    pub fn neg(self) -> Self {
        Self::constant(Int::zero(self.width())).sub(self, false, false)
    }

    /// `mul`.
    #[must_use]
    pub fn mul(self, rhs: Self, nuw: bool, nsw: bool) -> Self {
        if self.is_contradiction() || rhs.is_contradiction() {
            return Self::contradiction(self.width());
        }
        let mut result = self.partial_products(rhs).meet(self.low_product(rhs));
        let (min, max) = (product(self.one, rhs.one), product(self.unsigned_max(), rhs.unsigned_max()));
        match (min, max) {
            (Some(min), Some(max)) => result = result.clamp_unsigned(min, max),
            (Some(min), None) if nuw => result = result.clamp_unsigned(min, Int::all_ones(self.width())),
            (None, _) if nuw => return Self::contradiction(self.width()),
            _ => {}
        }
        if nsw { result.meet(self.mul_nsw_bounds(rhs)) } else { result }
    }
    /// The sum of the shifted copies of `rhs`.
    fn partial_products(self, rhs: Self) -> Self {
        let width = self.width();
        let mut unsure = Self::constant(Int::zero(width));
        let (maybe, free) = (self.zero.not(), self.known().not());
        let (mut shifted_one, mut shifted_maybe) = (rhs.one.bits(), rhs.zero.not().bits());
        for i in 0..width - maybe.leading_zeros() {
            if maybe.bit(i) {
                // A known 1 certainly adds the known part of `rhs`; that part is added at the end.
                let varies = if free.bit(i) { shifted_maybe } else { shifted_maybe & !shifted_one };
                let zero = Int::new(width, !varies);
                unsure = sum(unsure, Self { zero, one: Int::zero(width) }, Some(false));
            }
            (shifted_one, shifted_maybe) = (shifted_one << 1, shifted_maybe << 1);
        }
        sum(Self::constant(self.one.mul(rhs.one)), unsure, Some(false))
    }
    /// The low bits of the product, from the known low bits of both operands without a gap.
    fn low_product(self, rhs: Self) -> Self {
        let width = self.width();
        let (za, zb) = (self.min_trailing_zeros(), rhs.min_trailing_zeros());
        let (ka, kb) = (self.known().trailing_ones(), rhs.known().trailing_ones());
        let known = (ka - za).min(kb - zb) + za + zb;
        let low = Int::low_ones(width, known);
        let value = self.one.mul(rhs.one);
        Self { zero: value.not().and(low), one: value.and(low) }
    }
    /// Bounds from signs and magnitudes, if the exact product fits the signed type.
    fn mul_nsw_bounds(self, rhs: Self) -> Self {
        let width = self.width();
        let mut result = Self::contradiction(width);
        for (a, a_negative) in self.by_sign().into_iter().zip([false, true]) {
            for (b, b_negative) in rhs.by_sign().into_iter().zip([false, true]) {
                if a.is_contradiction() || b.is_contradiction() {
                    continue;
                }
                let (a, b) = (magnitudes(a, a_negative), magnitudes(b, b_negative));
                let negative = a_negative != b_negative;
                let most = if negative { Int::signed_min(width) } else { Int::signed_max(width) };
                let Some(min) = product(a.0, b.0).filter(|p| p.ule(most)) else { continue };
                let max = product(a.1, b.1).unwrap_or(most).umin(most);
                result = result.join(signed_interval(min, max, negative));
            }
        }
        result
    }

    /// `udiv`; excludes division by zero.
    #[must_use]
    pub fn udiv(self, rhs: Self, exact: bool) -> Self {
        if self.is_contradiction() || rhs.is_contradiction() {
            return Self::contradiction(self.width());
        }
        let one = Int::one(self.width());
        let min = self.unsigned_min().udiv(rhs.unsigned_max());
        let max = self.unsigned_max().udiv(rhs.unsigned_min().umax(one));
        let (Some(min), Some(max)) = (min, max) else { return Self::contradiction(self.width()) };
        let result = Self::from_unsigned_range(min, max);
        if exact { result.meet(self.exact_quotient(rhs)) } else { result }
    }
    /// The low bits of an exact quotient: the dividend has the trailing zeros of quotient and divisor together.
    fn exact_quotient(self, rhs: Self) -> Self {
        let width = self.width();
        let mut result = Self::unknown(width);
        let surely = self.min_trailing_zeros().saturating_sub(rhs.max_trailing_zeros());
        result.zero = Int::low_ones(width, surely);
        let (least, most) = (self.min_trailing_zeros(), self.max_trailing_zeros());
        if most < width && most < rhs.min_trailing_zeros() {
            return Self::contradiction(width);
        }
        if least == most && rhs.min_trailing_zeros() == rhs.max_trailing_zeros() && most < width {
            result.one = Int::new(width, 1u128.checked_shl(surely).unwrap_or(0));
        }
        result.normal()
    }

    /// `sdiv`; excludes UB cases.
    #[must_use]
    pub fn sdiv(self, rhs: Self, exact: bool) -> Self {
        let width = self.width();
        let mut result = Self::contradiction(width);
        for (a, a_negative) in self.by_sign().into_iter().zip([false, true]) {
            for (b, b_negative) in rhs.by_sign().into_iter().zip([false, true]) {
                if a.is_contradiction() || b.is_contradiction() {
                    continue;
                }
                let ((a_min, a_max), (b_min, b_max)) = (magnitudes(a, a_negative), magnitudes(b, b_negative));
                let most =
                    if a_negative == b_negative { Int::signed_max(width) } else { Int::signed_min(width) };
                let (min, max) = (a_min.udiv(b_max), a_max.udiv(b_min.umax(Int::one(width))));
                let (Some(min), Some(max)) = (min, max) else { continue };
                if min.ule(most) {
                    result = result.join(signed_interval(min, max.umin(most), a_negative != b_negative));
                }
            }
        }
        if exact { result.meet(self.exact_quotient(rhs)) } else { result }
    }

    /// `urem`; excludes division by zero.
    #[must_use]
    pub fn urem(self, rhs: Self) -> Self {
        let width = self.width();
        if self.is_contradiction() || rhs.is_contradiction() || rhs.unsigned_max().is_zero() {
            return Self::contradiction(width);
        }
        if self.unsigned_max().ult(rhs.unsigned_min()) {
            return self;
        }
        let most = self.unsigned_max().umin(rhs.unsigned_max().sub(Int::one(width)));
        let mut result = self.low_remainder(rhs).meet(Self::from_unsigned_range(Int::zero(width), most));
        if let Some(divisor) = rhs.as_constant() {
            let (min, max) = (self.unsigned_min(), self.unsigned_max());
            if let (Some(low), Some(high)) = (min.urem(divisor), max.urem(divisor))
                && min.udiv(divisor) == max.udiv(divisor)
            {
                result = result.clamp_unsigned(low, high);
            }
        }
        result
    }
    /// The remainder has the dividend's bits below the divisor's trailing zeros.
    fn low_remainder(self, rhs: Self) -> Self {
        let low = Int::low_ones(self.width(), rhs.min_trailing_zeros());
        Self { zero: self.zero.and(low), one: self.one.and(low) }
    }

    /// `srem`; excludes UB cases. The remainder has the sign of the dividend.
    #[must_use]
    pub fn srem(self, rhs: Self) -> Self {
        let mut result = Self::contradiction(self.width());
        for (a, a_negative) in self.by_sign().into_iter().zip([false, true]) {
            for (b, b_negative) in rhs.by_sign().into_iter().zip([false, true]) {
                if a.is_contradiction() || b.is_contradiction() {
                    continue;
                }
                let (b, a) = (if b_negative { b.neg() } else { b }, if a_negative { a.neg() } else { a });
                let rest = a.urem(b);
                result = result.join(if a_negative { rest.neg() } else { rest });
            }
        }
        let dividend_small = Self { zero: self.zero, one: self.one };
        result.meet(dividend_small.low_remainder(rhs))
    }

    /// `llvm.uadd.sat`.
    #[must_use]
    pub fn uadd_sat(self, rhs: Self) -> Self {
        let fits = self.add(rhs, true, false);
        let overflows = self.unsigned_max().add_overflows_unsigned(rhs.unsigned_max());
        if overflows { fits.join_constant(Int::all_ones(self.width())) } else { fits }
    }
    /// `llvm.usub.sat`.
    #[must_use]
    pub fn usub_sat(self, rhs: Self) -> Self {
        let fits = self.sub(rhs, true, false);
        if self.unsigned_min().ult(rhs.unsigned_max()) {
            fits.join_constant(Int::zero(self.width()))
        } else {
            fits
        }
    }
    /// `llvm.sadd.sat`.
    #[must_use]
    pub fn sadd_sat(self, rhs: Self) -> Self {
        let fits = |a: Self| a.add(rhs, false, true);
        self.saturate(fits, |a| {
            let bound = if a.is_negative() { rhs.signed_min() } else { rhs.signed_max() };
            a.is_negative() == bound.is_negative() && a.extreme().add_overflows_signed(bound)
        })
    }
    /// `llvm.ssub.sat`.
    #[must_use]
    pub fn ssub_sat(self, rhs: Self) -> Self {
        let fits = |a: Self| a.sub(rhs, false, true);
        self.saturate(fits, |a| {
            let bound = if a.is_negative() { rhs.signed_max() } else { rhs.signed_min() };
            a.extreme().sub_overflows_signed(bound)
        })
    }
    /// The member furthest from zero, for a set of one sign.
    fn extreme(self) -> Int {
        if self.is_negative() { self.signed_min() } else { self.signed_max() }
    }
    /// The joined result: `fits` where no overflow occurs, and the bound on the side of the first operand where it may.
    fn saturate(self, fits: impl Fn(Self) -> Self, may_overflow: impl Fn(Self) -> bool) -> Self {
        let width = self.width();
        let mut result = Self::contradiction(width);
        for part in self.by_sign().into_iter().filter(|p| !p.is_contradiction()) {
            result = result.join(fits(part));
            if may_overflow(part) {
                let bound = if part.is_negative() { Int::signed_min(width) } else { Int::signed_max(width) };
                result = result.join_constant(bound);
            }
        }
        result
    }
    pub(super) fn join_constant(self, value: Int) -> Self {
        self.join(Self::constant(value))
    }
}

/// The unsigned product, if it does not overflow.
fn product(a: Int, b: Int) -> Option<Int> {
    (!a.mul_overflows_unsigned(b)).then(|| a.mul(b))
}

/// The smallest and largest absolute values, as unsigned, of a set of one sign.
fn magnitudes(a: KnownBits, negative: bool) -> (Int, Int) {
    if negative {
        (a.unsigned_max().neg(), a.unsigned_min().neg())
    } else {
        (a.unsigned_min(), a.unsigned_max())
    }
}

/// Known bits of the values with absolute value in `[min, max]` and one sign (or zero).
fn signed_interval(min: Int, max: Int, negative: bool) -> KnownBits {
    if !negative {
        return KnownBits::from_unsigned_range(min, max);
    }
    if min.is_zero() {
        let zero = KnownBits::constant(min);
        return if max.is_zero() {
            zero
        } else {
            zero.join(KnownBits::from_unsigned_range(max.neg(), Int::all_ones(min.width())))
        };
    }
    KnownBits::from_unsigned_range(max.neg(), min.neg())
}
