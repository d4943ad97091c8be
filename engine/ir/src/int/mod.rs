//! `Int`: a value of LLVM's type `iN`, 1 ≤ N ≤ 128, as a bit pattern without a signedness.
//!
//! Purpose: the optimizer folds with it, the interpreter computes with it, and the SMT encoder reads its models back
//! into it. They agree on the meaning of `iN` because this is the only definition.
//!
//! Requires: the two operands of an operation have the same width, and widths lie in `1..=Int::MAX_WIDTH`. Code that
//! takes types from input must check them first; a wrong width is a programming error. Constructors and width changes
//! panic on a width outside `1..=128`. Operands of different widths panic in builds with debug assertions; otherwise
//! the result is an unspecified `Int` of the first operand's width.
//!
//! Guarantees: the bits above the width are always zero, so derived equality and hashing are exact. No operation panics
//! because of the values of its operands. Operations that can be poison or undefined behavior in LLVM return an
//! `Option`, and each flag (`nuw`, `nsw`, `exact`, `disjoint`) has a separate predicate.
//!
//! Source: LLVM Language Reference, "Binary Operations", "Bitwise Binary Operations", "Conversion Operations" and the
//! integer intrinsics; a single type that carries its width is the idea of LLVM's `APInt`.
//!
//! `arith` holds arithmetic, overflow and saturation; `bits` holds logic, shifts and counting; `text` parses and
//! prints.

mod arith;
mod bits;
mod text;

use std::cmp::Ordering;

pub use arith::DivisionError;
pub use text::IntParseError;

/// A two's-complement integer of 1 to 128 bits. It has no inherent order: use `ult` or `slt`.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Int {
    bits: u128,
    width: u8,
}

/// A mask of the low `width` bits; `width` must be in `1..=128`.
#[inline]
const fn mask(width: u32) -> u128 {
    u128::MAX >> (Int::MAX_WIDTH - width)
}

/// Whether `value` is a signed value of a type of `width` bits.
#[inline]
const fn fits_signed(value: i128, width: u32) -> bool {
    let unused = Int::MAX_WIDTH - width;
    (value << unused) >> unused == value
}

/// Construction.
impl Int {
    /// The maximum width, in bits: the bits are stored in a `u128`.
    pub const MAX_WIDTH: u32 = 128;

    /// The low `width` bits of `bits`.
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    #[inline]
    #[must_use]
    pub const fn new(width: u32, bits: u128) -> Self {
        assert!(width >= 1 && width <= Self::MAX_WIDTH, "integer width must be in 1..=128");
        Self { bits: bits & mask(width), width: width as u8 }
    }

    /// The low `width` bits of `value` in two's complement. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn from_i128(width: u32, value: i128) -> Self {
        Self::new(width, value as u128)
    }

    /// 0. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn zero(width: u32) -> Self {
        Self::new(width, 0)
    }

    /// 1, which at width 1 is also -1. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn one(width: u32) -> Self {
        Self::new(width, 1)
    }

    /// Every bit set: -1 signed, the largest value unsigned. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn all_ones(width: u32) -> Self {
        Self::new(width, u128::MAX)
    }

    /// The largest unsigned value, 2^width - 1. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn unsigned_max(width: u32) -> Self {
        Self::all_ones(width)
    }

    /// The smallest signed value, -2^(width - 1). Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn signed_min(width: u32) -> Self {
        let all = Self::all_ones(width);
        all.wrap(all.bits ^ (all.bits >> 1))
    }

    /// The largest signed value, 2^(width - 1) - 1. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn signed_max(width: u32) -> Self {
        let all = Self::all_ones(width);
        all.wrap(all.bits >> 1)
    }

    /// `true` or `false` as an `i1`.
    #[inline]
    #[must_use]
    pub const fn bool(value: bool) -> Self {
        Self::new(1, value as u128)
    }

    /// -1, 0 or 1, as returned by `llvm.ucmp` and `llvm.scmp`. `width` must be at least 2, as those intrinsics require;
    /// at width 1 less and greater yield the same value. Panics as [`Int::new`] does.
    #[inline]
    #[must_use]
    pub const fn from_ordering(width: u32, ordering: Ordering) -> Self {
        Self::from_i128(width, ordering as i128)
    }

    /// The low bits of `bits`, truncated to this integer's width.
    #[inline]
    const fn wrap(self, bits: u128) -> Self {
        Self { bits: bits & self.mask(), width: self.width }
    }

    #[inline]
    const fn mask(self) -> u128 {
        mask(self.width())
    }
}

/// Inspection.
impl Int {
    /// The width in bits, 1 to 128.
    #[inline]
    #[must_use]
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// The unsigned value.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.bits
    }

    /// The signed value.
    #[inline]
    #[must_use]
    pub const fn signed(self) -> i128 {
        let unused = Self::MAX_WIDTH - self.width();
        ((self.bits << unused) as i128) >> unused
    }

    /// The unsigned value, if it fits in a `u64`.
    #[inline]
    #[must_use]
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.bits).ok()
    }

    /// The signed value, if it fits in an `i64`.
    #[inline]
    #[must_use]
    pub fn to_i64(self) -> Option<i64> {
        i64::try_from(self.signed()).ok()
    }

    /// Whether every bit is clear.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.bits == 0
    }

    /// Whether the unsigned value is 1 (at width 1 this is -1 too).
    #[inline]
    #[must_use]
    pub const fn is_one(self) -> bool {
        self.bits == 1
    }

    /// Whether every bit is set.
    #[inline]
    #[must_use]
    pub const fn is_all_ones(self) -> bool {
        self.bits == self.mask()
    }

    /// Whether the sign bit is set.
    #[inline]
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.bits >> (self.width() - 1) != 0
    }

    /// Whether this is the smallest signed value.
    #[inline]
    #[must_use]
    pub const fn is_smin(self) -> bool {
        self.bits == self.mask() ^ (self.mask() >> 1)
    }

    /// Whether this is the largest signed value.
    #[inline]
    #[must_use]
    pub const fn is_smax(self) -> bool {
        self.bits == self.mask() >> 1
    }

    /// Whether exactly one bit is set; true for the smallest signed value, whose unsigned value is 2^(width - 1).
    #[inline]
    #[must_use]
    pub const fn is_power_of_two(self) -> bool {
        self.bits.is_power_of_two()
    }
}

