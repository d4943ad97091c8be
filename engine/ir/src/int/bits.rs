//! Bit operations of [`Int`]: logic, shifts, funnel shifts, counting, reversal, extraction and concatenation.
//!
//! Requires: operands of one width (see the module header). A shift amount is an unsigned `Int` of the width of the
//! shifted value, as in the instruction. Guarantees: bit 0 is the least significant. A shift by the width or more is
//! `None` (LLVM: poison), while the funnel shifts and rotations take the amount modulo the width.

use super::{Int, mask};

/// Logic.
#[expect(
    clippy::should_implement_trait,
    reason = "a call names the instruction it performs, as in arithmetic"
)]
impl Int {
    /// Bitwise complement: `xor self, -1`.
    #[inline]
    #[must_use]
    pub fn not(self) -> Self {
        self.wrap(!self.bits)
    }

    /// `and`.
    #[inline]
    #[must_use]
    pub fn and(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits & rhs.bits)
    }

    /// `or`.
    #[inline]
    #[must_use]
    pub fn or(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits | rhs.bits)
    }

    /// `xor`.
    #[inline]
    #[must_use]
    pub fn xor(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits ^ rhs.bits)
    }

    /// Whether `self` and `rhs` have no set bit in common: the condition of `or disjoint`.
    #[inline]
    #[must_use]
    pub fn is_disjoint(self, rhs: Self) -> bool {
        self.and(rhs).is_zero()
    }
}

/// Shifts.
#[expect(
    clippy::should_implement_trait,
    reason = "a call names the instruction it performs, as in arithmetic"
)]
impl Int {
    /// `shl` without flags; `None` (poison) if the amount is at least the width.
    #[inline]
    #[must_use]
    pub fn shl(self, amount: Self) -> Option<Self> {
        Some(self.wrap(self.bits << self.shift_by(amount)?))
    }

    /// `lshr` without flags; `None` (poison) if the amount is at least the width.
    #[inline]
    #[must_use]
    pub fn lshr(self, amount: Self) -> Option<Self> {
        Some(self.wrap(self.bits >> self.shift_by(amount)?))
    }

    /// `ashr` without flags; `None` (poison) if the amount is at least the width.
    #[inline]
    #[must_use]
    pub fn ashr(self, amount: Self) -> Option<Self> {
        Some(self.wrap((self.signed() >> self.shift_by(amount)?) as u128))
    }

    /// Whether `shl nuw` is poison: the amount is at least the width, or a set bit is shifted out.
    #[inline]
    #[must_use]
    pub fn shl_loses_unsigned(self, amount: Self) -> bool {
        self.shl(amount).and_then(|shifted| shifted.lshr(amount)) != Some(self)
    }

    /// Whether `shl nsw` is poison: the amount is at least the width, or a bit is shifted out that differs from the
    /// sign bit of the result.
    #[inline]
    #[must_use]
    pub fn shl_loses_signed(self, amount: Self) -> bool {
        self.shl(amount).and_then(|shifted| shifted.ashr(amount)) != Some(self)
    }

    /// Whether `lshr exact` is not poison: the amount is below the width and no set bit is shifted out.
    #[inline]
    #[must_use]
    pub fn lshr_is_exact(self, amount: Self) -> bool {
        self.lshr(amount).and_then(|shifted| shifted.shl(amount)) == Some(self)
    }

    /// Whether `ashr exact` is not poison: the amount is below the width and no set bit is shifted out.
    #[inline]
    #[must_use]
    pub fn ashr_is_exact(self, amount: Self) -> bool {
        self.ashr(amount).and_then(|shifted| shifted.shl(amount)) == Some(self)
    }

    /// `llvm.fshl`: the high half of `self:low` shifted left by `amount` modulo the width.
    #[inline]
    #[must_use]
    pub fn fshl(self, low: Self, amount: Self) -> Self {
        self.assert_same_width(low);
        match self.rotate_by(amount) {
            0 => self,
            by => self.wrap((self.bits << by) | (low.bits >> (self.width() - by))),
        }
    }

    /// `llvm.fshr`: the low half of `self:low` shifted right by `amount` modulo the width.
    #[inline]
    #[must_use]
    pub fn fshr(self, low: Self, amount: Self) -> Self {
        self.assert_same_width(low);
        match self.rotate_by(amount) {
            0 => low,
            by => self.wrap((self.bits << (self.width() - by)) | (low.bits >> by)),
        }
    }

    /// Rotation left by `amount` modulo the width.
    #[inline]
    #[must_use]
    pub fn rotl(self, amount: Self) -> Self {
        self.fshl(self, amount)
    }

    /// Rotation right by `amount` modulo the width.
    #[inline]
    #[must_use]
    pub fn rotr(self, amount: Self) -> Self {
        self.fshr(self, amount)
    }

