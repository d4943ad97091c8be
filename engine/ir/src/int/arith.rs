//! Arithmetic of [`Int`]: wrapping, division, the conditions of `nuw`, `nsw` and `exact`, saturation, high halves.
//!
//! Requires: operands of one width (see the module header). Guarantees: every result is the mathematical one reduced to
//! the width. A predicate `X_overflows_K` holds if the exact result of `X` over ℤ, with operands read as unsigned or
//! signed, is not a value of the type. It decides whether the flagged instruction is poison, it is the overflow bit of
//! the `llvm.*.with.overflow` intrinsics, and it is the condition under which the saturating forms saturate. At 128
//! bits the exact result may need 256 bits, so the predicates use the standard library's checked operations instead of
//! comparing wrapped values.

use super::{Int, fits_signed, mask};

/// Why a division or remainder is undefined behavior.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum DivisionError {
    /// The divisor is zero.
    #[error("division by zero")]
    ZeroDivisor,
    /// The smallest signed value divided by -1, in `sdiv` or `srem`.
    #[error("signed division overflows")]
    SignedOverflow,
}

/// Wrapping arithmetic: the exact result modulo 2^width.
#[expect(
    clippy::should_implement_trait,
    reason = "a call names the instruction it performs; `+` would hide the wrapping"
)]
impl Int {
    /// `add` without flags.
    #[inline]
    #[must_use]
    pub fn add(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits.wrapping_add(rhs.bits))
    }

    /// `sub` without flags.
    #[inline]
    #[must_use]
    pub fn sub(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits.wrapping_sub(rhs.bits))
    }

    /// `mul` without flags.
    #[inline]
    #[must_use]
    pub fn mul(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        self.wrap(self.bits.wrapping_mul(rhs.bits))
    }

    /// `sub 0, self`.
    #[inline]
    #[must_use]
    pub fn neg(self) -> Self {
        self.wrap(self.bits.wrapping_neg())
    }

    /// `llvm.abs` with its second argument false: the smallest signed value is its own result. With that argument
    /// true the result is poison exactly when [`Int::is_smin`].
    #[inline]
    #[must_use]
    pub fn abs(self) -> Self {
        if self.is_negative() { self.neg() } else { self }
    }

    /// The high half of the unsigned product: `self * rhs / 2^width`, rounded down.
    #[inline]
    #[must_use]
    pub fn mulhi_unsigned(self, rhs: Self) -> Self {
        self.assert_same_width(rhs);
        let (low, high) = self.bits.carrying_mul(rhs.bits, 0);
        if self.width() == Self::MAX_WIDTH {
            self.wrap(high)
        } else {
            self.wrap((low >> self.width()) | (high << (Self::MAX_WIDTH - self.width())))
        }
    }

    /// The high half of the signed product: `self * rhs / 2^width`, rounded towards minus infinity.
    ///
    /// A negative operand is its unsigned value minus 2^width; multiplying that out takes the other operand from
    /// the high half of the unsigned product once for each negative one (Warren, Hacker's Delight, 8-3).
    #[inline]
    #[must_use]
    pub fn mulhi_signed(self, rhs: Self) -> Self {
        let mut high = self.mulhi_unsigned(rhs);
        if self.is_negative() {
            high = high.sub(rhs);
        }
        if rhs.is_negative() {
            high = high.sub(self);
        }
        high
    }
}

/// Division. The remainders have the sign of the dividend, the quotients round towards zero.
impl Int {
    /// Checks that `udiv` and `urem` of these operands are defined.
    #[inline]
    pub fn check_unsigned_division(self, rhs: Self) -> Result<(), DivisionError> {
        self.assert_same_width(rhs);
        if rhs.is_zero() { Err(DivisionError::ZeroDivisor) } else { Ok(()) }
    }

    /// Checks that `sdiv` and `srem` of these operands are defined.
    #[inline]
    pub fn check_signed_division(self, rhs: Self) -> Result<(), DivisionError> {
        self.check_unsigned_division(rhs)?;
        if self.is_smin() && rhs.is_all_ones() { Err(DivisionError::SignedOverflow) } else { Ok(()) }
    }

    /// `udiv`; `None` if it is undefined, see [`Int::check_unsigned_division`].
    #[inline]
    #[must_use]
    pub fn udiv(self, rhs: Self) -> Option<Self> {
        self.check_unsigned_division(rhs).ok()?;
        Some(self.wrap(self.bits / rhs.bits))
    }

    /// `urem`; `None` if it is undefined, see [`Int::check_unsigned_division`].
    #[inline]
    #[must_use]
    pub fn urem(self, rhs: Self) -> Option<Self> {
        self.check_unsigned_division(rhs).ok()?;
        Some(self.wrap(self.bits % rhs.bits))
    }

    /// `sdiv`; `None` if it is undefined, see [`Int::check_signed_division`].
    #[inline]
    #[must_use]
    pub fn sdiv(self, rhs: Self) -> Option<Self> {
        self.check_signed_division(rhs).ok()?;
        Some(self.wrap((self.signed() / rhs.signed()) as u128))
    }

