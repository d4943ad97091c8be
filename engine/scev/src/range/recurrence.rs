//! Ranges of add recurrences: from their flags, and from a bound on the backedge-taken count.
//!
//! With `nuw`, an affine recurrence never decreases as unsigned while the loop runs. With `nsw`, it never decreases or
//! never increases as signed, depending on the sign of its step. The same holds for a recurrence of higher degree with
//! the flag if it holds for all its steps. If at most `n` backedges are taken, `{a,+,b,+,c}` is `a + b·i + c·C(i,2)`
//! for an `i` from 0 to `n`, and each term lies between zero and its value at `n`.

use super::{Ranges, ScalarEvolution};
use crate::expr::Expr;
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_analysis::range::ConstantRange;
use backedge_ir::int::Int;
use smallvec::SmallVec;

impl ScalarEvolution<'_> {
    /// The constant maximum of the backedge-taken count of `l`, if it is already known.
    pub(crate) fn known_constant_max(&self, l: LoopId) -> Option<Int> {
        self.as_constant(self.counts.of.get(&l)?.constant_max)
    }
    pub(super) fn ranges_of_add_rec(
        &mut self,
        l: LoopId,
        operands: &[Expr],
        flags: Flags,
        level: u32,
    ) -> Ranges {
        let of: SmallVec<[Ranges; 4]> = operands.iter().map(|e| self.ranges(*e, level + 1)).collect();
        let width = of[0].unsigned.width();
        let mut ranges = Ranges::full(width);
        if let Some(range) = by_flags(&of, flags) {
            ranges = ranges.meet_range(range);
        }
        let Some(most) = self.known_constant_max(l) else { return ranges };
        if let Some(range) = by_terms(&of, most.bits()) {
            ranges = ranges.meet_range(range);
        }
        if let [start, step] = *of {
            for (up, down) in movements(step) {
                ranges = ranges.meet_range(moved(start.unsigned, up, down, most.bits()));
                ranges = ranges.meet_range(moved(start.signed, up, down, most.bits()));
            }
        }
        ranges
    }
}

/// The range that the flags alone imply.
fn by_flags(of: &[Ranges], flags: Flags) -> Option<ConstantRange> {
    let (start, steps) = of.split_first()?;
    let width = start.unsigned.width();
    let mut range = ConstantRange::full(width);
    // In a recurrence of higher degree, the steps themselves may wrap, so the value may decrease.
    if flags.nuw() && steps.len() == 1 {
        range = ConstantRange::inclusive(start.unsigned.unsigned_min()?, Int::all_ones(width));
    }
    if flags.nsw() {
        let non_negative = |r: &Ranges| r.signed.signed_min().is_some_and(|v| !v.is_negative());
        let non_positive = |r: &Ranges| r.signed.signed_max().is_some_and(|v| v.is_negative() || v.is_zero());
        if steps.len() == 1 && non_negative(&steps[0]) {
            let signed = ConstantRange::inclusive(start.signed.signed_min()?, Int::signed_max(width));
            range = range.intersect(signed);
        } else if steps.len() == 1 && non_positive(&steps[0]) {
            let signed = ConstantRange::inclusive(Int::signed_min(width), start.signed.signed_max()?);
            range = range.intersect(signed);
        }
    }
    Some(range)
}

/// `n` over `k`, if the result is below 2^127.
fn binomial(n: u128, k: u32) -> Option<u128> {
    let mut result = 1u128;
    for i in 0..u128::from(k) {
        if i >= n {
            return Some(0);
        }
        // The product of i + 1 consecutive numbers is a multiple of (i + 1)!.
        result = result.checked_mul(n - i)? / (i + 1);
    }
    Some(result).filter(|r| i128::try_from(*r).is_ok())
}

/// The range from the values of all terms in up to `most` iterations, as integers, if no sum leaves the type.
fn by_terms(of: &[Ranges], most: u128) -> Option<ConstantRange> {
    let (start, steps) = of.split_first()?;
    let width = start.unsigned.width();
    let unsigned = || {
        let (first, mut last) = (start.unsigned.unsigned_min()?, start.unsigned.unsigned_max()?.bits());
        for (k, step) in (1u32..).zip(steps) {
            let term = step.unsigned.unsigned_max()?.bits().checked_mul(binomial(most, k)?)?;
            last = last.checked_add(term)?;
        }
        (last <= Int::all_ones(width).bits()).then(|| ConstantRange::inclusive(first, Int::new(width, last)))
    };
    let signed = || {
        let (mut first, mut last) =
            (start.signed.signed_min()?.signed(), start.signed.signed_max()?.signed());
        for (k, step) in (1u32..).zip(steps) {
            let times = i128::try_from(binomial(most, k)?).ok()?;
            first = first.checked_add(step.signed.signed_min()?.signed().checked_mul(times)?.min(0))?;
            last = last.checked_add(step.signed.signed_max()?.signed().checked_mul(times)?.max(0))?;
        }
        let fits = first >= Int::signed_min(width).signed() && last <= Int::signed_max(width).signed();
        fits.then(|| ConstantRange::inclusive(Int::from_i128(width, first), Int::from_i128(width, last)))
    };
    match (unsigned(), signed()) {
        (Some(a), Some(b)) => Some(a.intersect(b)),
        (a, b) => a.or(b),
    }
}

/// The largest upward and downward movement of a step: with the step as signed, and as unsigned.
fn movements(step: Ranges) -> SmallVec<[(u128, u128); 2]> {
    let mut ways = SmallVec::new();
    if let (Some(min), Some(max)) = (step.signed.signed_min(), step.signed.signed_max()) {
        let up = if max.is_negative() { 0 } else { max.bits() };
        let down = if min.is_negative() { min.neg().bits() } else { 0 };
        ways.push((up, down));
    }
    if let Some(max) = step.unsigned.unsigned_max() {
        ways.push((max.bits(), 0));
    }
    ways
}

/// The values that up to `times` steps reach from `start`; each step moves up or down by at most the given amounts.
fn moved(start: ConstantRange, up: u128, down: u128, times: u128) -> ConstantRange {
    let width = start.width();
    let grown = || {
        let (up, down) = (up.checked_mul(times)?, down.checked_mul(times)?);
        let size = start.size_less_one()?.checked_add(up)?.checked_add(down)?;
        if start.is_full() || size >= Int::all_ones(width).bits() {
            return None;
        }
        let (first, after) = (start.lower(), start.upper());
        Some(ConstantRange::non_empty(first.sub(Int::new(width, down)), after.add(Int::new(width, up))))
    };
    grown().unwrap_or(ConstantRange::full(width))
}
