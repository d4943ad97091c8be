//! Constant bit vectors: a width from 1 to [`MAX_WIDTH`] and as many bits.
//!
//! Values of up to 128 bits are a `u128`. Wider values are big integers; only memory blocks, products of two 128-bit
//! factors and ghost counters need them. The operations are SMT-LIB's, including division by zero. Both operands of a
//! binary operation must have the same width; the caller ensures this, and debug builds check it.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

/// The widest bit vector that terms may have, in bits: bounds the cost of exact arithmetic on values.
pub const MAX_WIDTH: u32 = 1 << 13;

/// A bit vector constant.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    value: Value,
}

/// `Narrow` if and only if the width is at most 128; no bit beyond the width is set.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Value {
    Narrow(u128),
    Wide(BigUint),
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// The low `width` bits of `value`.
    ///
    /// # Panics
    ///
    /// If `width` is 0 or larger than [`MAX_WIDTH`].
    pub fn new(width: u32, value: u128) -> Bits {
        assert!((1..=MAX_WIDTH).contains(&width), "bit vector of width {width}");
        let value =
            if width <= 128 { Value::Narrow(value & mask(width)) } else { Value::Wide(BigUint::from(value)) };
        Bits { width, value }
    }

    fn from_big(width: u32, mut value: BigUint) -> Bits {
        if width <= 128 {
            let low = value.iter_u64_digits().take(2).enumerate();
            return Bits::new(width, low.fold(0, |sum, (i, digit)| sum | u128::from(digit) << (64 * i)));
        }
        if value.bits() > u64::from(width) {
            value %= BigUint::from(1u8) << width;
        }
        Bits { width, value: Value::Wide(value) }
    }

    /// A vector from its 64-bit pieces, the lowest first. Missing pieces are zero, bits beyond the width are dropped.
    pub fn from_pieces(width: u32, pieces: &[u64]) -> Bits {
        let halves: Vec<u32> =
            pieces.iter().flat_map(|&piece| [piece as u32, (piece >> 32) as u32]).collect();
        Bits::from_big(width, BigUint::new(halves))
    }

    fn big(&self) -> BigUint {
        match &self.value {
            Value::Narrow(value) => BigUint::from(*value),
            Value::Wide(value) => value.clone(),
        }
    }

    /// All bits zero.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// All bits one, the largest unsigned value.
    pub fn ones(width: u32) -> Bits {
        Bits::zero(width).not()
    }

    /// The smallest signed value.
    pub fn signed_min(width: u32) -> Bits {
        Bits::new(width, 1).shl_by(width - 1)
    }

    /// The largest signed value.
    pub fn signed_max(width: u32) -> Bits {
        Bits::signed_min(width).not()
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, if it fits in a `u128`. Values of up to 128 bits always fit.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.value {
            Value::Narrow(value) => Some(*value),
            Value::Wide(value) => u128::try_from(value).ok(),
        }
    }

    /// The 64-bit pieces, lowest first, as many as the width needs.
    pub fn pieces(&self) -> Vec<u64> {
        let mut pieces = self.big().to_u64_digits();
        pieces.resize(self.width.div_ceil(64) as usize, 0);
        pieces
    }

    /// Whether bit `index` is set; bits beyond the width are not.
    pub fn bit(&self, index: u32) -> bool {
        match &self.value {
            Value::Narrow(value) => index < 128 && value >> index & 1 == 1,
            Value::Wide(value) => value.bit(u64::from(index)),
        }
    }

    /// Whether the sign bit is set.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        *self == Bits::zero(self.width)
    }

    /// Whether the unsigned value is one.
    pub fn is_one(&self) -> bool {
        *self == Bits::new(self.width, 1)
    }

    /// Whether every bit is set.
    pub fn is_ones(&self) -> bool {
        *self == Bits::ones(self.width)
    }

    /// The exponent, if the unsigned value is a power of two.
    pub fn exact_log2(&self) -> Option<u32> {
        match &self.value {
            Value::Narrow(value) => value.is_power_of_two().then(|| value.trailing_zeros()),
            Value::Wide(value) => {
                let low = u32::try_from(value.trailing_zeros()?).ok()?;
                (value.bits() == u64::from(low) + 1).then_some(low)
            }
        }
    }

    fn binary(
        &self,
        other: &Bits,
        narrow: impl Fn(u128, u128) -> u128,
        wide: impl Fn(BigUint, BigUint) -> BigUint,
    ) -> Bits {
        debug_assert_eq!(self.width, other.width);
        match (&self.value, &other.value) {
            (Value::Narrow(a), Value::Narrow(b)) => Bits::new(self.width, narrow(*a, *b)),
            _ => Bits::from_big(self.width, wide(self.big(), other.big())),
        }
    }

    /// `bvnot`.
    #[must_use]
    pub fn not(&self) -> Bits {
        match &self.value {
            Value::Narrow(value) => Bits::new(self.width, !value),
            Value::Wide(value) => {
                let ones = (BigUint::from(1u8) << self.width) - 1u8;
                Bits::from_big(self.width, ones ^ value)
            }
        }
    }

    /// `bvneg`.
    #[must_use]
    pub fn neg(&self) -> Bits {
        self.not().add(&Bits::new(self.width, 1))
    }

    /// `bvadd`.
    #[must_use]
    pub fn add(&self, other: &Bits) -> Bits {
        self.binary(other, u128::wrapping_add, |a, b| a + b)
    }

    /// `bvsub`.
    #[must_use]
    pub fn sub(&self, other: &Bits) -> Bits {
        self.binary(other, u128::wrapping_sub, |a, b| (BigUint::from(1u8) << self.width) + a - b)
    }

    /// `bvmul`.
    #[must_use]
    pub fn mul(&self, other: &Bits) -> Bits {
        self.binary(other, u128::wrapping_mul, |a, b| a * b)
    }

    /// `bvudiv`: all ones if the divisor is zero.
    #[must_use]
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() { Bits::ones(self.width) } else { self.binary(other, |a, b| a / b, |a, b| a / b) }
    }

    /// `bvurem`: the dividend if the divisor is zero.
    #[must_use]
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() { self.clone() } else { self.binary(other, |a, b| a % b, |a, b| a % b) }
    }

    fn magnitude(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `bvsdiv`, rounding toward zero. Division by zero yields 1 for a negative dividend and -1 otherwise.
    #[must_use]
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: the sign follows the dividend. The remainder by zero is the dividend.
    #[must_use]
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// `bvand`.
    #[must_use]
    pub fn and(&self, other: &Bits) -> Bits {
        self.binary(other, |a, b| a & b, |a, b| a & b)
    }

    /// `bvor`.
    #[must_use]
    pub fn or(&self, other: &Bits) -> Bits {
        self.binary(other, |a, b| a | b, |a, b| a | b)
    }

    /// `bvxor`.
    #[must_use]
    pub fn xor(&self, other: &Bits) -> Bits {
        self.binary(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// The shift amount, clamped to `shifted`: a shift by the width or more shifts all bits out.
    fn amount(&self, shifted: u32) -> u32 {
        self.to_u128()
            .and_then(|amount| u32::try_from(amount).ok())
            .map_or(shifted, |amount| amount.min(shifted))
    }

    fn shl_by(&self, amount: u32) -> Bits {
        match &self.value {
            Value::Narrow(value) => Bits::new(self.width, value.checked_shl(amount).unwrap_or(0)),
            Value::Wide(value) => Bits::from_big(self.width, value << amount),
        }
    }

    fn lshr_by(&self, amount: u32) -> Bits {
        match &self.value {
            Value::Narrow(value) => Bits::new(self.width, value.checked_shr(amount).unwrap_or(0)),
            Value::Wide(value) => Bits::from_big(self.width, value >> amount),
        }
    }

    /// `bvshl`: zero if the amount is at least the width.
    #[must_use]
    pub fn shl(&self, amount: &Bits) -> Bits {
        self.shl_by(amount.amount(self.width))
    }

    /// `bvlshr`: zero if the amount is at least the width.
    #[must_use]
    pub fn lshr(&self, amount: &Bits) -> Bits {
        self.lshr_by(amount.amount(self.width))
    }

    /// `bvashr`: copies of the sign bit if the amount is at least the width.
    #[must_use]
    pub fn ashr(&self, amount: &Bits) -> Bits {
        if self.is_negative() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    /// `concat`: `self` in the high bits, `low` in the low ones.
    #[must_use]
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        self.zext(width).shl_by(low.width).or(&low.zext(width))
    }

    /// The bits from `low` to `high`, both included.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        debug_assert!(low <= high && high < self.width);
        self.lshr_by(low).resize(high - low + 1)
    }

    fn resize(&self, width: u32) -> Bits {
        match &self.value {
            Value::Narrow(value) => Bits::new(width, *value),
            Value::Wide(value) => Bits::from_big(width, value.clone()),
        }
    }

    /// Zero extension to `width`, which must be at least the current width.
    #[must_use]
    pub fn zext(&self, width: u32) -> Bits {
        debug_assert!(width >= self.width);
        self.resize(width)
    }

    /// Sign extension to `width`, which must be at least the current width.
    #[must_use]
    pub fn sext(&self, width: u32) -> Bits {
        if self.is_negative() { self.not().zext(width).not() } else { self.zext(width) }
    }

    /// Unsigned order.
    pub fn ucmp(&self, other: &Bits) -> Ordering {
        debug_assert_eq!(self.width, other.width);
        match (&self.value, &other.value) {
            (Value::Narrow(a), Value::Narrow(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }

    /// Signed order.
    pub fn scmp(&self, other: &Bits) -> Ordering {
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.ucmp(other))
    }

    /// Whether the exact unsigned product does not fit the width.
    pub fn umul_overflows(&self, other: &Bits) -> bool {
        let wide = 2 * self.width;
        self.zext(wide).mul(&other.zext(wide)) != self.mul(other).zext(wide)
    }

    /// Whether the exact signed product does not fit the width.
    pub fn smul_overflows(&self, other: &Bits) -> bool {
        let wide = 2 * self.width;
        self.sext(wide).mul(&other.sext(wide)) != self.mul(other).sext(wide)
    }
}

/// Orders by width, then by unsigned value, for use as a map key.
impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.ucmp(other))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Prints SMT-LIB's notation: hexadecimal if the width is a multiple of four, otherwise binary.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, digits) =
            if self.width.is_multiple_of(4) { ("#x", self.width / 4) } else { ("#b", self.width) };
        let digits = digits as usize;
        let value = self.big();
        if base == "#x" { write!(f, "{base}{value:0digits$x}") } else { write!(f, "{base}{value:0digits$b}") }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
