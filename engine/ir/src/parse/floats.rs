//! Converts the text of floating-point constants to the exact bits of the type's format.
//!
//! Decimal numbers and plain `0x` constants are doubles and must be exactly representable in the narrower type
//! (LangRef, "Simple Constants"). The other hexadecimal kinds spell the bits of their format.

use crate::types::FloatKind;

/// Why a text is not a constant of a format.
pub(crate) const INEXACT: &str = "this number is not exact";
pub(crate) const WRONG_KIND: &str = "this spelling is not for constants";

/// The bits of a decimal constant.
pub(crate) fn decimal(text: &str, kind: FloatKind) -> Result<u128, &'static str> {
    let value: f64 = text.parse().map_err(|_| "this is no number")?;
    narrow(value.to_bits(), kind)
}

/// The bits of a hexadecimal constant.
pub(crate) fn hexadecimal(text: &str, kind: FloatKind) -> Result<u128, &'static str> {
    if let Some(digits) = text.strip_prefix("f0x") {
        return whole(digits, kind.bits());
    }
    let digits = &text[2..];
    let (wanted, digits) = match digits.as_bytes()[0] {
        b'H' => (FloatKind::Half, &digits[1..]),
        b'R' => (FloatKind::BFloat, &digits[1..]),
        b'K' => (FloatKind::X86Fp80, &digits[1..]),
        b'L' => (FloatKind::Fp128, &digits[1..]),
        b'M' => (FloatKind::PpcFp128, &digits[1..]),
        _ => return narrow(whole(digits, 64)? as u64, kind),
    };
    if wanted != kind {
        return Err(WRONG_KIND);
    }
    match kind {
        // The low half is written first.
        FloatKind::Fp128 | FloatKind::PpcFp128 if digits.len() > 16 => {
            let (low, high) = digits.split_at(16);
            Ok(whole(high, 64)? << 64 | whole(low, 64)?)
        }
        _ => whole(digits, kind.bits()),
    }
}

fn whole(digits: &str, bits: u32) -> Result<u128, &'static str> {
    let value = u128::from_str_radix(digits, 16).map_err(|_| "this number has too many digits")?;
    if bits < 128 && value >> bits != 0 { Err("this number has too many digits") } else { Ok(value) }
}

/// Converts the double `bits` to the format `kind`, if that is exact.
fn narrow(bits: u64, kind: FloatKind) -> Result<u128, &'static str> {
    let (exp_bits, frac_bits) = match kind {
        FloatKind::Double => return Ok(bits.into()),
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::Float => (8, 23),
        FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => return Err(WRONG_KIND),
    };
    narrow_to(bits, exp_bits, frac_bits).map(u128::from).ok_or(INEXACT)
}

fn narrow_to(bits: u64, exp_bits: u32, frac_bits: u32) -> Option<u64> {
    let sign = bits >> 63 << (exp_bits + frac_bits);
    let exp = (bits >> 52 & 0x7FF) as i64;
    let frac = bits & ((1 << 52) - 1);
    let exact = |value: u64, shift: u32| {
        let kept = value.checked_shr(shift)?;
        (kept.checked_shl(shift)? == value).then_some(kept)
    };
    let max_exp = (1i64 << exp_bits) - 1;
    let infinite = (max_exp as u64) << frac_bits;
    if exp == 0x7FF {
        return Some(sign | infinite | exact(frac, 52 - frac_bits)?);
    }
    if exp == 0 {
        // A double below 2^-1022 is too small for any narrower format.
        return (frac == 0).then_some(sign);
    }
    let bias = (1i64 << (exp_bits - 1)) - 1;
    let new_exp = exp - 1023 + bias;
    if new_exp >= max_exp {
        return None;
    }
    if new_exp >= 1 {
        return Some(sign | (new_exp as u64) << frac_bits | exact(frac, 52 - frac_bits)?);
    }
    let shift = u32::try_from(i64::from(52 - frac_bits) + 1 - new_exp).ok()?;
    let kept = exact(frac | 1 << 52, shift)?;
    (kept != 0).then_some(sign | kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_and_some_floats_come_back() {
        for bits in 0..=u16::MAX {
            let exp = i32::from(bits >> 10 & 31);
            let frac = f64::from(bits & 1023);
            let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
            let value = match exp {
                31 => continue,
                0 => sign * frac * 2f64.powi(-24),
                _ => sign * (1024.0 + frac) * 2f64.powi(exp - 25),
            };
            assert_eq!(narrow(value.to_bits(), FloatKind::Half), Ok(bits.into()), "{value}");
        }
        for step in 0..100_000u32 {
            let bits = step.wrapping_mul(0x9E37_79B9);
            let value = f32::from_bits(bits);
            if !value.is_nan() {
                assert_eq!(narrow(f64::from(value).to_bits(), FloatKind::Float), Ok(bits.into()), "{value}");
            }
        }
    }
    #[test]
    fn inexact_constants_are_rejected() {
        assert_eq!(decimal("0.1", FloatKind::Float), Err(INEXACT));
        assert_eq!(decimal("0.1", FloatKind::Double), Ok(0.1f64.to_bits().into()));
        assert_eq!(hexadecimal("0x7FF0000000000001", FloatKind::Float), Err(INEXACT));
        assert_eq!(hexadecimal("0x7FF4000020000000", FloatKind::Float), Ok(0x7FA0_0001));
        assert_eq!(hexadecimal("0x7FF4000000000000", FloatKind::BFloat), Ok(0x7FA0));
        assert_eq!(decimal("1.0e300", FloatKind::Float), Err(INEXACT));
        assert_eq!(decimal("1.0e-300", FloatKind::Float), Err(INEXACT));
        assert_eq!(hexadecimal("0xH3C00", FloatKind::Float), Err(WRONG_KIND));
        assert_eq!(hexadecimal("0xL00000000000000013FFF000000000000", FloatKind::Fp128), {
            Ok(0x3FFF_0000_0000_0000_0000_0000_0000_0001)
        });
    }
}
