//! Run-time checks that accesses do not overlap: the byte ranges, and the pairs of them to compare.
//!
//! A *range* contains all bytes that a group of accesses can touch in iterations 0 to `taken`. The pointers of a group
//! have the same constant step, and their starts have constant differences. With `walked = taken * |step|`, the range
//! begins at `low = start + from`, less `walked` if the step is negative, and its last byte is at `low + extent`, with
//! `extent = to - from + walked`. Accesses are grouped into as few ranges as possible. Two ranges are disjoint if the
//! last byte of one is before the first byte of the other.
//!
//! Nothing is assumed about wrapping, because accesses that do not execute in each iteration may have any address.
//! `extent` does not overflow the index width if `taken` is at most [`Range::most_taken`], and `low + extent` must not
//! be less than `low`; the check includes both conditions. If a check fails, the scalar loop executes.
//!
//! `taken` is the same frozen value that the vector loop counts by. `start` is available before the loop and is also
//! frozen: if it is poison, any access through it is UB, and without an access the result of the check does not matter.
//!
//! In a loop nest the inner loops extend a range by `step * taken` each. If that is constant, it is included in `from`
//! and `to`; otherwise it is also computed before the loop and bounded so that nothing wraps: [`MOST_STEP`] and
//! [`MOST_TAKEN`] keep the product below 2^60, and the outer loop covers at most 2^61.

use super::access::Access;
use super::{Form, LegalityMissed, Limits};
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::expand::{self, Options};
use backedge_scev::{Expr, ScalarEvolution};

/// A range of bytes.
#[derive(Clone, Debug)]
pub struct Range {
    /// The accesses in the range.
    pub accesses: Vec<Inst>,
    /// A pointer to the range in the first iteration.
    pub start: Expr,
    /// The step in bytes per iteration.
    pub step: i64,
    /// The offset of the lowest byte touched in the first iteration, relative to `start`.
    pub from: i128,
    /// The offset of the highest byte touched in the first iteration, relative to `start`.
    pub to: i128,
    /// The greatest `taken` for which the computation does not overflow, in the width of the count; `None` if it never
    /// does.
    pub most_taken: Option<Int>,
    /// The additional distances that inner loops cover.
    pub walks: Vec<Walk>,
}

/// The distance that an inner loop covers, `taken` times `step`. Both are available before the outer loop and bounded
/// by [`Condition`]s.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The step in bytes per iteration, in the index width.
    pub step: Expr,
    /// The maximum backedge-taken count.
    pub taken: Expr,
}

/// A condition on an unsigned number: it must be between `low` plus `per_lane` for each lane but one, and `high`, both
/// inclusive.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The number; available before the loop.
    pub value: Expr,
    /// The lower bound.
    pub low: u64,
    /// The increase of the lower bound for each lane but one.
    pub per_lane: u64,
    /// The upper bound.
    pub high: u64,
}

/// Limit in bytes for an inner loop's step that is known only at run time. With [`MOST_TAKEN`], [`MOST_WALKS`] and
/// [`MOST_WALKED`] it keeps the extent of a range below 2^63 bytes.
pub(super) const MOST_STEP: u64 = 1 << 32;
/// Limit for the backedge-taken count of such an inner loop.
pub(super) const MOST_TAKEN: u64 = 1 << 28;
/// Limit for the number of such inner loops of one range.
const MOST_WALKS: usize = 4;
/// Limit for the remaining extent of a range in a nest, in bytes.
const MOST_WALKED: u128 = 1 << 61;

/// The maximum backedge-taken count of an inner loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Taken {
    /// As an expression that is available before the outer loop.
    pub(super) count: Option<Expr>,
    /// As a constant.
    pub(super) most: u128,
}

impl Taken {
    pub(super) fn of(scev: &mut ScalarEvolution<'_>, form: &Form, l: LoopId) -> Option<Self> {
        let counts = scev.counts(l);
        let bound = |scev: &ScalarEvolution<'_>, count: Expr| !scev.is_could_not_compute(count);
        let symbolic = Some(counts.symbolic_max).filter(|count| bound(scev, *count));
        let count = symbolic.filter(|count| scev.is_available_at_entry(*count, form.l));
        let constant = scev.as_constant(counts.constant_max).map(|most| most.bits());
        let of_count = symbolic.map(|count| scev.unsigned_max(count).bits());
        let most = constant.into_iter().chain(of_count).min()?;
        Some(Self { count, most })
    }
    /// The condition that it is at most `high`.
    pub(super) fn at_most(self, high: u64) -> Option<Condition> {
        Some(Condition { value: self.count?, low: 0, per_lane: 0, high })
    }
}

/// The run-time checks of a loop.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// The ranges.
    pub ranges: Vec<Range>,
    /// The pairs of ranges that must be disjoint, by index, the lower index first.
    pub pairs: Vec<(usize, usize)>,
    /// Further conditions.
    pub conditions: Vec<Condition>,
}

impl Checks {
    pub(super) fn require(&mut self, condition: Condition) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }
    /// Checks that the conditions can be computed before the loop.
    pub(super) fn check_conditions(
        &self,
        scev: &mut ScalarEvolution<'_>,
        form: &Form,
    ) -> Result<(), LegalityMissed> {
        self.conditions.iter().try_for_each(|condition| can_be_computed(scev, form, condition.value))
    }
}

