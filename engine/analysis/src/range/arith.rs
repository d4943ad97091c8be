//! Sums, products, quotients, remainders and shifts of ranges, with their flags; saturating arithmetic.

use super::{Arc, ConstantRange, Prefer};
use crate::known_bits::KnownBits;
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use smallvec::SmallVec;

pub(super) type Arcs = SmallVec<[Arc; 9]>;

impl ConstantRange {
    /// `op` with its flags. A violated flag yields poison, so such results are excluded.
    #[must_use]
    pub fn binary(op: BinaryOp, flags: BinaryFlags, a: Self, b: Self) -> Self {
        let exact = flags.exact;
        match op {
            BinaryOp::Add => a.add(b, flags.nuw, flags.nsw),
            BinaryOp::Sub => a.sub(b, flags.nuw, flags.nsw),
            BinaryOp::Mul => a.mul(b, flags.nuw, flags.nsw),
            BinaryOp::UDiv => a.udiv(b),
            BinaryOp::SDiv => a.sdiv(b),
            BinaryOp::URem => a.urem(b),
            BinaryOp::SRem => a.srem(b),
            BinaryOp::Shl => a.shl(b, flags.nuw, flags.nsw),
            BinaryOp::LShr => a.lshr(b, exact),
            BinaryOp::AShr => a.ashr(b, exact),
            BinaryOp::And => a.and(b),
            BinaryOp::Or => a.or(b, flags.disjoint),
            BinaryOp::Xor => a.xor(b),
        }
    }
    pub(super) fn of(self, arcs: &Arcs) -> Self {
        Self::cover(self.width(), arcs, Prefer::Smallest)
    }
    /// The cover of the arcs that `make` produces for each pair of pieces.
    pub(super) fn each_pair(self, rhs: Self, mut make: impl FnMut(Arc, Arc, &mut Arcs)) -> Self {
        let mut arcs = Arcs::new();
        let right = rhs.pieces();
        for a in self.pieces() {
            right.iter().for_each(|b| make(a, *b, &mut arcs));
        }
        self.of(&arcs)
    }

