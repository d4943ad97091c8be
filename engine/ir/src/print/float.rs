//! Prints floating-point constants as LLVM does. `float` and `double` are printed in decimal with at most six digits if
//! that reads back as the same value, else in hexadecimal as the bits of a double. The other formats are printed as
//! their bits.

use super::names::write_hex;
use crate::types::FloatKind;
use std::fmt::Write;

/// Appends the value of format `kind` with these bits.
pub(super) fn write_float(out: &mut String, kind: FloatKind, bits: u128) {
    match kind {
        FloatKind::Float => write_double(out, widen(bits as u32)),
        FloatKind::Double => write_double(out, bits as u64),
        FloatKind::Half => {
            out.push_str("0xH");
            write_hex(out, bits, 4);
        }
        FloatKind::BFloat => {
            out.push_str("0xR");
            write_hex(out, bits, 4);
        }
        FloatKind::X86Fp80 => {
            out.push_str("0xK");
            write_hex(out, bits, 20);
        }
        FloatKind::Fp128 => {
            out.push_str("0xL");
            write_words(out, bits);
        }
        FloatKind::PpcFp128 => {
            out.push_str("0xM");
            write_words(out, bits);
        }
    }
}

/// Appends the low 64 bits, then the high ones.
fn write_words(out: &mut String, bits: u128) {
    write_hex(out, bits, 16);
    write_hex(out, bits >> 64, 16);
}

/// The bits of the double that equals the float with these bits; a NaN keeps its payload and quiet bit.
fn widen(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        sign | 0x7ff << 52 | u64::from(bits & 0x007f_ffff) << 29
    } else {
        f64::from(value).to_bits()
    }
}

fn write_double(out: &mut String, bits: u64) {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        let start = out.len();
        // Writing to a `String` can't fail.
        let _ = write!(out, "{value:.5e}");
        if out[start..].parse::<f64>().is_ok_and(|read| read.to_bits() == bits) {
            return respell_exponent(out, start);
        }
        out.truncate(start);
    }
    out.push_str("0x");
    write_hex(out, bits.into(), (64 - bits.leading_zeros()).div_ceil(4).max(1));
}

/// Converts `1.50000e0` at `start` to `1.500000e+00`.
fn respell_exponent(out: &mut String, start: usize) {
    let Some(at) = out[start..].find('e').map(|at| start + at) else { return };
    let exponent = out.split_off(at);
    let digits = exponent[1..].trim_start_matches('-');
    out.push_str(if exponent.starts_with("e-") { "0e-" } else { "0e+" });
    if digits.len() < 2 {
        out.push('0');
    }
    out.push_str(digits);
}
