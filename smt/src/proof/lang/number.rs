//! Arithmetic on the numbers of facts: unsigned integers of up to [`WIDEST`] bits, modulo a power of two.

/// The greatest width in bits of a number in a fact: numbers are stored in a `u128`.
pub(in crate::proof) const WIDEST: u32 = 128;

/// `2^width - 1`.
pub(in crate::proof) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}
/// The signed value of the low `width` bits.
pub(in crate::proof) fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width.min(128);
    ((value << shift) as i128) >> shift
}

/// The inverse of an odd number modulo `2^width`.
pub(in crate::proof) fn inverse(odd: u128, width: u32) -> u128 {
    let mut inverse: u128 = 1;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse & mask(width)
}
