//! No-wrap flags, from their definition in the integers.
//!
//! Numbers of up to 128 bits are represented by 128-bit magnitudes; a larger magnitude exceeds every width.

use super::eval::{binomial, signed};
use crate::value::mask;
use backedge_claim::expr::{Flag, NaryOp};

/// How a flag fails.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// The sum or product itself is out of range.
    Weak,
    /// The sum or product is in range, but that of a subset of the operands is not.
    Strong,
}

/// Magnitudes of the positive and the negative part of a sum.
#[derive(Copy, Clone, Default, Debug)]
struct Parts {
    positive: u128,
    negative: u128,
    /// Whether a part exceeds 128 bits.
    saturated: bool,
}

impl Parts {
    fn add(&mut self, negative: bool, magnitude: Option<u128>) {
        let part = if negative { &mut self.negative } else { &mut self.positive };
        match magnitude.and_then(|m| part.checked_add(m)) {
            Some(sum) => *part = sum,
            None => (*part, self.saturated) = (u128::MAX, true),
        }
    }
    /// Whether the whole sum is out of the signed range; `None` if unknown.
    fn is_out_of_signed_range(self, width: u32) -> Option<bool> {
        if self.saturated {
            return None;
        }
        Some(match self.positive.checked_sub(self.negative) {
            Some(positive) => positive > signed_max(width),
            None => self.negative - self.positive > signed_max(width) + 1,
        })
    }
}

fn signed_max(width: u32) -> u128 {
    mask(width) >> 1
}

/// How `flag` fails for a sum or product of `operands` (at least two).
pub(super) fn nary_failure(op: NaryOp, flag: Flag, width: u32, operands: &[u128]) -> Option<Form> {
    match (op, flag) {
        (NaryOp::Add, Flag::Nuw) => {
            let sum = operands.iter().try_fold(0u128, |sum, x| sum.checked_add(*x));
            sum.is_none_or(|s| s > mask(width)).then_some(Form::Weak)
        }
        (NaryOp::Add, Flag::Nsw) => {
            let mut parts = Parts::default();
            for x in operands.iter().map(|x| signed(*x, width)) {
                parts.add(x < 0, Some(x.unsigned_abs()));
            }
            let strong = parts.positive > signed_max(width) || parts.negative > signed_max(width) + 1;
            let weak = parts.is_out_of_signed_range(width) == Some(true);
            form(weak, strong)
        }
        (NaryOp::Mul, Flag::Nuw) => {
            let factors = || operands.iter().copied();
            let strong = factors().filter(|x| *x != 0).try_fold(1u128, u128::checked_mul);
            let strong = strong.is_none_or(|p| p > mask(width));
            form(strong && factors().all(|x| x != 0), strong)
        }
        (NaryOp::Mul, Flag::Nsw) => signed_product_failure(width, operands),
        _ => None,
    }
}

fn form(weak: bool, strong: bool) -> Option<Form> {
    match (weak, strong) {
        (true, _) => Some(Form::Weak),
        (false, true) => Some(Form::Strong),
        (false, false) => None,
    }
}

fn signed_product_failure(width: u32, operands: &[u128]) -> Option<Form> {
    // The largest magnitudes of products of subsets of the operands, by sign. A zero factor never increases a
    // product.
    let (mut positive, mut negative): (Option<u128>, Option<u128>) = (None, None);
    let (mut whole, mut whole_negative) = (1u128, false);
    for x in operands.iter().map(|x| signed(*x, width)) {
        let magnitude = x.unsigned_abs();
        whole = whole.saturating_mul(magnitude);
        whole_negative ^= x < 0;
        if x != 0 {
            let times = |m: Option<u128>| m.map(|m| m.saturating_mul(magnitude));
            let (same, other) = if x > 0 { (positive, negative) } else { (negative, positive) };
            let (alone_positive, alone_negative) =
                if x > 0 { (Some(magnitude), None) } else { (None, Some(magnitude)) };
            (positive, negative) = (
                positive.max(alone_positive).max(times(same)),
                negative.max(alone_negative).max(times(other)),
            );
        }
    }
    let limit = signed_max(width);
    let strong = positive.is_some_and(|p| p > limit) || negative.is_some_and(|n| n > limit + 1);
    // A product with a factor 0 is 0, even if the preceding factors overflowed.
    let zero = operands.contains(&0);
    let weak = !zero && whole > limit + u128::from(whole_negative);
    form(weak, strong)
}