    /// `srem`; `None` if it is undefined, see [`Int::check_signed_division`].
    #[inline]
    #[must_use]
    pub fn srem(self, rhs: Self) -> Option<Self> {
        self.check_signed_division(rhs).ok()?;
        Some(self.wrap((self.signed() % rhs.signed()) as u128))
    }

    /// Whether `udiv exact` is well-defined and not poison: the division is defined and leaves no remainder.
    #[inline]
    #[must_use]
    pub fn udiv_is_exact(self, rhs: Self) -> bool {
        self.urem(rhs).is_some_and(Self::is_zero)
    }

    /// Whether `sdiv exact` is well-defined and not poison: the division is defined and leaves no remainder.
    #[inline]
    #[must_use]
    pub fn sdiv_is_exact(self, rhs: Self) -> bool {
        self.srem(rhs).is_some_and(Self::is_zero)
    }
}

/// Overflow: whether the exact result is not a value of the type.
impl Int {
    /// Whether `add nuw` is poison.
    #[inline]
    #[must_use]
    pub fn add_overflows_unsigned(self, rhs: Self) -> bool {
        self.assert_same_width(rhs);
        exceeds_unsigned(self.bits.checked_add(rhs.bits), self.width())
    }

    /// Whether `add nsw` is poison.
    #[inline]
    #[must_use]
    pub fn add_overflows_signed(self, rhs: Self) -> bool {
        self.assert_same_width(rhs);
        exceeds_signed(self.signed().checked_add(rhs.signed()), self.width())
    }

    /// Whether `sub nuw` is poison.
    #[inline]
    #[must_use]
    pub fn sub_overflows_unsigned(self, rhs: Self) -> bool {
        self.ult(rhs)
    }

    /// Whether `sub nsw` is poison.
    #[inline]
    #[must_use]
    pub fn sub_overflows_signed(self, rhs: Self) -> bool {
        self.assert_same_width(rhs);
        exceeds_signed(self.signed().checked_sub(rhs.signed()), self.width())
    }

    /// Whether `mul nuw` is poison.
    #[inline]
    #[must_use]
    pub fn mul_overflows_unsigned(self, rhs: Self) -> bool {
        self.assert_same_width(rhs);
        exceeds_unsigned(self.bits.checked_mul(rhs.bits), self.width())
    }

    /// Whether `mul nsw` is poison.
    #[inline]
    #[must_use]
    pub fn mul_overflows_signed(self, rhs: Self) -> bool {
        self.assert_same_width(rhs);
        exceeds_signed(self.signed().checked_mul(rhs.signed()), self.width())
    }
}

/// Saturation: the exact result, or the nearest value of the type.
impl Int {
    /// `llvm.uadd.sat`.
    #[inline]
    #[must_use]
    pub fn uadd_sat(self, rhs: Self) -> Self {
        if self.add_overflows_unsigned(rhs) { Self::unsigned_max(self.width()) } else { self.add(rhs) }
    }

    /// `llvm.usub.sat`.
    #[inline]
    #[must_use]
    pub fn usub_sat(self, rhs: Self) -> Self {
        if self.sub_overflows_unsigned(rhs) { Self::zero(self.width()) } else { self.sub(rhs) }
    }

    /// `llvm.sadd.sat`.
    #[inline]
    #[must_use]
    pub fn sadd_sat(self, rhs: Self) -> Self {
        if self.add_overflows_signed(rhs) { self.signed_bound() } else { self.add(rhs) }
    }

    /// `llvm.ssub.sat`.
    #[inline]
    #[must_use]
    pub fn ssub_sat(self, rhs: Self) -> Self {
        if self.sub_overflows_signed(rhs) { self.signed_bound() } else { self.sub(rhs) }
    }

    /// `llvm.ushl.sat`; `None` (poison) if the amount is at least the width.
    #[inline]
    #[must_use]
    pub fn ushl_sat(self, amount: Self) -> Option<Self> {
        let shifted = self.shl(amount)?;
        Some(if self.shl_loses_unsigned(amount) { Self::unsigned_max(self.width()) } else { shifted })
    }

    /// `llvm.sshl.sat`; `None` (poison) if the amount is at least the width.
    #[inline]
    #[must_use]
    pub fn sshl_sat(self, amount: Self) -> Option<Self> {
        let shifted = self.shl(amount)?;
        Some(if self.shl_loses_signed(amount) { self.signed_bound() } else { shifted })
    }

    /// The bound of the signed range with this value's sign. A signed sum, difference or left shift overflows in the
    /// direction of the sign of its first operand.
    #[inline]
    fn signed_bound(self) -> Self {
        if self.is_negative() { Self::signed_min(self.width()) } else { Self::signed_max(self.width()) }
    }
}

/// Whether an exact unsigned result, `None` if it needs more than 128 bits, does not fit in the type.
#[inline]
fn exceeds_unsigned(exact: Option<u128>, width: u32) -> bool {
    exact.is_none_or(|value| value > mask(width))
}

/// Whether an exact signed result, `None` if it needs more than 128 bits, does not fit in the type.
#[inline]
fn exceeds_signed(exact: Option<i128>, width: u32) -> bool {
    exact.is_none_or(|value| !fits_signed(value, width))
}
