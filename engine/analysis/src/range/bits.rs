//! Logic, counting, casts, min/max and absolute values of ranges.
//!
//! Least and greatest results of `and`, `or`, `xor` over two intervals: Warren, Hacker's Delight, 4-3.

use super::arith::Arcs;
use super::{Arc, ConstantRange, Prefer};
use crate::known_bits::KnownBits;
use backedge_ir::int::Int;

impl ConstantRange {
    /// `and`.
    #[must_use]
    pub fn and(self, rhs: Self) -> Self {
        let not = |(a, b): Arc| (b.not(), a.not());
        self.logic(rhs, KnownBits::and, |a, b| {
            let inverted = least_or(not(a), not(b));
            (greatest_or(not(a), not(b)).not(), inverted.not())
        })
    }
    /// `or`; with `disjoint`, no bit is set in both operands.
    #[must_use]
    pub fn or(self, rhs: Self, disjoint: bool) -> Self {
        let or = self.logic(rhs, |a, b| a.or(b, disjoint), |a, b| (least_or(a, b), greatest_or(a, b)));
        // Operands without common bits have no carry: the result is the sum, which does not wrap.
        if disjoint { or.intersect(self.add(rhs, true, false)) } else { or }
    }
    /// `xor`.
    #[must_use]
    pub fn xor(self, rhs: Self) -> Self {
        self.logic(rhs, KnownBits::xor, |a, b| (least_xor(a, b), greatest_xor(a, b)))
    }
    fn logic(
        self,
        rhs: Self,
        known: impl Fn(KnownBits, KnownBits) -> KnownBits,
        ends: impl Fn(Arc, Arc) -> Arc,
    ) -> Self {
        let bounds = self.each_pair(rhs, |a, b, arcs| arcs.push(ends(a, b)));
        bounds.meet_known_bits(known(self.known_bits(), rhs.known_bits()))
    }

    /// `trunc` to `width`; with `nuw` the operand fits that width as unsigned, with `nsw` as signed.
    #[must_use]
    pub fn trunc(self, width: u32, nuw: bool, nsw: bool) -> Self {
        let from = self.width();
        let mut whole = self;
        if nuw {
            let max = Int::low_ones(from, width);
            whole = whole.intersect(Self::inclusive(Int::zero(from), max));
        }
        if nsw {
            let (min, max) = (Int::signed_min(width).sext(from), Int::signed_max(width).sext(from));
            whole = whole.intersect(Self::inclusive(min, max));
        }
        let mut arcs = Arcs::new();
        for (first, last) in if nuw || nsw { whole.pieces() } else { whole.arc().into_iter().collect() } {
            if last.sub(first).ugt(Int::low_ones(from, width)) {
                return Self::full(width);
            }
            arcs.push((first.trunc(width), last.trunc(width)));
        }
        Self::cover(width, &arcs, Prefer::Smallest)
    }
    /// `zext` to `width`; with `nneg` the operand is not negative.
    #[must_use]
    pub fn zext(self, width: u32, nneg: bool) -> Self {
        if width == self.width() && !nneg {
            return self;
        }
        let bound = Int::signed_max(self.width());
        let kept = |(a, b): &Arc| !nneg || a.ule(bound) && b.ule(bound);
        let pieces: Arcs = if nneg {
            self.pieces().into_iter().filter(kept).collect()
        } else {
            self.unsigned_pieces().into_iter().collect()
        };
        let wide: Arcs = pieces.iter().map(|(a, b)| (a.zext(width), b.zext(width))).collect();
        Self::cover(width, &wide, Prefer::Smallest)
    }
    /// `sext` to `width`.
    #[must_use]
    pub fn sext(self, width: u32) -> Self {
        if width == self.width() {
            return self;
        }
        let pieces = self.signed_pieces();
        let wide: Arcs = pieces.iter().map(|(a, b)| (a.sext(width), b.sext(width))).collect();
        Self::cover(width, &wide, Prefer::Smallest)
    }

