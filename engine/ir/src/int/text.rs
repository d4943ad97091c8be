//! Text of [`Int`]: parses and prints the spellings of integer constants in LLVM assembly.
//!
//! Accepts `-?[0-9]+`, `u0x[0-9A-Fa-f]+` and `s0x[0-9A-Fa-f]+`, without surrounding text, and neither `true` nor
//! `false`. Parsing takes linear time and constant memory, so long digit strings from untrusted input are harmless.
//!
//! A literal denotes an integer in ℤ, independent of the type. Decimal and `u0x` literals have their plain value. An
//! `s0x` literal is sign-extended from its highest set bit (LLVM Language Reference, "Simple Constants"), so it is
//! never positive: `s0x7` and `s0x07` are both -1. [`Int::parse`] requires that integer to be a signed or unsigned
//! value of the type; [`Int::parse_wrapping`] silently reduces it modulo 2^width, which is the observed behavior of
//! LLVM 22.
//!
//! Prints signed decimal, as LLVM does for every type except `i1`; the printer writes `true` and `false` itself.

use std::fmt;

use super::{Int, fits_signed};

/// Why a text is not an integer constant of the type. Offsets are in bytes from the start of the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IntParseError {
    /// The text ends where a digit is required.
    #[error("expected a digit")]
    MissingDigits {
        /// The offset of the missing digit: the length of the text.
        offset: usize,
    },
    /// A byte that is not a digit of this spelling.
    #[error("not a digit of an integer constant")]
    InvalidDigit {
        /// The offset of the byte.
        offset: usize,
    },
    /// An integer that is neither a signed nor an unsigned value of the type.
    #[error("integer constant does not fit in i{width}")]
    OutOfRange {
        /// The type's width in bits.
        width: u32,
    },
}

/// The integer that a literal denotes.
struct Literal {
    /// Its value modulo 2^128.
    wrapped: u128,
    exact: Exact,
}

/// How `Literal::wrapped` represents the exact value.
enum Exact {
    /// As an unsigned number.
    Unsigned,
    /// As a negative `i128`.
    Negative,
    /// Not at all: no type of up to 128 bits has this value, signed or unsigned.
    Wider,
}

impl Int {
    /// Parses `text` at this width; the value must be a signed or unsigned value of the type.
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    pub fn parse(width: u32, text: &str) -> Result<Self, IntParseError> {
        let Literal { wrapped, exact } = Literal::read(text)?;
        let value = Self::new(width, wrapped);
        let fits = match exact {
            Exact::Unsigned => value.bits() == wrapped,
            Exact::Negative => fits_signed(wrapped as i128, width),
            Exact::Wider => false,
        };
        if fits { Ok(value) } else { Err(IntParseError::OutOfRange { width }) }
    }

    /// Parses `text` modulo 2^width, as LLVM 22 does. Never returns [`IntParseError::OutOfRange`].
    ///
    /// # Panics
    /// If `width` is not in `1..=128`.
    pub fn parse_wrapping(width: u32, text: &str) -> Result<Self, IntParseError> {
        Ok(Self::new(width, Literal::read(text)?.wrapped))
    }
}

impl Literal {
    fn read(text: &str) -> Result<Self, IntParseError> {
        if let Some(digits) = text.strip_prefix("u0x") {
            check_digits(digits, 3, u8::is_ascii_hexdigit)?;
            Ok(Self::positive(digits, 16))
        } else if let Some(digits) = text.strip_prefix("s0x") {
            check_digits(digits, 3, u8::is_ascii_hexdigit)?;
            Ok(Self::sign_extended(digits))
        } else if let Some(digits) = text.strip_prefix('-') {
            check_digits(digits, 1, u8::is_ascii_digit)?;
            Ok(Self::positive(digits, 10).negated())
        } else {
            check_digits(text, 0, u8::is_ascii_digit)?;
            Ok(Self::positive(text, 10))
        }
    }

    fn positive(digits: &str, radix: u128) -> Self {
        let mut wrapped = 0u128;
        let mut exact = Some(0u128);
        for digit in digits.bytes().map(digit_value) {
            wrapped = wrapped.wrapping_mul(radix).wrapping_add(digit);
            exact = exact.and_then(|value| value.checked_mul(radix)?.checked_add(digit));
        }
        Self { wrapped, exact: if exact.is_some() { Exact::Unsigned } else { Exact::Wider } }
    }

    /// The negation of a value returned by `positive`.
    fn negated(self) -> Self {
        let wrapped = self.wrapped.wrapping_neg();
        let exact = match self.exact {
            Exact::Unsigned if wrapped == 0 => Exact::Unsigned,
            Exact::Unsigned if self.wrapped <= 1 << 127 => Exact::Negative,
            Exact::Unsigned | Exact::Negative | Exact::Wider => Exact::Wider,
        };
        Self { wrapped, exact }
    }

    /// Parses hexadecimal digits, sign-extended from the highest set bit.
    fn sign_extended(digits: &str) -> Self {
        const DIGITS: usize = 32; // of 128 bits
        let digits = digits.trim_start_matches('0');
        let (above, below) = digits.split_at(digits.len().saturating_sub(DIGITS));
        let low = below.bytes().map(digit_value).fold(0, |value, digit| (value << 4) | digit);
        let Some(&top) = above.as_bytes().first() else {
            return match low {
                0 => Self { wrapped: 0, exact: Exact::Unsigned },
                _ => Self { wrapped: low | !(u128::MAX >> low.leading_zeros()), exact: Exact::Negative },
            };
        };
        // The digits above the low 128 bits are redundant if they repeat the sign: all ones from the top set bit down.
        let repeats_sign = (digit_value(top) + 1).is_power_of_two()
            && above.bytes().skip(1).all(|digit| digit_value(digit) == 0xf)
            && (low as i128) < 0;
        Self { wrapped: low, exact: if repeats_sign { Exact::Negative } else { Exact::Wider } }
    }
}

/// Checks that `digits`, which starts at byte `start` of the text, is a non-empty run of digits.
fn check_digits(digits: &str, start: usize, is_digit: fn(&u8) -> bool) -> Result<(), IntParseError> {
    match digits.bytes().position(|byte| !is_digit(&byte)) {
        Some(at) => Err(IntParseError::InvalidDigit { offset: start + at }),
        None if digits.is_empty() => Err(IntParseError::MissingDigits { offset: start }),
        None => Ok(()),
    }
}

/// The value of a decimal or hexadecimal digit.
fn digit_value(byte: u8) -> u128 {
    u128::from(match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20) - b'a' + 10,
    })
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.signed(), f)
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{} {}", self.width(), self.signed())
    }
}
