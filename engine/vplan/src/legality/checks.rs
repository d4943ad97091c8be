//! Checks at run time that accesses lie apart: which ranges of bytes are compared with which.
//!
//! A *range* is all that a group of accesses can touch in iterations 0 to `taken`, of pointers that go on by one constant
//! step from starts that are constants apart. With `walked = taken * |step|` it begins at `low = start + from`, less
//! `walked` if the step is negative, and its last byte is `extent = to - from + walked` bytes behind that. Ranges are made
//! as few as can be; two are apart if the last byte of the one is in front of the first of the other.
//!
//! Nothing is taken for granted of wrapping: accesses that are not executed in each iteration may have any addresses.
//! `extent` is right in the width of an index if `taken` is at most [`Range::most_taken`], and `low + extent` must be no
//! less than `low`: both are part of the check. Where a check fails the scalar loop is executed.
//!
//! `taken` is the one value, frozen, that the vector loop counts by. `start` is available in front of the loop and is
//! frozen too: if it is poison, whoever accesses memory through it is undefined, and whoever does not may find the check
//! either way.
//!
//! In a loop with loops in it a range is longer by what these add, `step * taken` of each. Where that is a constant it is part
//! of `from` and `to`; else it is computed in front of the loop too, and bounded so that nothing wraps: by [`MOST_STEP`] and
//! [`MOST_TAKEN`] the product is less than 2^60, and the outer loop goes no further than 2^61.

use super::access::Access;
use super::{Form, Limits, Missed};
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::expand::{self, Options};
use backedge_scev::{Expr, ScalarEvolution};

/// A range of bytes.
#[derive(Clone, Debug)]
pub struct Range {
    /// The accesses that are in it.
    pub accesses: Vec<Inst>,
    /// A pointer in the first iteration.
    pub start: Expr,
    /// By how many bytes it goes on.
    pub step: i64,
    /// The least byte that is touched in the first iteration, relative to `start`.
    pub from: i128,
    /// The greatest.
    pub to: i128,
    /// The greatest count with which what is computed is right, in the width of the count; `None` if it always is.
    pub most_taken: Option<Int>,
    /// How far inner loops go beyond that.
    pub walks: Vec<Walk>,
}

/// How far an inner loop goes: `taken` times `step`, both available in front of the outer loop, as far as [`Condition`]s let it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// How many bytes in each iteration, in the width of an index.
    pub step: Expr,
    /// How often it goes back, at most.
    pub taken: Expr,
}

/// A number that must be in bounds, both included, as unsigned: the lower one is `low`, and `per_lane` for each lane but one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The number: available in front of the loop.
    pub value: Expr,
    /// The lower bound.
    pub low: u64,
    /// What is added to it.
    pub per_lane: u64,
    /// The upper bound.
    pub high: u64,
}

/// The longest step of an inner loop, in bytes, of those that are not known before.
pub(super) const MOST_STEP: u64 = 1 << 32;
/// The greatest number of its iterations then.
pub(super) const MOST_TAKEN: u64 = 1 << 28;
/// How many inner loops may be reckoned with so, for one range.
const MOST_WALKS: usize = 4;
/// How far a range may go besides.
const MOST_WALKED: u128 = 1 << 61;

/// How often an inner loop goes back, at most.
#[derive(Copy, Clone, Debug)]
pub(super) struct Taken {
    /// In front of the outer loop.
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
    /// That it is no more than `high`.
    pub(super) fn at_most(self, high: u64) -> Option<Condition> {
        Some(Condition { value: self.count?, low: 0, per_lane: 0, high })
    }
}

/// What has to be checked.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// The ranges.
    pub ranges: Vec<Range>,
    /// Which of them must lie apart, by index, the lower first.
    pub pairs: Vec<(usize, usize)>,
    /// What else must hold.
    pub conditions: Vec<Condition>,
}

