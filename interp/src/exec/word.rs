//! Arithmetic on defined integers of up to 64 bits as machine words. A width is given as `drop`, 64 minus the width:
//! operands shifted left by `drop` wrap, carry and overflow exactly as in the narrower width.
//!
//! Functions return `None` if the result is not a defined word or the full form must decide; [`super::scalar`]
//! defines the operations.

use crate::compile::quick::{NSW, NUW};

/// The signed value of a word.
#[inline(always)]
pub(super) fn signed(x: u64, drop: u8) -> i64 {
    ((x << drop) as i64) >> drop
}

/// The low bits of a result.
#[inline(always)]
pub(super) fn cut(x: u64, drop: u8) -> u64 {
    x << drop >> drop
}

/// Whether a flag is set and violated.
#[inline(always)]
fn fails(flags: u8, unsigned: bool, signed: bool) -> bool {
    (flags & NUW != 0) & unsigned | (flags & NSW != 0) & signed
}

#[inline(always)]
pub(super) fn add_flags(x: u64, y: u64, drop: u8, flags: u8) -> Option<u64> {
    let (x, y) = (x << drop, y << drop);
    let ((sum, carry), (_, overflow)) = (x.overflowing_add(y), (x as i64).overflowing_add(y as i64));
    (!fails(flags, carry, overflow)).then_some(sum >> drop)
}

#[inline(always)]
pub(super) fn sub_flags(x: u64, y: u64, drop: u8, flags: u8) -> Option<u64> {
    let (x, y) = (x << drop, y << drop);
    let ((difference, borrow), (_, overflow)) = (x.overflowing_sub(y), (x as i64).overflowing_sub(y as i64));
    (!fails(flags, borrow, overflow)).then_some(difference >> drop)
}

#[inline(always)]
pub(super) fn mul_flags(x: u64, y: u64, drop: u8, flags: u8) -> Option<u64> {
    let y = y << drop;
    let ((product, carry), (_, overflow)) = (x.overflowing_mul(y), signed(x, drop).overflowing_mul(y as i64));
    (!fails(flags, carry, overflow)).then_some(product >> drop)
}

/// Whether a shift amount is less than the width.
#[inline(always)]
fn is_amount(y: u64, drop: u8) -> bool {
    y < 64 - u64::from(drop)
}

#[inline(always)]
pub(super) fn shl(x: u64, y: u64, drop: u8) -> Option<u64> {
    is_amount(y, drop).then(|| cut(x << y, drop))
}

#[inline(always)]
pub(super) fn shl_flags(x: u64, y: u64, drop: u8, flags: u8) -> Option<u64> {
    if !is_amount(y, drop) {
        return None;
    }
    let x = x << drop;
    let shifted = x << y;
    let (unsigned, signed) = (shifted >> y != x, (shifted as i64) >> y != x as i64);
    (!fails(flags, unsigned, signed)).then_some(shifted >> drop)
}

#[inline(always)]
pub(super) fn lshr(x: u64, y: u64, drop: u8, exact: bool) -> Option<u64> {
    (is_amount(y, drop) && (!exact || x >> y << y == x)).then(|| x >> y)
}

#[inline(always)]
pub(super) fn ashr(x: u64, y: u64, drop: u8, exact: bool) -> Option<u64> {
    let is_exact = || x >> y << y == x;
    (is_amount(y, drop) && (!exact || is_exact())).then(|| cut((signed(x, drop) >> y) as u64, drop))
}

#[inline(always)]
pub(super) fn sdiv(x: u64, y: u64, drop: u8) -> Option<u64> {
    let (x, y) = (signed(x, drop), signed(y, drop));
    (y != 0 && y != -1).then(|| cut((x / y) as u64, drop))
}

#[inline(always)]
pub(super) fn srem(x: u64, y: u64, drop: u8) -> Option<u64> {
    let (x, y) = (signed(x, drop), signed(y, drop));
    (y != 0 && y != -1).then(|| cut((x % y) as u64, drop))
}
