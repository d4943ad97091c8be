//! Known bits of an integer: the bits that are 0 and the bits that are 1 in every execution. The concretization γ is
//! the set of all bit patterns that have the known bits.
//!
//! Precondition: both operands of an operation have the same width. Guarantee: for every operation `op` in this module
//! and all concrete operands in the operands' sets, every result of `op` that is not poison (nor UB) is in the result's
//! set. A bit known to be both 0 and 1 is a contradiction: the set is empty, so the value is always poison or never
//! computed. Operations preserve contradictions.
//!
//! Widths are 1 to 128. An operation costs a few word operations; multiplication takes up to one step per bit, and a
//! shift by an unknown amount one step per possible amount.
//!
//! `arith` contains sums, products, quotients; `shift` shifts and funnel shifts; `bits` logic, counting, casts,
//! extremes. Sources: the lattice and the carry formula are those of LLVM's `KnownBits` (there after Warren, Hacker's
//! Delight, 2-16); multiplication is from Vishwanathan et al., "Sound, Precise, and Fast Abstract Interpretation with
//! Tristate Numbers", 2022.

mod arith;
mod bits;
mod shift;

use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use std::fmt;

/// A set of integers of one width, given by their common bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct KnownBits {
    /// Bits that are 0.
    pub zero: Int,
    /// Bits that are 1.
    pub one: Int,
}

/// Constructors.
impl KnownBits {
    /// Nothing is known: all patterns of `width` bits (1 to 128).
    #[must_use]
    pub const fn unknown(width: u32) -> Self {
        Self { zero: Int::zero(width), one: Int::zero(width) }
    }
    /// No pattern at all.
    #[must_use]
    pub const fn contradiction(width: u32) -> Self {
        Self { zero: Int::all_ones(width), one: Int::all_ones(width) }
    }
    /// A single pattern.
    #[must_use]
    pub fn constant(value: Int) -> Self {
        Self { zero: value.not(), one: value }
    }
    /// The set with these known bits; a contradiction if the masks overlap.
    #[must_use]
    pub fn new(zero: Int, one: Int) -> Self {
        Self { zero, one }.normal()
    }
    /// All patterns whose lowest `count` bits are zero.
    #[must_use]
    pub fn with_trailing_zeros(width: u32, count: u32) -> Self {
        Self { zero: Int::low_ones(width, count), one: Int::zero(width) }
    }
    /// The best known bits of the unsigned interval `[min, max]`; a contradiction if it is empty.
    #[must_use]
    pub fn from_unsigned_range(min: Int, max: Int) -> Self {
        if min.ugt(max) {
            return Self::contradiction(min.width());
        }
        let differ = min.xor(max);
        let below = Int::low_ones(min.width(), min.width() - differ.leading_zeros());
        Self { zero: min.not().and(below.not()), one: min.and(below.not()) }
    }
    /// Normalizes the empty set to its unique form.
    fn normal(self) -> Self {
        if self.zero.and(self.one).is_zero() { self } else { Self::contradiction(self.width()) }
    }
}

/// Queries.
impl KnownBits {
    /// The width in bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.zero.width()
    }
    /// Whether the set is empty.
    #[must_use]
    pub fn is_contradiction(self) -> bool {
        !self.zero.and(self.one).is_zero()
    }
    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self.zero.is_zero() && self.one.is_zero()
    }
    /// The bits that are known.
    #[must_use]
    pub fn known(self) -> Int {
        self.zero.or(self.one)
    }
    /// The only member, if there is exactly one.
    #[must_use]
    pub fn as_constant(self) -> Option<Int> {
        (self.one == self.zero.not()).then_some(self.one)
    }
    /// Whether `value` is a member.
    #[must_use]
    pub fn contains(self, value: Int) -> bool {
        value.and(self.zero).is_zero() && value.and(self.one) == self.one
    }
    /// The smallest member as unsigned.
    #[must_use]
    pub fn unsigned_min(self) -> Int {
        self.one
    }
    /// The largest member as unsigned.
    #[must_use]
    pub fn unsigned_max(self) -> Int {
        self.zero.not()
    }
    /// The smallest member as signed.
    #[must_use]
    pub fn signed_min(self) -> Int {
        let sign = Int::signed_min(self.width());
        if self.zero.is_negative() { self.one } else { self.one.or(sign) }
    }
    /// The largest member as signed.
    #[must_use]
    pub fn signed_max(self) -> Int {
        let max = self.zero.not();
        if self.one.is_negative() { max } else { max.and(Int::signed_max(self.width())) }
    }
    /// Whether every member has a clear sign bit.
    #[must_use]
    pub fn is_non_negative(self) -> bool {
        self.zero.is_negative()
    }
    /// Whether every member has a set sign bit.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.one.is_negative()
    }
    /// Whether no member is zero.
    #[must_use]
    pub fn is_non_zero(self) -> bool {
        !self.one.is_zero()
    }
    /// The minimum number of trailing zeros over all members.
    #[must_use]
    pub fn min_trailing_zeros(self) -> u32 {
        self.zero.trailing_ones()
    }
    /// The maximum number of trailing zeros over all members.
    #[must_use]
    pub fn max_trailing_zeros(self) -> u32 {
        self.one.trailing_zeros()
    }
    /// The minimum number of leading zeros over all members.
    #[must_use]
    pub fn min_leading_zeros(self) -> u32 {
        self.zero.leading_ones()
    }
    /// The maximum number of leading zeros over all members.
    #[must_use]
    pub fn max_leading_zeros(self) -> u32 {
        self.one.leading_zeros()
    }
    /// The minimum number of leading bits that equal the sign bit, including the sign bit.
    #[must_use]
    pub fn min_sign_bits(self) -> u32 {
        self.zero.leading_ones().max(self.one.leading_ones()).max(1)
    }
}