impl Checks {
    pub(super) fn require(&mut self, condition: Condition) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
    }
    /// Finds out whether what must hold can be computed.
    pub(super) fn check_conditions(&self, scev: &mut ScalarEvolution<'_>, form: &Form) -> Result<(), Missed> {
        self.conditions.iter().try_for_each(|condition| can_be_computed(scev, form, condition.value))
    }
}

fn can_be_computed(scev: &mut ScalarEvolution<'_>, form: &Form, expr: Expr) -> Result<(), Missed> {
    let place = scev.body().terminator(form.preheader).ok_or(Missed::NoBounds)?;
    let options = Options { freeze: true, ..Options::default() };
    expand::plan(scev, expr, place, options).map(drop).map_err(|_| Missed::NoBounds)
}

pub(super) fn plan(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    (accesses, taken): (&[Access], Expr),
    pairs: &[(usize, usize)],
    limits: Limits,
) -> Result<Checks, Missed> {
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
        // What has one range can't be told apart by it.
        if x == y {
            return Err(Missed::UnsafeDependence);
        }
        // Nor can addresses of different spaces be compared.
        if scev.ty(checks.ranges[x].start) != scev.ty(checks.ranges[y].start) {
            return Err(Missed::NoBounds);
        }
        apart.push((x.min(y), x.max(y)));
    }
    apart.sort_unstable();
    apart.dedup();
    if apart.len() > limits.most_checks {
        return Err(Missed::TooManyChecks { needed: apart.len(), limit: limits.most_checks });
    }
    for range in &mut checks.ranges {
        finish(scev, form, taken, range)?;
    }
    checks.pairs = apart;
    Ok(checks)
}

/// What an access may touch: a range of its own.
fn own_range(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    checks: &mut Checks,
    access: &Access,
) -> Result<Range, Missed> {
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
        let (start, step) = access.affine.ok_or(Missed::NoBounds)?;
        return Ok(range(start, step));
    };
    let mut range = range(reach.start, reach.step);
    for term in &reach.terms {
        let taken = Taken::of(scev, form, term.l).ok_or(Missed::NoBounds)?;
        let step = scev.as_constant(term.step).and_then(|step| step.to_i64()).map(i128::from);
        let most = i128::try_from(taken.most).ok();
        let walked = step.zip(most).and_then(|(step, most)| step.checked_mul(most));
        match walked.filter(|walked| walked.unsigned_abs() < u128::from(MOST_STEP)) {
            Some(walked) => {
                (range.from, range.to) = (range.from + walked.min(0), range.to + walked.max(0));
            }
            None => {
                let count = taken.count.filter(|_| scev.width(term.step) == 64).ok_or(Missed::NoBounds)?;
                checks.require(Condition { value: term.step, low: 0, per_lane: 0, high: MOST_STEP });
                if taken.most > u128::from(MOST_TAKEN) {
                    checks.require(taken.at_most(MOST_TAKEN).ok_or(Missed::NoBounds)?);
                }
                range.walks.push(Walk { step: term.step, taken: count });
                if range.walks.len() > MOST_WALKS {
                    return Err(Missed::NoBounds);
                }
            }
        }
    }
    Ok(range)
}

/// Puts an access into the range that it is a constant apart from; its index.
fn put(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    checks: &mut Checks,
    access: &Access,
) -> Result<usize, Missed> {
    let own = own_range(scev, form, checks, access)?;
    if !scev.ty(own.start).is_pointer() {
        return Err(Missed::NoBounds);
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

/// Finds out for which counts a range is right, and whether its start can be computed.
fn finish(scev: &mut ScalarEvolution<'_>, form: &Form, taken: Expr, range: &mut Range) -> Result<(), Missed> {
    let own = u128::try_from(range.to - range.from).map_err(|_| Missed::NoBounds)?;
    let top = match range.walks.is_empty() {
        true => Int::all_ones(scev.width(range.start)).bits(),
        false => MOST_WALKED,
    };
    let room = top.checked_sub(own).ok_or(Missed::NoBounds)?;
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