    /// `add`. Optimal without flags.
    #[must_use]
    pub fn add(self, rhs: Self, nuw: bool, nsw: bool) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.arc(), rhs.arc()) else { return Self::empty(self.width()) };
        let sizes = b.sub(a).add_overflows_unsigned(d.sub(c));
        let mut result = if sizes { Self::full(self.width()) } else { Self::inclusive(a.add(c), b.add(d)) };
        if nuw {
            result =
                result
                    .intersect(self.sums(rhs, Self::unsigned_pieces, Int::add_overflows_unsigned, |_| false));
        }
        if nsw {
            result = result.intersect(self.sums(
                rhs,
                Self::signed_pieces,
                Int::add_overflows_signed,
                Int::is_negative,
            ));
        }
        result
    }
    /// The sums that do not overflow. The order is unsigned or signed; `below` says for an overflowing operand whether
    /// the sum falls below the minimum.
    fn sums(
        self,
        rhs: Self,
        pieces: impl Fn(Self) -> SmallVec<[Arc; 2]>,
        overflows: impl Fn(Int, Int) -> bool,
        below: impl Fn(Int) -> bool,
    ) -> Self {
        let width = self.width();
        let signed = below(Int::all_ones(width));
        let (min, max) = if signed {
            (Int::signed_min(width), Int::signed_max(width))
        } else {
            (Int::zero(width), Int::all_ones(width))
        };
        let mut arcs = Arcs::new();
        for (a, b) in pieces(self) {
            for (c, d) in pieces(rhs) {
                let (low_out, high_out) = (overflows(a, c), overflows(b, d));
                if low_out && !below(a) || high_out && below(b) {
                    continue;
                }
                arcs.push((if low_out { min } else { a.add(c) }, if high_out { max } else { b.add(d) }));
            }
        }
        self.of(&arcs)
    }

    /// `sub`. Optimal without flags.
    #[must_use]
    pub fn sub(self, rhs: Self, nuw: bool, nsw: bool) -> Self {
        let (Some((a, b)), Some((c, d))) = (self.arc(), rhs.arc()) else { return Self::empty(self.width()) };
        let sizes = b.sub(a).add_overflows_unsigned(d.sub(c));
        let mut result = if sizes { Self::full(self.width()) } else { Self::inclusive(a.sub(d), b.sub(c)) };
        if nuw {
            let mut arcs = Arcs::new();
            for (a, b) in self.unsigned_pieces() {
                for (c, d) in rhs.unsigned_pieces() {
                    if b.uge(c) {
                        arcs.push((a.usub_sat(d), b.sub(c)));
                    }
                }
            }
            result = result.intersect(self.of(&arcs));
        }
        if nsw {
            let mut arcs = Arcs::new();
            for (a, b) in self.signed_pieces() {
                for (c, d) in rhs.signed_pieces() {
                    let too_high = a.sub_overflows_signed(d) && !a.is_negative();
                    let too_low = b.sub_overflows_signed(c) && b.is_negative();
                    if !too_high && !too_low {
                        arcs.push((a.ssub_sat(d), b.ssub_sat(c)));
                    }
                }
            }
            result = result.intersect(self.of(&arcs));
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
        let width = self.width();
        // Both the unsigned and the signed interpretation of the operands bound the product.
        let mut unsigned = Arcs::new();
        for a in self.unsigned_pieces() {
            for b in rhs.unsigned_pieces() {
                let most = nuw.then(|| Int::all_ones(width));
                unsigned.extend(product_arc(a, b, false, most));
            }
        }
        let signed = self.each_pair(rhs, |a, b, arcs| {
            let (a_negative, a) = magnitude(a);
            let (b_negative, b) = magnitude(b);
            let negative = a_negative != b_negative;
            let bound = if negative { Int::signed_min(width) } else { Int::signed_max(width) };
            arcs.extend(product_arc(a, b, negative, nsw.then_some(bound)));
        });
        self.of(&unsigned).intersect(signed)
    }

    /// `udiv`; excludes division by zero.
    #[must_use]
    pub fn udiv(self, rhs: Self) -> Self {
        let one = Int::one(self.width());
        let mut arcs = Arcs::new();
        for (a, b) in self.unsigned_pieces() {
            for (c, d) in rhs.unsigned_pieces() {
                if let (Some(min), Some(max)) = (a.udiv(d), b.udiv(c.umax(one))) {
                    arcs.push((min, max));
                }
            }
        }
        self.of(&arcs)
    }
    /// `sdiv`; excludes UB cases.
    #[must_use]
    pub fn sdiv(self, rhs: Self) -> Self {
        let one = Int::one(self.width());
        self.each_pair(rhs, |a, b, arcs| {
            let overflows = a.0.is_smin() && b.1.is_all_ones();
            if overflows {
                // The smallest value divided by -1 is UB: exclude one of the two at a time.
                if a.1 != a.0 {
                    arcs.extend(quotient((a.0.add(one), a.1), b));
                }
                if b.1 != b.0 {
                    arcs.extend(quotient(a, (b.0, b.1.sub(one))));
                }
            } else {
                arcs.extend(quotient(a, b));
            }
        })
    }
    /// `urem`; excludes division by zero.
    #[must_use]
    pub fn urem(self, rhs: Self) -> Self {
        let mut arcs = Arcs::new();
        for a in self.unsigned_pieces() {
            for b in rhs.unsigned_pieces() {
                arcs.extend(remainder(a, b));
            }
        }
        self.of(&arcs)
    }
    /// `srem`; excludes UB cases. The remainder has the sign of the dividend.
    #[must_use]
    pub fn srem(self, rhs: Self) -> Self {
        self.each_pair(rhs, |a, b, arcs| {
            let (negative, a) = magnitude(a);
            if let Some((min, max)) = remainder(a, magnitude(b).1) {
                arcs.push(if negative { (max.neg(), min.neg()) } else { (min, max) });
            }
        })
    }

    /// `shl`; amounts of at least the width yield poison.
    #[must_use]
    pub fn shl(self, amount: Self, nuw: bool, nsw: bool) -> Self {
        let width = self.width();
        self.over_amounts(amount, |by| {
            let bound = |v: Option<Int>| v.unwrap_or(Int::zero(width));
            let mut a = self;
            if nuw {
                a = a.intersect(Self::inclusive(Int::zero(width), bound(Int::all_ones(width).lshr(by))));
            }
            if nsw {
                let (min, max) = (Int::signed_min(width).ashr(by), Int::signed_max(width).ashr(by));
                a = a.intersect(Self::inclusive(bound(min), bound(max)));
            }
            a.shl_by(by).arc().into_iter().collect()
        })
    }
    fn shl_by(self, shift: Int) -> Self {
        let width = self.width();
        let Some((first, last)) = self.arc() else { return self };
        // The shift multiplies the size of the arc; if the arc exceeds the circle, all multiples are possible.
        let step = Int::one(width).shl(shift).unwrap_or(Int::zero(width));
        if last.sub(first).shl_loses_unsigned(shift) {
            return Self::inclusive(Int::zero(width), step.neg());
        }
        match (first.shl(shift), last.shl(shift)) {
            (Some(first), Some(last)) => Self::inclusive(first, last),
            _ => Self::empty(width),
        }
    }
    /// `lshr`; amounts of at least the width yield poison.
    #[must_use]
    pub fn lshr(self, amount: Self, exact: bool) -> Self {
        self.shift_right(amount, exact, Int::lshr)
    }
    /// `ashr`; amounts of at least the width yield poison.
    #[must_use]
    pub fn ashr(self, amount: Self, exact: bool) -> Self {
        self.shift_right(amount, exact, Int::ashr)
    }
    fn shift_right(self, amount: Self, exact: bool, shift: impl Fn(Int, Int) -> Option<Int>) -> Self {
        self.over_amounts(amount, |by| {
            let multiples = KnownBits::with_trailing_zeros(self.width(), by.bits() as u32);
            let values = if exact { self.meet_known_bits(multiples) } else { self };
            let ends = |(a, b): Arc| Some((shift(a, by)?, shift(b, by)?));
            values.pieces().into_iter().filter_map(ends).collect()
        })
    }
    fn over_amounts(self, amount: Self, shift: impl Fn(Int) -> Arcs) -> Self {
        let mut arcs = Arcs::new();
        for by in amount.amounts() {
            arcs.extend(shift(Int::new(self.width(), u128::from(by))));
        }
        self.of(&arcs)
    }
    /// The possible shift amounts below the width.
    fn amounts(self) -> impl Iterator<Item = u32> {
        let width = self.width();
        (0..width).filter(move |by| self.contains(Int::new(width, u128::from(*by))))
    }

    /// `llvm.uadd.sat`.
    #[must_use]
    pub fn uadd_sat(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::unsigned_pieces, |(a, b), (c, d)| (a.uadd_sat(c), b.uadd_sat(d)))
    }
    /// `llvm.usub.sat`.
    #[must_use]
    pub fn usub_sat(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::unsigned_pieces, |(a, b), (c, d)| (a.usub_sat(d), b.usub_sat(c)))
    }
    /// `llvm.sadd.sat`.
    #[must_use]
    pub fn sadd_sat(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::signed_pieces, |(a, b), (c, d)| (a.sadd_sat(c), b.sadd_sat(d)))
    }
    /// `llvm.ssub.sat`.
    #[must_use]
    pub fn ssub_sat(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::signed_pieces, |(a, b), (c, d)| (a.ssub_sat(d), b.ssub_sat(c)))
    }
    pub(super) fn monotone(
        self,
        rhs: Self,
        pieces: impl Fn(Self) -> SmallVec<[Arc; 2]>,
        ends: impl Fn(Arc, Arc) -> Arc,
    ) -> Self {
        let mut arcs = Arcs::new();
        let right = pieces(rhs);
        for a in pieces(self) {
            arcs.extend(right.iter().map(|b| ends(a, *b)));
        }
        self.of(&arcs)
    }
}

