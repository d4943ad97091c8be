//! Bits of [`Int`]: logic, shifts, funnel shifts, counting, reversal, taking apart and putting together.
//!
//! Needs: operands of one width (see the module's head); a shift amount is an unsigned `Int` of the width of what it
//! shifts, as in the instruction. Guarantees: bit 0 is the least significant. A shift by the width or more has no
//! value (LLVM: poison), while the funnel shifts and rotations take the amount modulo the width.

use super::{Int, mask};

/// Logic.
#[expect(
    clippy::should_implement_trait,
    reason = "a call names the instruction it performs, as in arithmetic"
)]
impl Int {
    /// Every bit flipped: `xor self, -1`.
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

    /// Whether no bit is set in both: `or disjoint` has a value.
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
    /// `shl` without flags; `None` (poison) if the amount is not below the width.
    #[inline]
    #[must_use]
    pub fn shl(self, amount: Self) -> Option<Self> {
        Some(self.wrap(self.bits << self.shift_by(amount)?))
    }

    /// `lshr` without flags; `None` (poison) if the amount is not below the width.
    #[inline]
    #[must_use]
    pub fn lshr(self, amount: Self) -> Option<Self> {
        Some(self.wrap(self.bits >> self.shift_by(amount)?))
    }

    /// `ashr` without flags; `None` (poison) if the amount is not below the width.
    #[inline]
    #[must_use]
    pub fn ashr(self, amount: Self) -> Option<Self> {
        Some(self.wrap((self.signed() >> self.shift_by(amount)?) as u128))
    }

    /// Whether `shl nuw` is poison: the amount is not below the width, or a set bit is shifted out.
    #[inline]
    #[must_use]
    pub fn shl_loses_unsigned(self, amount: Self) -> bool {
        self.shl(amount).and_then(|shifted| shifted.lshr(amount)) != Some(self)
    }

    /// Whether `shl nsw` is poison: the amount is not below the width, or a bit is shifted out that differs from
    /// the sign bit of the result.
    #[inline]
    #[must_use]
    pub fn shl_loses_signed(self, amount: Self) -> bool {
        self.shl(amount).and_then(|shifted| shifted.ashr(amount)) != Some(self)
    }

    /// Whether `lshr exact` has a value: the amount is below the width and no set bit is shifted out.
    #[inline]
    #[must_use]
    pub fn lshr_is_exact(self, amount: Self) -> bool {
        self.lshr(amount).and_then(|shifted| shifted.shl(amount)) == Some(self)
    }

    /// Whether `ashr exact` has a value: the amount is below the width and no set bit is shifted out.
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

    /// The bits moved up by `amount` modulo the width, those that leave entering at the bottom.
    #[inline]
    #[must_use]
    pub fn rotl(self, amount: Self) -> Self {
        self.fshl(self, amount)
    }

    /// The bits moved down by `amount` modulo the width, those that leave entering at the top.
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

/// Counting: as a plain number of bits, and as the `Int` of the same width that the intrinsic returns (the width
/// itself fits in every width).
impl Int {
    /// How many bits above the highest set bit are clear; the width if all are.
    #[inline]
    #[must_use]
    pub fn leading_zeros(self) -> u32 {
        self.bits.leading_zeros() - (Self::MAX_WIDTH - self.width())
    }

    /// How many bits above the highest clear bit are set; the width if all are.
    #[inline]
    #[must_use]
    pub fn leading_ones(self) -> u32 {
        self.not().leading_zeros()
    }

    /// How many bits below the lowest set bit are clear; the width if all are.
    #[inline]
    #[must_use]
    pub fn trailing_zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.width())
    }

    /// How many bits below the lowest clear bit are set; the width if all are.
    #[inline]
    #[must_use]
    pub fn trailing_ones(self) -> u32 {
        self.bits.trailing_ones()
    }

    /// How many bits are set.
    #[inline]
    #[must_use]
    pub fn count_ones(self) -> u32 {
        self.bits.count_ones()
    }

    /// How many of the highest bits equal the sign bit, itself included; at least 1.
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

    /// `llvm.ctlz` with its second argument false. With that argument true zero gives poison: ask
    /// [`Int::is_zero`].
    #[inline]
    #[must_use]
    pub fn ctlz(self) -> Self {
        self.wrap(u128::from(self.leading_zeros()))
    }

    /// `llvm.cttz` with its second argument false. With that argument true zero gives poison: ask
    /// [`Int::is_zero`].
    #[inline]
    #[must_use]
    pub fn cttz(self) -> Self {
        self.wrap(u128::from(self.trailing_zeros()))
    }
}

/// Moving whole bits around.
impl Int {
    /// `llvm.bswap`: the bytes in reverse order. `None` unless the width is an even number of bytes, the widths
    /// that the intrinsic exists for.
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

    /// Whether bit `index` is set; `index` is below the width (a debug assertion).
    #[inline]
    #[must_use]
    pub fn bit(self, index: u32) -> bool {
        debug_assert!(index < self.width(), "bit index is below the width");
        self.bits & 1u128.wrapping_shl(index) != 0
    }

    /// Bits `lo` to `lo + width - 1` as an integer of `width` bits; all of them are bits of `self` (a debug
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

    /// `self` above `low`: `self * 2^low.width() + low`.
    ///
    /// # Panics
    /// If the widths add up to more than 128.
    #[inline]
    #[must_use]
    pub fn concat(self, low: Self) -> Self {
        Self::new(self.width() + low.width(), (self.bits << low.width()) | low.bits)
    }

    /// The integer of `width` bits with the lowest `count` bits set and the others clear; all set if `count` is
    /// the width or more.
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    #[inline]
    #[must_use]
    pub fn low_ones(width: u32, count: u32) -> Self {
        Self::new(width, if count == 0 { 0 } else { mask(count.min(Self::MAX_WIDTH)) })
    }
}
