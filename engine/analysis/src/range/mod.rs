//! Constant ranges: sets of integers of one width that form an arc of the circle of residues, `[lower, upper)`. A range
//! may wrap past the largest value, be empty or be full. This is the lattice of LLVM's `ConstantRange`, with LLVM's
//! names.
//!
//! Precondition: both operands of an operation have the same width. Guarantee: for every operation `op` in this module
//! and all concrete operands in the operands' ranges, every result of `op` that is not poison (nor UB) is in the
//! result's range.
//!
//! Algorithm: split the operands into intervals within which unsigned and signed order agree (`pieces`), compute the
//! exact result at the ends of each, and cover the resulting arcs with the smallest arc, which excludes the widest gap
//! (`ConstantRange::cover`). Costs are constant except for shifts, which take a step per possible amount.
//!
//! `arith` contains sums, products, quotients, shifts; `bits` logic, counting, casts, extremes; `compare` regions of
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

/// `[lower, upper)` modulo 2^width. If both are equal, the range is full (both the largest value) or empty (both zero).
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ConstantRange {
    lower: Int,
    upper: Int,
}

/// The preferred result if several smallest ranges are possible.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Prefer {
    /// The smallest range.
    Smallest,
    /// A range that does not wrap as unsigned, if there is one; otherwise the smallest.
    Unsigned,
    /// A range that does not wrap as signed, if there is one; otherwise the smallest.
    Signed,
}

/// An arc with both ends inclusive; it wraps if `first` is above `last`.
pub(crate) type Arc = (Int, Int);