    /// `llvm.umin`.
    #[must_use]
    pub fn umin(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::unsigned_pieces, |(a, b), (c, d)| (a.umin(c), b.umin(d)))
    }
    /// `llvm.umax`.
    #[must_use]
    pub fn umax(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::unsigned_pieces, |(a, b), (c, d)| (a.umax(c), b.umax(d)))
    }
    /// `llvm.smin`.
    #[must_use]
    pub fn smin(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::signed_pieces, |(a, b), (c, d)| (a.smin(c), b.smin(d)))
    }
    /// `llvm.smax`.
    #[must_use]
    pub fn smax(self, rhs: Self) -> Self {
        self.monotone(rhs, Self::signed_pieces, |(a, b), (c, d)| (a.smax(c), b.smax(d)))
    }
    /// `llvm.abs`; with `smin_is_poison`, excludes the smallest signed value.
    #[must_use]
    pub fn abs(self, smin_is_poison: bool) -> Self {
        let one = Int::one(self.width());
        let mut arcs = Arcs::new();
        for (mut a, b) in self.pieces() {
            if a.is_smin() && smin_is_poison {
                if a == b {
                    continue;
                }
                a = a.add(one);
            }
            arcs.push(if a.is_negative() { (b.neg(), a.neg()) } else { (a, b) });
        }
        self.of(&arcs)
    }

    /// `llvm.ctlz`; with `zero_is_poison`, excludes zero.
    #[must_use]
    pub fn ctlz(self, zero_is_poison: bool) -> Self {
        self.counts(zero_is_poison, |(a, b)| (b.leading_zeros(), a.leading_zeros()))
    }
    /// `llvm.cttz`; with `zero_is_poison`, excludes zero.
    #[must_use]
    pub fn cttz(self, zero_is_poison: bool) -> Self {
        self.counts(zero_is_poison, |(a, b)| {
            if a == b {
                return (a.trailing_zeros(), a.trailing_zeros());
            }
            // One of two neighbors is odd, so the minimum is 0. The value that first changes the highest differing bit
            // has most zeros.
            let most = match a.bits().checked_sub(1) {
                None => a.width(),
                Some(before) => 127 - (before ^ b.bits()).leading_zeros(),
            };
            (0, most)
        })
    }
    /// `llvm.ctpop`.
    #[must_use]
    pub fn ctpop(self) -> Self {
        self.counts(false, |(a, b)| (fewest_ones(a, b), a.width() - fewest_ones(b.not(), a.not())))
    }
    fn counts(self, without_zero: bool, count: impl Fn(Arc) -> (u32, u32)) -> Self {
        let width = self.width();
        let number = |n: u32| Int::new(width, u128::from(n));
        let mut arcs = Arcs::new();
        for (mut a, b) in self.unsigned_pieces() {
            if without_zero && a.is_zero() {
                if b.is_zero() {
                    continue;
                }
                a = Int::one(width);
            }
            let (min, max) = count((a, b));
            arcs.push((number(min), number(max)));
        }
        self.of(&arcs)
    }
}

/// The fewest set bits of any value in the unsigned interval `[a, b]`: those of `a`, or of `a` with one clear bit set
/// and all lower bits cleared.
fn fewest_ones(a: Int, b: Int) -> u32 {
    let width = a.width();
    let mut fewest = a.count_ones();
    for bit in (0..width).filter(|bit| !a.bit(*bit)) {
        let raised = a.or(Int::new(width, 1 << bit)).and(Int::low_ones(width, bit).not());
        if raised.ule(b) {
            fewest = fewest.min(raised.count_ones());
        }
    }
    fewest
}

fn bits_downwards(width: u32) -> impl Iterator<Item = (Int, Int)> {
    // Each bit, with the mask of that bit and all higher bits.
    (0..width).rev().map(move |i| (Int::new(width, 1 << i), Int::low_ones(width, i).not()))
}

fn least_or((mut a, b): Arc, (mut c, d): Arc) -> Int {
    for (bit, upwards) in bits_downwards(a.width()) {
        let set = |v: Int| !v.and(bit).is_zero();
        let raised = |v: Int| v.or(bit).and(upwards);
        if !set(a) && set(c) && raised(a).ule(b) {
            a = raised(a);
            break;
        }
        if set(a) && !set(c) && raised(c).ule(d) {
            c = raised(c);
            break;
        }
    }
    a.or(c)
}

fn greatest_or((a, mut b): Arc, (c, mut d): Arc) -> Int {
    let one = Int::one(a.width());
    for (bit, _) in bits_downwards(a.width()) {
        if b.and(d).and(bit).is_zero() {
            continue;
        }
        let lowered = |v: Int| v.sub(bit).or(bit.sub(one));
        if lowered(b).uge(a) {
            b = lowered(b);
            break;
        }
        if lowered(d).uge(c) {
            d = lowered(d);
            break;
        }
    }
    b.or(d)
}

fn least_xor((mut a, b): Arc, (mut c, d): Arc) -> Int {
    for (bit, upwards) in bits_downwards(a.width()) {
        let set = |v: Int| !v.and(bit).is_zero();
        let raised = |v: Int| v.or(bit).and(upwards);
        if !set(a) && set(c) && raised(a).ule(b) {
            a = raised(a);
        } else if set(a) && !set(c) && raised(c).ule(d) {
            c = raised(c);
        }
    }
    a.xor(c)
}

fn greatest_xor((a, mut b): Arc, (c, mut d): Arc) -> Int {
    let one = Int::one(a.width());
    for (bit, _) in bits_downwards(a.width()) {
        if b.and(d).and(bit).is_zero() {
            continue;
        }
        let lowered = |v: Int| v.sub(bit).or(bit.sub(one));
        if lowered(b).uge(a) {
            b = lowered(b);
        } else if lowered(d).uge(c) {
            d = lowered(d);
        }
    }
    b.xor(d)
}