    #[inline]
    fn shift_by(self, amount: Self) -> Option<u32> {
        self.assert_same_width(amount);
        (amount.bits < u128::from(self.width)).then_some(amount.bits as u32)
    }

    #[inline]
    fn rotate_by(self, amount: Self) -> u32 {
        self.assert_same_width(amount);
        (amount.bits % u128::from(self.width)) as u32
    }
}

/// Counting: as a number of bits, and as the `Int` of the same width that the intrinsic returns (every width can
/// represent itself).
impl Int {
    /// The number of leading zeros; the width if all bits are clear.
    #[inline]
    #[must_use]
    pub fn leading_zeros(self) -> u32 {
        self.bits.leading_zeros() - (Self::MAX_WIDTH - self.width())
    }

    /// The number of leading ones; the width if all bits are set.
    #[inline]
    #[must_use]
    pub fn leading_ones(self) -> u32 {
        self.not().leading_zeros()
    }

    /// The number of trailing zeros; the width if all bits are clear.
    #[inline]
    #[must_use]
    pub fn trailing_zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.width())
    }

    /// The number of trailing ones; the width if all bits are set.
    #[inline]
    #[must_use]
    pub fn trailing_ones(self) -> u32 {
        self.bits.trailing_ones()
    }

    /// The number of set bits.
    #[inline]
    #[must_use]
    pub fn count_ones(self) -> u32 {
        self.bits.count_ones()
    }

    /// The number of leading bits equal to the sign bit, including the sign bit; at least 1.
    #[inline]
    #[must_use]
    pub fn sign_bits(self) -> u32 {
        if self.is_negative() { self.leading_ones() } else { self.leading_zeros() }
    }

    /// `log2`, if exactly one bit is set.
    #[inline]
    #[must_use]
    pub fn exact_log2(self) -> Option<u32> {
        self.is_power_of_two().then(|| self.trailing_zeros())
    }

    /// `llvm.ctpop`.
    #[inline]
    #[must_use]
    pub fn ctpop(self) -> Self {
        self.wrap(u128::from(self.count_ones()))
    }

    /// `llvm.ctlz` with `is_zero_poison` false. If it is true, zero yields poison; see [`Int::is_zero`].
    #[inline]
    #[must_use]
    pub fn ctlz(self) -> Self {
        self.wrap(u128::from(self.leading_zeros()))
    }

    /// `llvm.cttz` with `is_zero_poison` false. If it is true, zero yields poison; see [`Int::is_zero`].
    #[inline]
    #[must_use]
    pub fn cttz(self) -> Self {
        self.wrap(u128::from(self.trailing_zeros()))
    }
}

/// Moving bits and bytes.
impl Int {
    /// `llvm.bswap`: the bytes in reverse order. `None` unless the width is an even number of bytes, as the intrinsic
    /// requires.
    #[inline]
    #[must_use]
    pub fn bswap(self) -> Option<Self> {
        self.width
            .is_multiple_of(16)
            .then(|| self.wrap(self.bits.swap_bytes() >> (Self::MAX_WIDTH - self.width())))
    }

    /// `llvm.bitreverse`: the bits in reverse order.
    #[inline]
    #[must_use]
    pub fn bitreverse(self) -> Self {
        self.wrap(self.bits.reverse_bits() >> (Self::MAX_WIDTH - self.width()))
    }

    /// Whether bit `index` is set; `index` must be below the width (a debug assertion).
    #[inline]
    #[must_use]
    pub fn bit(self, index: u32) -> bool {
        debug_assert!(index < self.width(), "bit index is below the width");
        self.bits & 1u128.wrapping_shl(index) != 0
    }

    /// Bits `lo` to `lo + width - 1` as an integer of `width` bits; they must all be bits of `self` (a debug
    /// assertion).
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    #[inline]
    #[must_use]
    pub fn extract(self, lo: u32, width: u32) -> Self {
        debug_assert!(lo < self.width() && width <= self.width() - lo, "extract stays inside");
        Self::new(width, self.bits.wrapping_shr(lo))
    }

    /// The concatenation of `self` (high) and `low`: `self * 2^low.width() + low`.
    ///
    /// # Panics
    /// If the sum of the widths exceeds 128.
    #[inline]
    #[must_use]
    pub fn concat(self, low: Self) -> Self {
        Self::new(self.width() + low.width(), (self.bits << low.width()) | low.bits)
    }

    /// The integer of `width` bits with the lowest `count` bits set; all bits are set if `count` is at least the width.
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    #[inline]
    #[must_use]
    pub fn low_ones(width: u32, count: u32) -> Self {
        Self::new(width, if count == 0 { 0 } else { mask(count.min(Self::MAX_WIDTH)) })
    }
}