/// Whether `flag` fails for a recurrence at arrival `index`.
pub(super) fn addrec_fails(flag: Flag, width: u32, operands: &[u128], index: u64) -> bool {
    match flag {
        Flag::Nuw => {
            let mut sum = Some(0u128);
            for (k, x) in operands.iter().enumerate().filter(|(_, x)| **x != 0) {
                let term = binomial(index, k).and_then(|times| times.checked_mul(*x));
                sum = sum.and_then(|sum| sum.checked_add(term?));
            }
            sum.is_none_or(|s| s > mask(width))
        }
        Flag::Nsw => {
            let mut parts = Parts::default();
            for (k, x) in operands.iter().map(|x| signed(*x, width)).enumerate().filter(|(_, x)| *x != 0) {
                parts.add(x < 0, binomial(index, k).and_then(|times| times.checked_mul(x.unsigned_abs())));
            }
            parts.is_out_of_signed_range(width) == Some(true)
        }
        Flag::Nw => match operands {
            [_, step] => {
                let far = signed(*step, width).unsigned_abs().checked_mul(index.into());
                far.is_none_or(|far| far > mask(width))
            }
            _ => false,
        },
    }
}

/// Whether the recurrence start + i·step stays in the range of its start for all i up to `last`. The step is signed;
/// the start is signed or not. False if the distance overflows.
pub(super) fn increments_stay(signedly: bool, width: u32, start: u128, step: u128, last: u128) -> bool {
    let step = signed(step, width);
    let Some(far) = step.unsigned_abs().checked_mul(last) else { return step == 0 };
    let (below, above) = if signedly {
        let start = signed(start, width);
        // Distances to the ends of the range.
        (
            (start.wrapping_sub(signed_min(width))) as u128,
            (signed_max(width) as i128).wrapping_sub(start) as u128,
        )
    } else {
        (start, mask(width) - start)
    };
    far <= if step < 0 { below } else { above }
}

fn signed_min(width: u32) -> i128 {
    signed(1 << (width - 1), width)
}

#[cfg(test)]
mod tests {
    //! Compares with all subsets of operands and with sums in wider integers, at width 4.

    use super::*;

    const WIDTH: u32 = 4;

    fn in_range(flag: Flag, x: i64) -> bool {
        if flag == Flag::Nuw { (0..16).contains(&x) } else { (-8..8).contains(&x) }
    }

    fn read(flag: Flag, x: u128) -> i64 {
        if flag == Flag::Nuw { x as i64 } else { signed(x, WIDTH) as i64 }
    }

    #[test]
    fn flags_of_sums_and_products_by_all_subsets() {
        for op in [NaryOp::Add, NaryOp::Mul] {
            for flag in [Flag::Nuw, Flag::Nsw] {
                for code in 0..16u128.pow(3) {
                    let operands = [code & 15, code >> 4 & 15, code >> 8 & 15];
                    let whole = |subset: usize| {
                        let chosen = (0..3).filter(|i| subset >> i & 1 == 1).map(|i| read(flag, operands[i]));
                        if op == NaryOp::Add { chosen.sum() } else { chosen.product::<i64>() }
                    };
                    let weak = !in_range(flag, whole(7));
                    let strong = (1..8).any(|subset| !in_range(flag, whole(subset)));
                    let found = nary_failure(op, flag, WIDTH, &operands);
                    assert_eq!(found, form(weak, strong), "{op:?} {flag:?} {operands:?}");
                }
            }
        }
    }

    #[test]
    fn flags_of_recurrences_by_their_sums() {
        for code in 0..16u128.pow(3) {
            let operands = [code & 15, code >> 4 & 15, code >> 8 & 15];
            for index in 0..6u64 {
                for flag in [Flag::Nuw, Flag::Nsw] {
                    let [s, x, y] = operands.map(|x| read(flag, x));
                    let i = index as i64;
                    let value = s + x * i + y * (i * (i - 1) / 2);
                    let fails = addrec_fails(flag, WIDTH, &operands, index);
                    assert_eq!(fails, !in_range(flag, value), "{flag:?} {operands:?} at {index}");
                }
                let far = signed(operands[1], WIDTH).unsigned_abs() * u128::from(index);
                assert_eq!(addrec_fails(Flag::Nw, WIDTH, &operands[..2], index), far > 15);
            }
        }
    }

    #[test]
    fn increments_that_stay_in_range() {
        for code in 0..256u128 {
            let (start, step) = (code & 15, code >> 4);
            for last in 0..20u128 {
                for signedly in [false, true] {
                    let flag = if signedly { Flag::Nsw } else { Flag::Nuw };
                    let steps = (0..=last as i64)
                        .all(|i| in_range(flag, read(flag, start) + i * signed(step, WIDTH) as i64));
                    assert_eq!(
                        increments_stay(signedly, WIDTH, start, step, last),
                        steps,
                        "{start} {step} {last}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_widest_integers_do_not_overflow_the_check() {
        let all = u128::MAX;
        assert_eq!(nary_failure(NaryOp::Add, Flag::Nuw, 128, &[all, 1]), Some(Form::Weak));
        assert_eq!(nary_failure(NaryOp::Add, Flag::Nsw, 128, &[all, all]), None);
        assert_eq!(nary_failure(NaryOp::Mul, Flag::Nsw, 128, &[all >> 1, 2, 0]), Some(Form::Strong));
        assert!(addrec_fails(Flag::Nuw, 128, &[all, 1], 1));
        assert!(!addrec_fails(Flag::Nsw, 128, &[1 << 127, all >> 1], 2));
    }
}
