//! Comparisons of ranges, and the regions in which a comparison holds.

use super::{Arc, ConstantRange};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// The set of all `x` with `x pred c`. Exact.
#[must_use]
pub fn exact_icmp_region(pred: IntPredicate, c: Int) -> ConstantRange {
    ConstantRange::allowed_region(pred, ConstantRange::constant(c))
}

impl ConstantRange {
    /// The smallest range that contains all `x` with `x pred y` for some `y` in `other`.
    #[must_use]
    pub fn allowed_region(pred: IntPredicate, other: Self) -> Self {
        use IntPredicate as P;
        let width = other.width();
        let (Some(umin), Some(umax), Some(smin), Some(smax)) =
            (other.unsigned_min(), other.unsigned_max(), other.signed_min(), other.signed_max())
        else {
            return Self::empty(width);
        };
        let one = Int::one(width);
        let interval = |strict_fails: bool, (first, last): Arc| {
            if strict_fails { Self::empty(width) } else { Self::inclusive(first, last) }
        };
        let (zero, top) = (Int::zero(width), Int::all_ones(width));
        let (low, high) = (Int::signed_min(width), Int::signed_max(width));
        match pred {
            P::Eq => other,
            P::Ne => other.as_constant().map_or(Self::full(width), |c| Self::constant(c).inverse()),
            P::Ult => interval(umax.is_zero(), (zero, umax.sub(one))),
            P::Ule => Self::inclusive(zero, umax),
            P::Ugt => interval(umin.is_all_ones(), (umin.add(one), top)),
            P::Uge => Self::inclusive(umin, top),
            P::Slt => interval(smax.is_smin(), (low, smax.sub(one))),
            P::Sle => Self::inclusive(low, smax),
            P::Sgt => interval(smin.is_smax(), (smin.add(one), high)),
            P::Sge => Self::inclusive(smin, high),
        }
    }
    /// The largest range of `x` with `x pred y` for every `y` in `other`.
    #[must_use]
    pub fn satisfying_region(pred: IntPredicate, other: Self) -> Self {
        Self::allowed_region(pred.inverse(), other).inverse()
    }
    /// Whether `pred` holds for all pairs of values (true), or for none (false); `None` also if a range is empty.
    #[must_use]
    pub fn icmp(self, pred: IntPredicate, other: Self) -> Option<bool> {
        if self.is_empty() || other.is_empty() {
            return None;
        }
        if !matches!(pred, IntPredicate::Eq | IntPredicate::Ne) {
            return self.order(pred, other);
        }
        if Self::satisfying_region(pred, other).contains_range(self) {
            return Some(true);
        }
        Self::satisfying_region(pred.inverse(), other).contains_range(self).then_some(false)
    }
    /// [`Self::icmp`] for an order predicate, from the ends of both ranges.
    fn order(self, pred: IntPredicate, other: Self) -> Option<bool> {
        use IntPredicate as P;
        let ends = |range: Self| {
            if pred.is_signed() {
                range.signed_min().zip(range.signed_max())
            } else {
                range.unsigned_min().zip(range.unsigned_max())
            }
        };
        let ((least, most), (other_least, other_most)) = (ends(self)?, ends(other)?);
        let at_most = |a: Int, b: Int| if pred.is_signed() { a.sle(b) } else { a.ule(b) };
        let (always, never) = match pred {
            P::Ult | P::Slt => (!at_most(other_least, most), at_most(other_most, least)),
            P::Ule | P::Sle => (at_most(most, other_least), !at_most(least, other_most)),
            P::Ugt | P::Sgt => (!at_most(least, other_most), at_most(most, other_least)),
            P::Uge | P::Sge => (at_most(other_most, least), !at_most(other_least, most)),
            P::Eq | P::Ne => return None,
        };
        if always { Some(true) } else { never.then_some(false) }
    }
    /// The single comparison with a constant that is equivalent to membership, if there is one.
    #[must_use]
    pub fn as_icmp(self) -> Option<(IntPredicate, Int)> {
        use IntPredicate as P;
        let width = self.width();
        if self.is_full() || self.is_empty() {
            return Some((if self.is_full() { P::Uge } else { P::Ult }, Int::zero(width)));
        }
        if let Some(value) = self.as_constant() {
            return Some((P::Eq, value));
        }
        if let Some(value) = self.inverse().as_constant() {
            return Some((P::Ne, value));
        }
        if self.lower().is_zero() {
            return Some((P::Ult, self.upper()));
        }
        if self.lower().is_smin() {
            return Some((P::Slt, self.upper()));
        }
        if self.upper().is_zero() {
            return Some((P::Uge, self.lower()));
        }
        self.upper().is_smin().then(|| (P::Sge, self.lower()))
    }
}
