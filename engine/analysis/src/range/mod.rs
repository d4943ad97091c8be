//! Constant ranges: sets of integers of one width that are an arc of the circle of residues, `[lower, upper)`, possibly
//! wrapping past the largest value, empty or full. The lattice of LLVM's `ConstantRange`, under its names.
//!
//! Needs: two operands of one operation have the same width. Guarantees: for every operation `op` here and all concrete
//! operands in the operands' ranges, a result of `op` that is not poison (nor undefined behaviour) is in the result's
//! range.
//!
//! Algorithm: operands are cut into intervals within which unsigned and signed order agree (`pieces`), the operation
//! is worked out exactly on the ends of each, and the arcs that come out are covered by the smallest arc, which leaves
//! out the widest gap (`ConstantRange::cover`). Costs are constant, but for shifts: a step per possible amount.
//!
//! `arith` holds sums, products, quotients, shifts; `bits` logic, counting, casts, extremes; `compare` regions of
//! predicates; `no_wrap` regions of flags.

mod arith;
mod bits;
mod compare;
mod no_wrap;

pub use compare::exact_icmp_region;
pub use no_wrap::Overflow;

use crate::known_bits::KnownBits;
use backedge_ir::int::Int;
use smallvec::SmallVec;
use std::fmt;

/// `[lower, upper)` modulo 2^width. Both equal is full if they are the largest value, and empty if they are zero.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ConstantRange {
    lower: Int,
    upper: Int,
}

/// What is preferred where several smallest answers are possible, or none is unique.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Prefer {
    /// The smallest.
    Smallest,
    /// One that does not wrap as unsigned, if there is one; otherwise the smallest.
    Unsigned,
    /// One that does not wrap as signed, if there is one; otherwise the smallest.
    Signed,
}

/// An arc with both ends included; it wraps if `first` is above `last`.
pub(crate) type Arc = (Int, Int);

/// Making one.
impl ConstantRange {
    /// All values of `width` bits (1 to 128).
    #[must_use]
    pub const fn full(width: u32) -> Self {
        Self { lower: Int::all_ones(width), upper: Int::all_ones(width) }
    }
    /// No value.
    #[must_use]
    pub const fn empty(width: u32) -> Self {
        Self { lower: Int::zero(width), upper: Int::zero(width) }
    }
    /// That value alone.
    #[must_use]
    pub fn constant(value: Int) -> Self {
        Self::inclusive(value, value)
    }
    /// `[lower, upper)`; `None` if both are equal, which could mean full or empty.
    #[must_use]
    pub fn new(lower: Int, upper: Int) -> Option<Self> {
        (lower != upper).then_some(Self { lower, upper })
    }
    /// `[lower, upper)`, full if both are equal.
    #[must_use]
    pub fn non_empty(lower: Int, upper: Int) -> Self {
        Self::new(lower, upper).unwrap_or(Self::full(lower.width()))
    }
    /// From `first` up to `last`, both included, wrapping if `first` is above `last`.
    #[must_use]
    pub fn inclusive(first: Int, last: Int) -> Self {
        Self::non_empty(first, last.add(Int::one(first.width())))
    }
    /// The values of `known`, covered by the smallest range that does not wrap as unsigned, or as signed.
    #[must_use]
    pub fn from_known_bits(known: KnownBits, signed: bool) -> Self {
        if known.is_contradiction() {
            return Self::empty(known.width());
        }
        if signed {
            Self::inclusive(known.signed_min(), known.signed_max())
        } else {
            Self::inclusive(known.unsigned_min(), known.unsigned_max())
        }
    }
    /// The smallest range that holds all `arcs`; of equally small ones that which `prefer` likes, or a larger one if
    /// only that does not wrap.
    pub(crate) fn cover(width: u32, arcs: &[Arc], prefer: Prefer) -> Self {
        match arcs {
            [] => return Self::empty(width),
            [(first, last)] => return Self::inclusive(*first, *last),
            _ => {}
        }
        let mut sorted: SmallVec<[Arc; 8]> = arcs.into();
        sorted.sort_unstable_by_key(|(first, _)| first.bits());
        let Some(&(first_start, first_end)) = sorted.first() else { return Self::empty(width) };
        // Walk around the circle from the first start; `reach` is how far the arcs so far go from there.
        let from_start = |v: Int| v.sub(first_start).bits();
        let length = |(first, last): Arc| last.sub(first).bits();
        let mut reach = length((first_start, first_end));
        // Every gap, as the range of the values left out.
        let mut gaps: SmallVec<[Arc; 8]> = SmallVec::new();
        let one = Int::one(width);
        let circle = Int::all_ones(width).bits();
        for &arc in &sorted[1..] {
            let start = from_start(arc.0);
            if start > reach && start - reach > 1 {
                gaps.push((Int::new(width, reach).add(first_start).add(one), arc.0.sub(one)));
            }
            let end = start.checked_add(length(arc)).filter(|e| *e <= circle);
            // An arc that goes past the start again covers all behind it.
            reach = reach.max(end.unwrap_or(circle));
        }
        // An arc that wraps past the start covers some of the first gaps too.
        let wraps = sorted.iter().filter(|(f, l)| length((*f, *l)) > circle - from_start(*f));
        let covered = wraps.map(|(_, l)| from_start(*l)).max();
        if reach < circle {
            gaps.push((Int::new(width, reach).add(first_start).add(one), first_start.sub(one)));
        }
        let gaps = gaps.into_iter().filter_map(|(first, last)| match covered {
            Some(covered) if from_start(last) <= covered => None,
            Some(covered) if from_start(first) <= covered => {
                Some((Int::new(width, covered).add(first_start).add(one), last))
            }
            _ => Some((first, last)),
        });
        let wanted = |gap: &Arc| -> bool {
            let range = Self::inclusive(gap.1.add(one), gap.0.sub(one));
            match prefer {
                Prefer::Smallest => false,
                Prefer::Unsigned => !range.is_wrapped(),
                Prefer::Signed => !range.is_sign_wrapped(),
            }
        };
        let best = gaps.max_by_key(|gap| (wanted(gap), length(*gap), std::cmp::Reverse(gap.0.bits())));
        best.map_or(Self::full(width), |(first, last)| Self::inclusive(last.add(one), first.sub(one)))
    }
}

