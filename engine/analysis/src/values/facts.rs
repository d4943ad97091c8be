//! Facts of one integer or pointer: known bits and a range, each sharpened by the other.

use crate::known_bits::KnownBits;
use crate::range::ConstantRange;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use std::fmt;

/// Known bits and a range of one value; for a vector, of each of its lanes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Facts {
    /// The known bits.
    pub bits: KnownBits,
    /// The range.
    pub range: ConstantRange,
}

impl Facts {
    /// Nothing is known.
    #[must_use]
    pub fn unknown(width: u32) -> Self {
        Self { bits: KnownBits::unknown(width), range: ConstantRange::full(width) }
    }
    /// No value is possible: always poison, or never computed.
    #[must_use]
    pub fn none(width: u32) -> Self {
        Self { bits: KnownBits::contradiction(width), range: ConstantRange::empty(width) }
    }
    /// A single value.
    #[must_use]
    pub fn constant(value: Int) -> Self {
        Self { bits: KnownBits::constant(value), range: ConstantRange::constant(value) }
    }
    /// From known bits.
    #[must_use]
    pub fn from_bits(bits: KnownBits) -> Self {
        Self { bits, range: ConstantRange::full(bits.width()) }.sharpened()
    }
    /// From a range.
    #[must_use]
    pub fn from_range(range: ConstantRange) -> Self {
        Self { bits: range.known_bits(), range }.sharpened()
    }
    /// From both.
    #[must_use]
    pub fn new(bits: KnownBits, range: ConstantRange) -> Self {
        Self { bits, range }.sharpened()
    }
    /// The width in bits.
    #[must_use]
    pub fn width(self) -> u32 {
        self.bits.width()
    }
    /// Whether no value is possible.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.bits.is_contradiction() || self.range.is_empty()
    }
    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self.bits.is_unknown() && self.range.is_full()
    }
    /// The only value, if there is exactly one.
    #[must_use]
    pub fn as_constant(self) -> Option<Int> {
        self.bits.as_constant().or_else(|| self.range.as_constant())
    }
    /// Whether `value` is possible.
    #[must_use]
    pub fn contains(self, value: Int) -> bool {
        self.bits.contains(value) && self.range.contains(value)
    }
    /// The facts that hold for a value with either of the facts.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self == other || other.is_none() {
            return self;
        }
        if self.is_none() {
            return other;
        }
        Self { bits: self.bits.join(other.bits), range: self.range.union(other.range) }
    }
    /// The facts that hold for a value with both of the facts.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        if self == other || other.is_unknown() {
            return self;
        }
        if self.is_unknown() {
            return other;
        }
        let bits = self.bits.meet(other.bits);
        if bits.is_unknown() || self.range.is_full() || other.range.is_full() {
            return Self { bits, range: self.range.intersect(other.range) }.sharpened();
        }
        // Two arcs may intersect in two arcs, of which one is kept: first exclude what the bits rule out.
        let (range, other) = (self.range.meet_known_bits(bits), other.range.meet_known_bits(bits));
        Self { bits, range: range.intersect(other) }.sharpened()
    }
    /// Whether every value with these facts has the facts `other`.
    #[must_use]
    pub fn implies(self, other: Self) -> bool {
        self.is_none() || self.bits.implies(other.bits) && other.range.contains_range(self.range)
    }
    /// Whether `pred` holds for all pairs of values (true), or for none (false).
    #[must_use]
    pub fn icmp(self, pred: IntPredicate, other: Self) -> Option<bool> {
        self.range.icmp(pred, other.range).or_else(|| self.bits.icmp(pred, other.bits))
    }
    /// Sharpens each part with the other.
    fn sharpened(self) -> Self {
        if self.range.is_full() && self.bits.is_unknown() {
            return self;
        }
        if let Some(value) = self.bits.as_constant() {
            let possible = self.range.contains(value);
            return if possible { Self::constant(value) } else { Self::none(self.width()) };
        }
        let bits = self.bits.meet(self.range.known_bits());
        let range = if bits.is_unknown() { self.range } else { self.range.meet_known_bits(bits) };
        if bits.is_contradiction() || range.is_empty() {
            Self::none(self.width())
        } else {
            Self { bits, range }
        }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.bits, self.range)
    }
}