/// Constructors.
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
    /// A single value.
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
    /// From `first` to `last`, both inclusive; wraps if `first` is above `last`.
    #[must_use]
    pub fn inclusive(first: Int, last: Int) -> Self {
        Self::non_empty(first, last.add(Int::one(first.width())))
    }
    /// The smallest range that contains all values of `known` and does not wrap as unsigned, or as signed.
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
    /// The smallest range that contains all `arcs`. Among equally small ranges, or if only a larger range does not
    /// wrap, `prefer` decides.
    pub(crate) fn cover(width: u32, arcs: &[Arc], prefer: Prefer) -> Self {
        match arcs {
            [] => return Self::empty(width),
            [(first, last)] => return Self::inclusive(*first, *last),
            _ => {}
        }
        let mut sorted: SmallVec<[Arc; 8]> = arcs.into();
        sorted.sort_unstable_by_key(|(first, _)| first.bits());
        let Some(&(first_start, first_end)) = sorted.first() else { return Self::empty(width) };
        // Walk around the circle from the first start; `reach` is the distance from there to the end of the arcs so
        // far.
        let from_start = |v: Int| v.sub(first_start).bits();
        let length = |(first, last): Arc| last.sub(first).bits();
        let mut reach = length((first_start, first_end));
        // Every gap, as the range of the excluded values.
        let mut gaps: SmallVec<[Arc; 8]> = SmallVec::new();
        let one = Int::one(width);
        let circle = Int::all_ones(width).bits();
        for &arc in &sorted[1..] {
            let start = from_start(arc.0);
            if start > reach && start - reach > 1 {
                gaps.push((Int::new(width, reach).add(first_start).add(one), arc.0.sub(one)));
            }
            let end = start.checked_add(length(arc)).filter(|e| *e <= circle);
            // An arc that passes the start again covers everything up to the start.
            reach = reach.max(end.unwrap_or(circle));
        }
        // An arc that wraps past the start also covers part of the first gaps.
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

/// Queries.
impl ConstantRange {
    /// The width in bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.lower.width()
    }
    /// The first value: meaningless if the range is empty, 2^width - 1 if it is full.
    #[must_use]
    pub const fn lower(self) -> Int {
        self.lower
    }
    /// The first value after the range.
    #[must_use]
    pub const fn upper(self) -> Int {
        self.upper
    }
    /// Whether the range contains every value.
    #[must_use]
    pub fn is_full(self) -> bool {
        self.lower == self.upper && self.lower.is_all_ones()
    }
    /// Whether the range contains no value.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.lower == self.upper && self.lower.is_zero()
    }
    /// The first and last value, unless the range is empty; a full range is `0..=max`.
    pub(crate) fn arc(self) -> Option<Arc> {
        if self.is_empty() {
            None
        } else if self.is_full() {
            Some((Int::zero(self.width()), self.lower))
        } else {
            Some((self.lower, self.upper.sub(Int::one(self.width()))))
        }
    }
    /// Whether the range wraps from the largest unsigned value to 0.
    #[must_use]
    pub fn is_wrapped(self) -> bool {
        self.arc().is_some_and(|(first, last)| first.ugt(last))
    }
    /// Whether the range wraps from the largest signed value to the smallest.
    #[must_use]
    pub fn is_sign_wrapped(self) -> bool {
        !self.is_full() && self.arc().is_some_and(|(first, last)| first.sgt(last))
    }
    /// Whether the range contains `value`.
    #[must_use]
    pub fn contains(self, value: Int) -> bool {
        self.arc().is_some_and(|(first, last)| value.sub(first).ule(last.sub(first)))
    }
    /// Whether the range contains every value of `other`.
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
    /// The only value, if there is exactly one.
    #[must_use]
    pub fn as_constant(self) -> Option<Int> {
        self.arc().filter(|(first, last)| first == last).map(|(first, _)| first)
    }
    /// The number of values minus one; `None` if the range is empty.
    #[must_use]
    pub fn size_less_one(self) -> Option<u128> {
        self.arc().map(|(first, last)| last.sub(first).bits())
    }
    /// Whether the range has fewer values than `other`.
    #[must_use]
    pub fn is_smaller_than(self, other: Self) -> bool {
        self.size_less_one() < other.size_less_one()
    }
    /// The smallest value as unsigned; `None` if the range is empty.
    #[must_use]
    pub fn unsigned_min(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        Some(if first.ugt(last) { Int::zero(self.width()) } else { first })
    }
    /// The largest value as unsigned; `None` if the range is empty.
    #[must_use]
    pub fn unsigned_max(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        Some(if first.ugt(last) { Int::all_ones(self.width()) } else { last })
    }
    /// The smallest value as signed; `None` if the range is empty.
    #[must_use]
    pub fn signed_min(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        let wraps = self.is_full() || first.sgt(last);
        Some(if wraps { Int::signed_min(self.width()) } else { first })
    }
    /// The largest value as signed; `None` if the range is empty.
    #[must_use]
    pub fn signed_max(self) -> Option<Int> {
        let (first, last) = self.arc()?;
        let wraps = self.is_full() || first.sgt(last);
        Some(if wraps { Int::signed_max(self.width()) } else { last })
    }
    /// The known bits that all values share; a contradiction if the range is empty.
    #[must_use]
    pub fn known_bits(self) -> KnownBits {
        if self.is_full() {
            return KnownBits::unknown(self.width());
        }
        let unsigned = self.unsigned_pieces();
        let known = unsigned.iter().map(|(a, b)| KnownBits::from_unsigned_range(*a, *b));
        known.fold(KnownBits::contradiction(self.width()), KnownBits::join)
    }
    /// Splits the range into at most two intervals that do not wrap as unsigned.
    pub(crate) fn unsigned_pieces(self) -> SmallVec<[Arc; 2]> {
        let width = self.width();
        self.cut(Int::zero(width), Int::all_ones(width), Int::ugt)
    }
    /// Splits the range into at most two intervals that do not wrap as signed.
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
    /// Splits the range into at most three intervals of one sign, within which unsigned and signed order agree.
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

/// Lattice operations.
impl ConstantRange {
    /// The smallest range that contains both, or the one that `prefer` selects.
    #[must_use]
    pub fn union_with(self, other: Self, prefer: Prefer) -> Self {
        let arcs: SmallVec<[Arc; 2]> = self.arc().into_iter().chain(other.arc()).collect();
        Self::cover(self.width(), &arcs, prefer)
    }
    /// The smallest range that contains both.
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
    /// The smallest range that contains the intersection, or the one that `prefer` selects. The intersection may be two
    /// arcs.
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
    /// The smallest range that contains the intersection.
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
    /// The complement.
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
    /// The smallest range of the values that have the known bits. Exact at the ends of each piece.
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