/// Looking at one.
impl ConstantRange {
    /// The width in bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.lower.width()
    }
    /// The first value: meaningless if empty, 2^width - 1 if full.
    #[must_use]
    pub const fn lower(self) -> Int {
        self.lower
    }
    /// The first value behind the range.
    #[must_use]
    pub const fn upper(self) -> Int {
        self.upper
    }
    /// Whether every value is in it.
    #[must_use]
    pub fn is_full(self) -> bool {
        self.lower == self.upper && self.lower.is_all_ones()
    }
    /// Whether no value is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.lower == self.upper && self.lower.is_zero()
    }
    /// The first and last value, unless it is empty; a full range is `0..=max`.
    pub(crate) fn arc(self) -> Option<Arc> {
        if self.is_empty() {
            None
        } else if self.is_full() {
            Some((Int::zero(self.width()), self.lower))
        } else {
            Some((self.lower, self.upper.sub(Int::one(self.width()))))
        }
    }
    /// Whether it goes past the largest unsigned value to 0.
    #[must_use]
    pub fn is_wrapped(self) -> bool {
        self.arc().is_some_and(|(first, last)| first.ugt(last))
    }
    /// Whether it goes past the largest signed value to the smallest.
    #[must_use]
    pub fn is_sign_wrapped(self) -> bool {
        !self.is_full() && self.arc().is_some_and(|(first, last)| first.sgt(last))
    }
    /// Whether `value` is in it.
    #[must_use]
    pub fn contains(self, value: Int) -> bool {
        self.arc().is_some_and(|(first, last)| value.sub(first).ule(last.sub(first)))
    }
    /// Whether every value of `other` is in it.
    #[must_use]
    pub fn contains_range(self, other: Self) -> bool {
        match (self.arc(), other.arc()) {
            (_, None) => true,
            (None, _) => false,
            _ if self.is_full() => true,
            _ if other.is_full() => false,
            (Some((first, last)), Some((a, b))) => {
                let (from, to) = (a.sub(first), b.sub(first));
                from.ule(to) && to.ule(last.sub(first))
            }
        }
    }
    /// The only value.
    #[must_use]
    pub fn as_constant(self) -> Option<Int> {
        self.arc().filter(|(first, last)| first == last).map(|(first, _)| first)
    }
    /// How many values there are, less one; `None` if it is empty.
    #[must_use]
    pub fn size_less_one(self) -> Option<u128> {
        self.arc().map(|(first, last)| last.sub(first).bits())
    }
    /// Whether it has fewer values than `other`.
    #[must_use]
    pub fn is_smaller_than(self, other: Self) -> bool {
        self.size_less_one() < other.size_less_one()
    }
    /// The smallest value as unsigned; `None` if it is empty.
    #[must_use]
    pub fn unsigned_min(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        Some(if first.ugt(last) { Int::zero(self.width()) } else { first })
    }
    /// The largest value as unsigned; `None` if it is empty.
    #[must_use]
    pub fn unsigned_max(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        Some(if first.ugt(last) { Int::all_ones(self.width()) } else { last })
    }
    /// The smallest value as signed; `None` if it is empty.
    #[must_use]
    pub fn signed_min(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        let wraps = self.is_full() || first.sgt(last);
        Some(if wraps { Int::signed_min(self.width()) } else { first })
    }
    /// The largest value as signed; `None` if it is empty.
    #[must_use]
    pub fn signed_max(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        let wraps = self.is_full() || first.sgt(last);
        Some(if wraps { Int::signed_max(self.width()) } else { last })
    }
    /// The known bits that all values share; a contradiction if it is empty.
    #[must_use]
    pub fn known_bits(self) -> KnownBits {
        if self.is_full() {
            return KnownBits::unknown(self.width());
        }
        let unsigned = self.unsigned_pieces();
        let known = unsigned.iter().map(|(a, b)| KnownBits::from_unsigned_range(*a, *b));
        known.fold(KnownBits::contradiction(self.width()), KnownBits::join)
    }
    /// Cut into at most two intervals that do not wrap as unsigned.
    pub(crate) fn unsigned_pieces(self) -> SmallVec<[Arc; 2]> {
        let width = self.width();
        self.cut(Int::zero(width), Int::all_ones(width), Int::ugt)
    }
    /// Cut into at most two intervals that do not wrap as signed.
    pub(crate) fn signed_pieces(self) -> SmallVec<[Arc; 2]> {
        let width = self.width();
        self.cut(Int::signed_min(width), Int::signed_max(width), Int::sgt)
    }
    fn cut(self, min: Int, max: Int, above: impl Fn(Int, Int) -> bool) -> SmallVec<[Arc; 2]> {
        let mut pieces = SmallVec::new();
        match self.arc() {
            None => {}
            Some(_) if self.is_full() => pieces.push((min, max)),
            Some((first, last)) if above(first, last) => pieces.extend([(first, max), (min, last)]),
            Some(arc) => pieces.push(arc),
        }
        pieces
    }
    /// Cut into at most three intervals of one sign, within which unsigned and signed order agree.
    pub(crate) fn pieces(self) -> SmallVec<[Arc; 3]> {
        let width = self.width();
        let (smax, smin) = (Int::signed_max(width), Int::signed_min(width));
        let mut pieces = SmallVec::new();
        for (first, last) in self.unsigned_pieces() {
            if first.ule(smax) && last.uge(smin) {
                pieces.extend([(first, smax), (smin, last)]);
            } else {
                pieces.push((first, last));
            }
        }
        pieces
    }
}