/// Whether an interval of one sign is negative, and its smallest and largest absolute values.
fn magnitude((a, b): Arc) -> (bool, Arc) {
    if a.is_negative() { (true, (b.neg(), a.neg())) } else { (false, (a, b)) }
}

/// The exact products of two unsigned intervals, negated on request, modulo 2^width; excludes products above `most`.
fn product_arc(a: Arc, b: Arc, negate: bool, most: Option<Int>) -> Option<Arc> {
    let (mut min, mut max) = (wide(a.0, b.0), wide(a.1, b.1));
    if let Some(most) = most {
        let most = (0, most.bits());
        if min > most {
            return None;
        }
        max = max.min(most);
    }
    let width = a.0.width();
    let (low, borrow) = max.1.overflowing_sub(min.1);
    let high = max.0 - min.0 - u128::from(borrow);
    if high != 0 || low > Int::all_ones(width).bits() {
        min = (0, 0);
        max = (0, Int::all_ones(width).bits());
    }
    let (min, max) = (Int::new(width, min.1), Int::new(width, max.1));
    Some(if negate { (max.neg(), min.neg()) } else { (min, max) })
}

/// The exact product, high half first.
fn wide(a: Int, b: Int) -> (u128, u128) {
    let (low, high) = a.bits().carrying_mul(b.bits(), 0);
    (high, low)
}

/// Signed quotients of two intervals of one sign each; no quotient overflows. `None` if the divisor is always zero.
fn quotient(a: Arc, b: Arc) -> Option<Arc> {
    let ((a_negative, a), (b_negative, b)) = (magnitude(a), magnitude(b));
    let (min, max) = (a.0.udiv(b.1)?, a.1.udiv(b.0.umax(Int::one(b.0.width())))?);
    Some(if a_negative != b_negative { (max.neg(), min.neg()) } else { (min, max) })
}

/// Unsigned remainders of two intervals; `None` if the divisor is always zero.
fn remainder(a: Arc, b: Arc) -> Option<Arc> {
    let one = Int::one(a.0.width());
    if b.1.is_zero() {
        return None;
    }
    if a.1.ult(b.0) {
        return Some(a);
    }
    if b.0 == b.1 && a.0.udiv(b.0) == a.1.udiv(b.0) {
        return Some((a.0.urem(b.0)?, a.1.urem(b.0)?));
    }
    Some((Int::zero(a.0.width()), a.1.umin(b.1.sub(one))))
}
