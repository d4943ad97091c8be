//! Logic, counting, bit permutation, width changes, min/max and absolute values of known bits.

use super::KnownBits;
use backedge_ir::int::Int;

impl KnownBits {
    fn either_empty(self, rhs: Self) -> bool {
        self.is_contradiction() || rhs.is_contradiction()
    }
    /// `and`. Optimal.
    #[must_use]
    pub fn and(self, rhs: Self) -> Self {
        if self.either_empty(rhs) {
            return Self::contradiction(self.width());
        }
        Self { zero: self.zero.or(rhs.zero), one: self.one.and(rhs.one) }
    }
    /// `or`. Optimal; with `disjoint`, no bit is set in both operands.
    #[must_use]
    pub fn or(self, rhs: Self, disjoint: bool) -> Self {
        let (mut a, mut b) = (self, rhs);
        if disjoint {
            a = Self::new(self.zero.or(rhs.one), self.one);
            b = Self::new(rhs.zero.or(self.one), rhs.one);
        }
        if a.either_empty(b) {
            return Self::contradiction(self.width());
        }
        Self { zero: a.zero.and(b.zero), one: a.one.or(b.one) }
    }
    /// `xor`. Optimal.
    #[must_use]
    pub fn xor(self, rhs: Self) -> Self {
        if self.either_empty(rhs) {
            return Self::contradiction(self.width());
        }
        let zero = self.zero.and(rhs.zero).or(self.one.and(rhs.one));
        Self { zero, one: self.zero.and(rhs.one).or(self.one.and(rhs.zero)) }
    }

    /// `trunc` to `width`; with `nuw` the lost bits are zero, with `nsw` they equal the result's sign bit.
    #[must_use]
    pub fn trunc(self, width: u32, nuw: bool, nsw: bool) -> Self {
        let lost = Int::low_ones(self.width(), width).not();
        let mut whole = self;
        if nuw {
            whole = Self::new(whole.zero.or(lost), whole.one);
        }
        if nsw {
            let high = Int::low_ones(self.width(), width - 1).not();
            let zero = Self::new(whole.zero.or(high), whole.one);
            whole = zero.join(Self::new(whole.zero, whole.one.or(high)));
        }
        if whole.is_contradiction() {
            return Self::contradiction(width);
        }
        Self { zero: whole.zero.trunc(width), one: whole.one.trunc(width) }
    }
    /// `zext` to `width`; with `nneg` the operand is not negative.
    #[must_use]
    pub fn zext(self, width: u32, nneg: bool) -> Self {
        let whole = if nneg { self.by_sign()[0] } else { self };
        if whole.is_contradiction() {
            return Self::contradiction(width);
        }
        let high = Int::low_ones(width, self.width()).not();
        Self { zero: whole.zero.zext(width).or(high), one: whole.one.zext(width) }
    }
    /// `sext` to `width`.
    #[must_use]
    pub fn sext(self, width: u32) -> Self {
        if self.is_contradiction() {
            return Self::contradiction(width);
        }
        Self { zero: self.zero.sext(width), one: self.one.sext(width) }
    }

    /// `llvm.umin`.
    #[must_use]
    pub fn umin(self, rhs: Self) -> Self {
        self.complement().umax(rhs.complement()).complement()
    }
    /// `llvm.umax`. Optimal: joins each operand, clamped to where it can be the larger one.
    #[must_use]
    pub fn umax(self, rhs: Self) -> Self {
        if self.either_empty(rhs) {
            return Self::contradiction(self.width());
        }
        let top = Int::all_ones(self.width());
        let a = self.clamp_unsigned(rhs.unsigned_min(), top);
        a.join(rhs.clamp_unsigned(self.unsigned_min(), top))
    }
    /// `llvm.smin`.
    #[must_use]
    pub fn smin(self, rhs: Self) -> Self {
        self.flip_sign().umin(rhs.flip_sign()).flip_sign()
    }
    /// `llvm.smax`.
    #[must_use]
    pub fn smax(self, rhs: Self) -> Self {
        self.flip_sign().umax(rhs.flip_sign()).flip_sign()
    }
    /// Inverts the sign bit, which turns signed order into unsigned order.
    fn flip_sign(self) -> Self {
        let sign = Int::signed_min(self.width());
        let swap = |mask: Int, other: Int| mask.and(sign.not()).or(other.and(sign));
        Self { zero: swap(self.zero, self.one), one: swap(self.one, self.zero) }
    }
    /// `llvm.abs`; with `smin_is_poison`, excludes the smallest signed value.
    #[must_use]
    pub fn abs(self, smin_is_poison: bool) -> Self {
        let width = self.width();
        let [positive, mut negative] = self.by_sign();
        if smin_is_poison {
            negative =
                negative.clamp_unsigned(Int::signed_min(width).add(Int::one(width)), Int::all_ones(width));
        }
        // The negation of a negative value is non-negative, unless the value is the signed minimum.
        let mut negated = negative.neg();
        if negative.is_contradiction() {
            negated = negative;
        } else if !negative.contains(Int::signed_min(width)) {
            negated = negated.by_sign()[0];
        }
        positive.join(negated)
    }

    /// `llvm.ctpop`.
    #[must_use]
    pub fn ctpop(self) -> Self {
        let (min, max) = (self.one.count_ones(), self.zero.not().count_ones());
        self.count(min, max)
    }
    /// `llvm.ctlz`; with `zero_is_poison`, excludes zero. Optimal.
    #[must_use]
    pub fn ctlz(self, zero_is_poison: bool) -> Self {
        self.bitreverse().cttz(zero_is_poison)
    }
    /// `llvm.cttz`; with `zero_is_poison`, excludes zero. Optimal: joins the positions of all possible lowest set bits.
    #[must_use]
    pub fn cttz(self, zero_is_poison: bool) -> Self {
        let width = self.width();
        let mut result = Self::contradiction(width);
        if self.is_contradiction() {
            return result;
        }
        let end = self.max_trailing_zeros();
        let number = |n: u32| Int::new(width, u128::from(n));
        let possible = self.zero.not();
        for bit in (0..width.min(end + 1)).filter(|bit| possible.bit(*bit)) {
            result = result.join_constant(number(bit));
        }
        if end == width && !zero_is_poison { result.join_constant(number(width)) } else { result }
    }
    fn count(self, min: u32, max: u32) -> Self {
        if self.is_contradiction() {
            return self;
        }
        // The counts fit every width: at width 1 the largest count is 1.
        let number = |n: u32| Int::new(self.width(), u128::from(n));
        Self::from_unsigned_range(number(min), number(max))
    }
    /// `llvm.bswap`; unknown for widths that the intrinsic does not support.
    #[must_use]
    pub fn bswap(self) -> Self {
        match (self.zero.bswap(), self.one.bswap()) {
            (Some(zero), Some(one)) => Self { zero, one },
            _ => Self::unknown(self.width()),
        }
    }
    /// `llvm.bitreverse`.
    #[must_use]
    pub fn bitreverse(self) -> Self {
        Self { zero: self.zero.bitreverse(), one: self.one.bitreverse() }
    }
}