/// The lattice.
impl ConstantRange {
    /// The smallest range with the values of both, as `prefer` says.
    #[must_use]
    pub fn union_with(self, other: Self, prefer: Prefer) -> Self {
        let arcs: SmallVec<[Arc; 2]> = self.arc().into_iter().chain(other.arc()).collect();
        Self::cover(self.width(), &arcs, prefer)
    }
    /// The smallest range with the values of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        if self.contains_range(other) {
            return self;
        }
        if other.contains_range(self) {
            return other;
        }
        self.union_with(other, Prefer::Smallest)
    }
    /// The smallest range with the values that are in both, as `prefer` says: those may lie in two arcs.
    #[must_use]
    pub fn intersect_with(self, other: Self, prefer: Prefer) -> Self {
        let mut arcs: SmallVec<[Arc; 4]> = SmallVec::new();
        for (a, b) in self.unsigned_pieces() {
            for (c, d) in other.unsigned_pieces() {
                let (first, last) = (a.umax(c), b.umin(d));
                if first.ule(last) {
                    arcs.push((first, last));
                }
            }
        }
        Self::cover(self.width(), &arcs, prefer)
    }
    /// The smallest range with the values that are in both.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        if self.contains_range(other) {
            return other;
        }
        if other.contains_range(self) {
            return self;
        }
        self.intersect_with(other, Prefer::Smallest)
    }
    /// The values that are not in it.
    #[must_use]
    pub fn inverse(self) -> Self {
        if self.is_full() {
            Self::empty(self.width())
        } else if self.is_empty() {
            Self::full(self.width())
        } else {
            Self { lower: self.upper, upper: self.lower }
        }
    }
    /// The smallest range with the values that have the known bits. Exact at the ends of unsigned intervals.
    #[must_use]
    pub fn meet_known_bits(self, known: KnownBits) -> Self {
        let ends = |(a, b): Arc| Some((known.least_at_least(a)?, known.greatest_at_most(b)?));
        let within = |(a, b): &Arc| a.ule(*b);
        let arcs: SmallVec<[Arc; 3]> = self.pieces().into_iter().filter_map(ends).filter(within).collect();
        Self::cover(self.width(), &arcs, Prefer::Smallest)
    }
}

impl fmt::Display for ConstantRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_full() {
            f.write_str("full-set")
        } else if self.is_empty() {
            f.write_str("empty-set")
        } else {
            write!(f, "[{},{})", self.lower.signed(), self.upper.signed())
        }
    }
}

impl fmt::Debug for ConstantRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConstantRange(i{} {self})", self.width())
    }
}