/// Lattice operations.
impl KnownBits {
    /// The best superset of the union.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { zero: self.zero.and(other.zero), one: self.one.and(other.one) }
    }
    /// Exactly the intersection.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self::new(self.zero.or(other.zero), self.one.or(other.one))
    }
    /// Whether every member is a member of `other`.
    #[must_use]
    pub fn implies(self, other: Self) -> bool {
        self.is_contradiction()
            || (other.zero.and(self.zero) == other.zero && other.one.and(self.one) == other.one)
    }
    /// The smallest member that is at least `bound` (unsigned).
    #[must_use]
    pub fn least_at_least(self, bound: Int) -> Option<Int> {
        if self.is_contradiction() {
            return None;
        }
        // Follow the bits of `bound` while the known bits permit them. The highest conflicting bit decides: if it is
        // known 1, all lower bits take their minimum; if it is known 0, the lowest free zero bit above it must be
        // raised.
        let wrong = bound.and(self.zero).or(bound.not().and(self.one));
        if wrong.is_zero() {
            return Some(bound);
        }
        let at = self.width() - 1 - wrong.leading_zeros();
        let above = Int::low_ones(self.width(), at + 1).not();
        if self.one.bit(at) {
            let keep = bound.and(above);
            return Some(keep.or(self.one.and(above.not())));
        }
        let raisable = above.and(self.known().not()).and(bound.not());
        let lowest = raisable.trailing_zeros();
        if lowest >= self.width() {
            return None;
        }
        let kept = Int::low_ones(self.width(), lowest + 1).not();
        let raised = Int::low_ones(self.width(), lowest + 1).xor(Int::low_ones(self.width(), lowest));
        Some(bound.and(kept).or(raised).or(self.one.and(kept.not())))
    }
    /// The largest member that is at most `bound` (unsigned).
    #[must_use]
    pub fn greatest_at_most(self, bound: Int) -> Option<Int> {
        self.complement().least_at_least(bound.not()).map(Int::not)
    }
    /// All members, bitwise inverted.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { zero: self.one, one: self.zero }
    }
    /// The best known bits of the members in the unsigned interval `[min, max]`.
    #[must_use]
    pub fn clamp_unsigned(self, min: Int, max: Int) -> Self {
        match (self.least_at_least(min), self.greatest_at_most(max)) {
            // A member in the lower half of the first differing bit can have all free lower bits set, and a member in
            // the upper half can have them clear; so no further bit is common.
            (Some(low), Some(high)) => self.meet(Self::from_unsigned_range(low, high)),
            _ => Self::contradiction(self.width()),
        }
    }
    /// The best known bits of the members in the signed interval `[min, max]`.
    #[must_use]
    pub fn clamp_signed(self, min: Int, max: Int) -> Self {
        if min.sgt(max) {
            return Self::contradiction(self.width());
        }
        let width = self.width();
        let (zero, ones) = (Int::zero(width), Int::all_ones(width));
        let negative = if min.is_negative() {
            self.clamp_unsigned(min, max.smin(ones))
        } else {
            Self::contradiction(width)
        };
        let positive = if max.is_negative() {
            Self::contradiction(width)
        } else {
            self.clamp_unsigned(min.smax(zero), max)
        };
        negative.join(positive)
    }
    /// The non-negative members, and the negative ones.
    #[must_use]
    pub fn by_sign(self) -> [Self; 2] {
        let sign = Int::signed_min(self.width());
        [Self::new(self.zero.or(sign), self.one), Self::new(self.zero, self.one.or(sign))]
    }
    /// Whether `pred` holds for all pairs of members (true), or for none (false).
    #[must_use]
    pub fn icmp(self, pred: IntPredicate, other: Self) -> Option<bool> {
        use IntPredicate as P;
        if self.is_contradiction() || other.is_contradiction() {
            return None;
        }
        match pred {
            P::Eq | P::Ne => {
                let disjoint = !self.one.and(other.zero).is_zero() || !self.zero.and(other.one).is_zero();
                let same = self.as_constant().is_some() && self == other;
                if disjoint || same { Some(same == (pred == P::Eq)) } else { None }
            }
            P::Ult => order(
                self.unsigned_max().ult(other.unsigned_min()),
                self.unsigned_min().uge(other.unsigned_max()),
            ),
            P::Slt => {
                order(self.signed_max().slt(other.signed_min()), self.signed_min().sge(other.signed_max()))
            }
            P::Ugt | P::Sgt => other.icmp(pred.swapped(), self),
            P::Uge | P::Ule | P::Sge | P::Sle => self.icmp(pred.inverse(), other).map(|known| !known),
        }
    }
}

fn order(always: bool, never: bool) -> Option<bool> {
    if always {
        Some(true)
    } else if never {
        Some(false)
    } else {
        None
    }
}

impl fmt::Display for KnownBits {
    /// One character per bit, highest first: `0`, `1`, `?`, or `!` for a contradiction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for i in (0..self.width()).rev() {
            f.write_str(match (self.zero.bit(i), self.one.bit(i)) {
                (true, true) => "!",
                (true, false) => "0",
                (false, true) => "1",
                (false, false) => "?",
            })?;
        }
        Ok(())
    }
}

impl fmt::Debug for KnownBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KnownBits({self})")
    }
}