fn can_be_computed(scev: &mut ScalarEvolution<'_>, form: &Form, expr: Expr) -> Result<(), LegalityMissed> {
    let place = scev.body().terminator(form.preheader).ok_or(LegalityMissed::NoBounds)?;
    let options = Options { freeze: true, ..Options::default() };
    expand::plan(scev, expr, place, options).map(drop).map_err(|_| LegalityMissed::NoBounds)
}

pub(super) fn plan(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    accesses: &[Access],
    taken: Expr,
    pairs: &[(usize, usize)],
    limits: Limits,
) -> Result<Checks, LegalityMissed> {
    let mut concerned: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    concerned.sort_unstable();
    concerned.dedup();
    let mut checks = Checks::default();
    let mut range_of = vec![usize::MAX; accesses.len()];
    for at in concerned {
        range_of[at] = put(scev, form, &mut checks, &accesses[at])?;
    }
    let mut apart: Vec<(usize, usize)> = Vec::new();
    for (a, b) in pairs {
        let (x, y) = (range_of[*a], range_of[*b]);
        // A range cannot be checked against itself.
        if x == y {
            return Err(LegalityMissed::UnsafeDependence);
        }
        // Addresses in different address spaces cannot be compared.
        if scev.ty(checks.ranges[x].start) != scev.ty(checks.ranges[y].start) {
            return Err(LegalityMissed::NoBounds);
        }
        apart.push((x.min(y), x.max(y)));
    }
    apart.sort_unstable();
    apart.dedup();
    if apart.len() > limits.most_checks {
        return Err(LegalityMissed::TooManyChecks { needed: apart.len(), limit: limits.most_checks });
    }
    for range in &mut checks.ranges {
        finish(scev, form, taken, range)?;
    }
    checks.pairs = apart;
    Ok(checks)
}

/// The range of a single access.
fn own_range(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    checks: &mut Checks,
    access: &Access,
) -> Result<Range, LegalityMissed> {
    let last = i128::from(access.bytes) - 1;
    let range = |start, step| Range {
        accesses: vec![access.inst],
        start,
        step,
        from: 0,
        to: last,
        most_taken: None,
        walks: Vec::new(),
    };
    let Some(reach) = &access.reach else {
        let (start, step) = access.affine.ok_or(LegalityMissed::NoBounds)?;
        return Ok(range(start, step));
    };
    let mut range = range(reach.start, reach.step);
    for term in &reach.terms {
        let taken = Taken::of(scev, form, term.l).ok_or(LegalityMissed::NoBounds)?;
        let step = scev.as_constant(term.step).and_then(|step| step.to_i64()).map(i128::from);
        let most = i128::try_from(taken.most).ok();
        let walked = step.zip(most).and_then(|(step, most)| step.checked_mul(most));
        match walked.filter(|walked| walked.unsigned_abs() < u128::from(MOST_STEP)) {
            Some(walked) => {
                (range.from, range.to) = (range.from + walked.min(0), range.to + walked.max(0));
            }
            None => {
                let count =
                    taken.count.filter(|_| scev.width(term.step) == 64).ok_or(LegalityMissed::NoBounds)?;
                checks.require(Condition { value: term.step, low: 0, per_lane: 0, high: MOST_STEP });
                if taken.most > u128::from(MOST_TAKEN) {
                    checks.require(taken.at_most(MOST_TAKEN).ok_or(LegalityMissed::NoBounds)?);
                }
                range.walks.push(Walk { step: term.step, taken: count });
                if range.walks.len() > MOST_WALKS {
                    return Err(LegalityMissed::NoBounds);
                }
            }
        }
    }
    Ok(range)
}

/// Adds an access to a range at a constant distance, or to a new one; returns the index of the range.
fn put(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    checks: &mut Checks,
    access: &Access,
) -> Result<usize, LegalityMissed> {
    let own = own_range(scev, form, checks, access)?;
    if !scev.ty(own.start).is_pointer() {
        return Err(LegalityMissed::NoBounds);
    }
    for (index, range) in checks.ranges.iter_mut().enumerate() {
        let is_alike = range.step == own.step && range.walks == own.walks;
        if !is_alike || scev.ty(range.start) != scev.ty(own.start) {
            continue;
        }
        let difference = scev.sub(own.start, range.start);
        if scev.is_could_not_compute(difference) {
            continue;
        }
        let Some(offset) = scev.as_constant(difference) else { continue };
        let offset = offset.signed();
        (range.from, range.to) = (range.from.min(offset + own.from), range.to.max(offset + own.to));
        range.accesses.push(access.inst);
        return Ok(index);
    }
    checks.ranges.push(own);
    Ok(checks.ranges.len() - 1)
}

/// Computes the greatest count for which a range is correct, and checks that its start can be computed.
fn finish(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    taken: Expr,
    range: &mut Range,
) -> Result<(), LegalityMissed> {
    let own = u128::try_from(range.to - range.from).map_err(|_| LegalityMissed::NoBounds)?;
    let top = match range.walks.is_empty() {
        true => Int::all_ones(scev.width(range.start)).bits(),
        false => MOST_WALKED,
    };
    let room = top.checked_sub(own).ok_or(LegalityMissed::NoBounds)?;
    let most = match u128::from(range.step.unsigned_abs()) {
        0 => u128::MAX,
        stride => room / stride,
    };
    if scev.unsigned_max(taken).bits() > most {
        range.most_taken = Some(Int::new(scev.width(taken), most));
    }
    can_be_computed(scev, form, range.start)?;
    range.walks.iter().try_for_each(|walk| {
        can_be_computed(scev, form, walk.step)?;
        can_be_computed(scev, form, walk.taken)
    })
}
