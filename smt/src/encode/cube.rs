//! Decides whether a possible value of a scalar with undef bits lies in a range.
//!
//! Each use of a scalar sees some choice of the undef bits in its mask. A range constraint holds for the scalar if it
//! holds for all choices, so the question is whether some choice lies in a gap between the ranges. The encoding is
//! exact. A formula that is true too often would make a defined source poison; a formula that is true too rarely would
//! make a poison target defined.

use super::value::Scalar;
use crate::term::{Bits, Term, Terms};
use backedge_ir::int::Int;

/// Whether a choice of the undef bits of `scalar` lies in none of the half-open ranges. Ranges may wrap around; a range
/// with equal ends is full.
pub(super) fn may_be_outside(terms: &mut Terms, scalar: Scalar, ranges: &[(Int, Int)]) -> Term {
    let width = terms.width(scalar.bits);
    let mut outside = terms.bool(false);
    for gap in gaps(width, ranges) {
        let here = may_be_within(terms, scalar, gap);
        outside = terms.or(outside, here);
    }
    outside
}

/// The maximal intervals of `width`-bit values outside all ranges, as (first, last), in order.
fn gaps(width: u32, ranges: &[(Int, Int)]) -> Vec<(u128, u128)> {
    let greatest = u128::MAX >> 128u32.saturating_sub(width);
    let mut covered = Vec::new();
    for (low, high) in ranges.iter().filter(|(low, _)| low.width() == width) {
        let (low, high) = (low.bits(), high.bits());
        if low < high {
            covered.push((low, high - 1));
        } else {
            covered.push((low, greatest));
            let rest = if low == high { Some(greatest) } else { high.checked_sub(1) };
            covered.extend(rest.map(|last| (0, last)));
        }
    }
    covered.sort_unstable();
    let (mut gaps, mut next) = (Vec::new(), Some(0));
    for (first, last) in covered {
        let Some(at) = next else { break };
        if first > at {
            gaps.push((at, first - 1));
        }
        next = if last == greatest { None } else { Some(at.max(last + 1)) };
    }
    gaps.extend(next.map(|at| (at, greatest)));
    gaps
}

/// Whether some choice lies between `first` and `last`, both included: the smallest choice that is at least `first`
/// must be at most `last`.
///
/// That choice is `first` itself if it agrees with all defined bits. Otherwise consider the highest defined bit in
/// which they disagree. If that bit is one in the scalar, the bits above stay as in `first`, and the undef bits below
/// are zero. If it is zero in the scalar, the lowest undef bit above it that is zero in `first` becomes one, and the
/// undef bits below that bit are zero.
fn may_be_within(terms: &mut Terms, scalar: Scalar, (first, last): (u128, u128)) -> Term {
    let width = terms.width(scalar.bits);
    let at = terms.number(width, first);
    if terms.as_bits(scalar.undef).is_some_and(Bits::is_zero) {
        let (distance, length) = (terms.sub(scalar.bits, at), terms.number(width, last - first));
        return terms.ule(distance, length);
    }
    let last = terms.number(width, last);
    let defined = terms.bv_not(scalar.undef);
    let bits = terms.bv_and(scalar.bits, defined);
    let unlike = terms.bv_xor(at, bits);
    let unlike = terms.bv_and(unlike, defined);
    let any_unlike = terms.is_nonzero(unlike);
    // The highest of these bits and all bits below it.
    let up_to = smear(terms, unlike);
    let one = terms.number(width, 1);
    let half = terms.lshr(up_to, one);
    let highest = terms.bv_xor(up_to, half);
    let above = terms.bv_not(up_to);
    let same_above = terms.bv_and(at, above);
    let least_below = terms.bv_and(bits, up_to);
    let raised = terms.bv_or(same_above, least_below);
    let is_one = terms.bv_and(bits, highest);
    let is_one = terms.is_nonzero(is_one);
    // The lowest undef bit above that can be set.
    let zeros = terms.bv_not(at);
    let open = terms.bv_and(scalar.undef, zeros);
    let open = terms.bv_and(open, above);
    let is_open = terms.is_nonzero(open);
    let negative = terms.bv_neg(open);
    let lowest = terms.bv_and(open, negative);
    let below = terms.sub(lowest, one);
    let at_or_below = terms.bv_or(lowest, below);
    let higher = terms.bv_not(at_or_below);
    let kept = terms.bv_and(at, higher);
    let least = terms.bv_and(bits, below);
    let carried = terms.bv_or(kept, lowest);
    let carried = terms.bv_or(carried, least);
    let other = terms.ite(is_one, raised, carried);
    let choice = terms.ite(any_unlike, other, at);
    let alike = terms.not(any_unlike);
    let exists = terms.or_all([alike, is_one, is_open]);
    let in_time = terms.ule(choice, last);
    terms.and(exists, in_time)
}

/// `bits` with all bits below the highest set bit also set.
fn smear(terms: &mut Terms, bits: Term) -> Term {
    let width = terms.width(bits);
    let (mut smeared, mut step) = (bits, 1);
    while step < width {
        let by = terms.number(width, step.into());
        let shifted = terms.lshr(smeared, by);
        smeared = terms.bv_or(smeared, shifted);
        step *= 2;
    }
    smeared
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks all 3-bit scalars against all pairs of ranges.
    #[test]
    fn a_choice_is_outside_if_one_is_found_there() {
        const WIDTH: u32 = 3;
        let number = |bits: u128| Int::new(WIDTH, bits);
        let all = || 0..1u128 << WIDTH;
        let ends: Vec<(Int, Int)> =
            all().flat_map(|a| all().map(move |b| (number(a), number(b)))).step_by(3).collect();
        let holds = |(low, high): &(Int, Int), x: u128| {
            low == high || x.wrapping_sub(low.bits()) & 7 < high.bits().wrapping_sub(low.bits()) & 7
        };
        let mut terms = Terms::new();
        for (bits, undef) in all().flat_map(|b| all().map(move |u| (b, u))) {
            let (bits_term, undef_term) = (terms.number(WIDTH, bits), terms.number(WIDTH, undef));
            let scalar = Scalar { bits: bits_term, poison: terms.bool(false), undef: undef_term };
            for (i, a) in ends.iter().enumerate() {
                for b in &ends[i..] {
                    let ranges = [*a, *b];
                    let outside = may_be_outside(&mut terms, scalar, &ranges);
                    let expected = all()
                        .filter(|x| (x ^ bits) & !undef & 7 == 0)
                        .any(|x| !ranges.iter().any(|r| holds(r, x)));
                    assert_eq!(terms.as_bool(outside), Some(expected), "{bits} undef {undef}, {ranges:?}");
                }
            }
        }
    }
}
