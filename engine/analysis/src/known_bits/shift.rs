//! Shifts and funnel shifts of known bits: the join over the possible amounts, which is optimal.

use super::KnownBits;
use backedge_ir::int::Int;

impl KnownBits {
    /// The possible shift amounts of `self` below its width.
    fn amounts(self) -> impl Iterator<Item = u32> {
        let (width, most) = (self.width(), self.unsigned_max().bits());
        let first = self.unsigned_min().bits().min(u128::from(width)) as u32;
        let end = most.saturating_add(1).min(u128::from(width)) as u32;
        (first..end).filter(move |n| self.contains(Int::new(width, u128::from(*n))))
    }
    /// The join of `shift` over the possible amounts; amounts of at least the width yield poison and are excluded.
    fn over_amounts(self, amount: Self, shift: impl Fn(Self, u32) -> Self) -> Self {
        if self.is_contradiction() || amount.is_contradiction() {
            return Self::contradiction(self.width());
        }
        let mut result = Self::contradiction(self.width());
        for by in amount.amounts() {
            result = result.join(shift(self, by));
            if result.is_unknown() {
                break;
            }
        }
        result
    }

    /// `shl`.
    #[must_use]
    pub fn shl(self, amount: Self, nuw: bool, nsw: bool) -> Self {
        let width = self.width();
        self.over_amounts(amount, |a, by| {
            let high = |count| Int::low_ones(width, width - count).not();
            let mut a = a;
            if nuw {
                a = Self::new(a.zero.or(high(by)), a.one);
            }
            if nsw {
                let same = |sign: Self, set: bool| {
                    let bits = high(by + 1);
                    if set {
                        Self::new(sign.zero, sign.one.or(bits))
                    } else {
                        Self::new(sign.zero.or(bits), sign.one)
                    }
                };
                let [positive, negative] = a.by_sign();
                a = same(positive, false).join(same(negative, true));
                if a.is_contradiction() {
                    return a;
                }
            }
            if a.is_contradiction() { a } else { a.shl_by(by) }
        })
    }
    fn shl_by(self, by: u32) -> Self {
        let width = self.width();
        let zero = Int::new(width, self.zero.bits() << by).or(Int::low_ones(width, by));
        Self { zero, one: Int::new(width, self.one.bits() << by) }
    }

    /// `lshr`.
    #[must_use]
    pub fn lshr(self, amount: Self, exact: bool) -> Self {
        self.over_amounts(amount, |a, by| a.if_exact(exact, by, |a| a.lshr_by(by)))
    }
    fn lshr_by(self, by: u32) -> Self {
        let width = self.width();
        let high = Int::low_ones(width, width - by).not();
        Self {
            zero: Int::new(width, self.zero.bits() >> by).or(high),
            one: Int::new(width, self.one.bits() >> by),
        }
    }

    /// `ashr`.
    #[must_use]
    pub fn ashr(self, amount: Self, exact: bool) -> Self {
        let width = self.width();
        let shifted = |mask: Int, by: u32| Int::from_i128(width, mask.signed() >> by);
        self.over_amounts(amount, |a, by| {
            a.if_exact(exact, by, |a| Self { zero: shifted(a.zero, by), one: shifted(a.one, by) })
        })
    }
    /// Applies `shift` to the members that an exact shift by `by` permits: those whose low `by` bits are zero.
    fn if_exact(self, exact: bool, by: u32, shift: impl Fn(Self) -> Self) -> Self {
        let zero = if exact { self.zero.or(Int::low_ones(self.width(), by)) } else { self.zero };
        let a = Self::new(zero, self.one);
        if a.is_contradiction() { a } else { shift(a) }
    }

    /// `llvm.fshl`.
    #[must_use]
    pub fn fshl(self, low: Self, amount: Self) -> Self {
        self.funnel(low, amount, Int::fshl)
    }
    /// `llvm.fshr`.
    #[must_use]
    pub fn fshr(self, low: Self, amount: Self) -> Self {
        self.funnel(low, amount, Int::fshr)
    }
    /// Each result bit of a funnel shift is one bit of the operands, so the masks shift as the values do.
    fn funnel(self, low: Self, amount: Self, shift: impl Fn(Int, Int, Int) -> Int) -> Self {
        let width = self.width();
        if self.is_contradiction() || low.is_contradiction() || amount.is_contradiction() {
            return Self::contradiction(width);
        }
        let mut result = Self::contradiction(width);
        for by in 0..width {
            if amount.may_be_congruent(by) {
                let by = Int::new(width, u128::from(by));
                let zero = shift(self.zero, low.zero, by);
                result = result.join(Self { zero, one: shift(self.one, low.one, by) });
            }
        }
        result
    }
    /// Whether a member may be congruent to `rest` modulo the width. Exact for power-of-two widths; for other widths
    /// exact if the set is a single value or has only members below the width.
    fn may_be_congruent(self, rest: u32) -> bool {
        let width = self.width();
        if width.is_power_of_two() {
            let low = Int::low_ones(width, width.trailing_zeros());
            let rest = Int::new(width, u128::from(rest));
            return rest.and(self.zero).and(low).is_zero() && rest.not().and(self.one).and(low).is_zero();
        }
        if let Some(value) = self.as_constant() {
            return value.bits() % u128::from(width) == u128::from(rest);
        }
        if self.unsigned_max().bits() < u128::from(width) {
            return self.contains(Int::new(width, u128::from(rest)));
        }
        true
    }
}