/// Comparison of two values of the same width.
impl Int {
    /// Compares the unsigned values.
    #[inline]
    #[must_use]
    pub fn ucmp(self, rhs: Self) -> Ordering {
        self.assert_same_width(rhs);
        self.bits.cmp(&rhs.bits)
    }

    /// Compares the signed values.
    #[inline]
    #[must_use]
    pub fn scmp(self, rhs: Self) -> Ordering {
        self.assert_same_width(rhs);
        self.signed().cmp(&rhs.signed())
    }

    /// `icmp ult`.
    #[inline]
    #[must_use]
    pub fn ult(self, rhs: Self) -> bool {
        self.ucmp(rhs).is_lt()
    }

    /// `icmp ule`.
    #[inline]
    #[must_use]
    pub fn ule(self, rhs: Self) -> bool {
        self.ucmp(rhs).is_le()
    }

    /// `icmp ugt`.
    #[inline]
    #[must_use]
    pub fn ugt(self, rhs: Self) -> bool {
        self.ucmp(rhs).is_gt()
    }

    /// `icmp uge`.
    #[inline]
    #[must_use]
    pub fn uge(self, rhs: Self) -> bool {
        self.ucmp(rhs).is_ge()
    }

    /// `icmp slt`.
    #[inline]
    #[must_use]
    pub fn slt(self, rhs: Self) -> bool {
        self.scmp(rhs).is_lt()
    }

    /// `icmp sle`.
    #[inline]
    #[must_use]
    pub fn sle(self, rhs: Self) -> bool {
        self.scmp(rhs).is_le()
    }

    /// `icmp sgt`.
    #[inline]
    #[must_use]
    pub fn sgt(self, rhs: Self) -> bool {
        self.scmp(rhs).is_gt()
    }

    /// `icmp sge`.
    #[inline]
    #[must_use]
    pub fn sge(self, rhs: Self) -> bool {
        self.scmp(rhs).is_ge()
    }

    /// The smaller unsigned value.
    #[inline]
    #[must_use]
    pub fn umin(self, rhs: Self) -> Self {
        if self.ule(rhs) { self } else { rhs }
    }

    /// The larger unsigned value.
    #[inline]
    #[must_use]
    pub fn umax(self, rhs: Self) -> Self {
        if self.uge(rhs) { self } else { rhs }
    }

    /// The smaller signed value.
    #[inline]
    #[must_use]
    pub fn smin(self, rhs: Self) -> Self {
        if self.sle(rhs) { self } else { rhs }
    }

    /// The larger signed value.
    #[inline]
    #[must_use]
    pub fn smax(self, rhs: Self) -> Self {
        if self.sge(rhs) { self } else { rhs }
    }

    #[inline]
    fn assert_same_width(self, rhs: Self) {
        debug_assert_eq!(self.width, rhs.width, "operands of one operation have one width");
    }
}

/// Width changes. The new width may equal the old one. Each function panics as [`Int::new`] does.
impl Int {
    /// Truncates to `width` bits, at most this integer's width (a debug assertion).
    #[inline]
    #[must_use]
    pub fn trunc(self, width: u32) -> Self {
        debug_assert!(width <= self.width(), "trunc must not widen");
        Self::new(width, self.bits)
    }

    /// Zero-extends to `width` bits, at least this integer's width (a debug assertion).
    #[inline]
    #[must_use]
    pub fn zext(self, width: u32) -> Self {
        debug_assert!(width >= self.width(), "zext must not narrow");
        Self::new(width, self.bits)
    }

    /// Sign-extends to `width` bits, at least this integer's width (a debug assertion).
    #[inline]
    #[must_use]
    pub fn sext(self, width: u32) -> Self {
        debug_assert!(width >= self.width(), "sext must not narrow");
        Self::from_i128(width, self.signed())
    }

    /// Sign-extends or truncates to `width` bits.
    #[inline]
    #[must_use]
    pub fn sext_or_trunc(self, width: u32) -> Self {
        if self.width() < width { self.sext(width) } else { self.trunc(width) }
    }

    /// Whether `trunc nuw` to `width` is poison: the unsigned value does not fit.
    #[inline]
    #[must_use]
    pub fn trunc_loses_unsigned(self, width: u32) -> bool {
        self.trunc(width).bits != self.bits
    }

    /// Whether `trunc nsw` to `width` is poison: the signed value does not fit.
    #[inline]
    #[must_use]
    pub fn trunc_loses_signed(self, width: u32) -> bool {
        self.trunc(width).signed() != self.signed()
    }
}
