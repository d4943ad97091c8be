//! The classes of floating-point values, as `llvm.is.fpclass` numbers them.

use crate::value::{mask, sign_bit};
use backedge_ir::types::FloatKind;

/// The class of a float as a bit of the mask of `llvm.is.fpclass`; `None` in formats without a single encoding per
/// class.
pub(crate) fn class_of(kind: FloatKind, bits: u128) -> Option<u128> {
    let fraction_bits = match kind {
        FloatKind::Half => 10,
        FloatKind::BFloat => 7,
        FloatKind::Float => 23,
        FloatKind::Double => 52,
        FloatKind::Fp128 => 112,
        FloatKind::X86Fp80 | FloatKind::PpcFp128 => return None,
    };
    let sign = sign_bit(kind.bits());
    let (negative, magnitude) = (bits & sign != 0, bits & !sign);
    let fraction = magnitude & mask(fraction_bits);
    let exponent = magnitude >> fraction_bits;
    let all_ones = mask(kind.bits() - 1 - fraction_bits);
    Some(match (exponent, fraction, negative) {
        (e, 0, true) if e == all_ones => 4,
        (e, 0, false) if e == all_ones => 512,
        (e, f, _) if e == all_ones => 1 << u32::from(f >> (fraction_bits - 1) != 0),
        (0, 0, true) => 32,
        (0, 0, false) => 64,
        (0, _, true) => 16,
        (0, _, false) => 128,
        (_, _, true) => 8,
        (_, _, false) => 256,
    })
}
