//! Memory dependences between iterations of an outer loop: the number of iterations that may execute together, lane by
//! lane, and the conditions for it.
//!
//! In vector code all lanes execute the first iteration of an inner loop before any lane executes its second. So if
//! lanes `d` apart execute two accesses in inner loops, in any iterations of these, the order of the two may be
//! reversed, whichever comes first in the source. Such accesses must touch different bytes in both directions; this
//! includes a store paired with itself. Two accesses outside inner loops keep their linear order, so only the direction
//! that [`super::depends`] checks matters for them. Lanes of different vectors keep their order, so only distances of
//! less than a vector matter.
//!
//! If the addresses have equal steps, `d` lanes and `n1, n2 …` inner iterations apart, the distance is
//! `c + step * d + t1 * n1 + t2 * n2 …`. It is large enough in one of two cases:
//!
//! - *rows*: the total contribution of the inner loops is less than the distance between lanes, as in `a[i][k]` with
//!   lanes `i`;
//! - *columns*: each `t`, in order of size, exceeds the sum of all smaller contributions, the distance between lanes,
//!   and the size of a value, as in `a[k][i]` with lanes `i`. One `t` may be known only at run time, as in
//!   `a[k * n + i]`: it is compared with the number of lanes before the loop ([`super::checks::Condition`]).
//!
//! Both cases include the proof that no address wraps; values known only at run time are bounded by conditions. Pairs
//! that neither these cases nor alias analysis separates are compared at run time, by the full range that the nest may
//! touch.

use super::access::{Access, Reach, Term};
use super::checks::{self, Checks, Condition, MOST_STEP, MOST_TAKEN, Taken};
use super::depends::{Dependences, MOST_LANES, Spacing};
use super::{Form, LegalityMissed, Limits};
use backedge_analysis::alias::{AliasResult, Aliasing, Iterations};
use backedge_ir::int::Int;
use backedge_scev::{Expr, ScalarEvolution};

/// Limit for lane strides and for constant distances, in bytes, so that their products with [`MOST_LANES`] and their
/// sums with [`MOST_WAY`] stay below 2^63.
const MOST_APART: u128 = 1 << 40;
/// Limit for the distance that inner loops cover together, in bytes, where it is bounded at run time, so that sums with
/// [`MOST_APART`] stay below 2^63.
const MOST_WAY: u128 = 1 << 60;

/// The relation of two accesses.
enum Relation {
    /// They touch different bytes for up to this many lanes (`None`: any number), provided the conditions hold.
    Apart(Option<u32>, Vec<Condition>),
    /// Unknown: a run-time check is needed.
    Unknown,
    /// They may touch the same bytes, and no check helps.
    Unsafe,
}

pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    accesses: &[Access],
    taken: Expr,
    limits: Limits,
) -> Result<Dependences, LegalityMissed> {
    let (mut most, mut unknown, mut conditions) = (None, Vec::new(), Vec::<Condition>::new());
    for (later, b) in accesses.iter().enumerate() {
        for (earlier, a) in accesses[..=later].iter().enumerate() {
            if !a.is_store && !b.is_store {
                continue;
            }
            match relation(scev, form, a, b) {
                Relation::Apart(lanes, found) => {
                    most = least(most, lanes);
                    conditions.extend(found);
                }
                Relation::Unknown => unknown.push((earlier, later)),
                Relation::Unsafe => return Err(LegalityMissed::UnsafeDependence),
            }
        }
    }
    // A vector has at least two lanes.
    if most.is_some_and(|lanes| lanes < 2) {
        return Err(LegalityMissed::UnsafeDependence);
    }
    let mut checks = match unknown.is_empty() {
        true => Checks::default(),
        false => checks::plan(scev, form, accesses, taken, &unknown, limits)?,
    };
    for condition in conditions {
        checks.require(condition);
    }
    checks.check_conditions(scev, form)?;
    let is_empty = checks.ranges.is_empty() && checks.conditions.is_empty();
    Ok(Dependences { most_lanes: most, checks: (!is_empty).then_some(checks) })
}

fn least(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, None) | (None, one) => one,
    }
}

/// The relation of `a` and `b`; `b` is `a` or comes after it in linear order.
fn relation(scev: &mut ScalarEvolution<'_>, form: &Form, a: &Access, b: &Access) -> Relation {
    let (body, loops, is_same) = (scev.body(), scev.loops(), a.inst == b.inst);
    let is_own = |access: &Access| {
        body.block_of(access.inst).is_some_and(|block| loops.innermost(block) == Some(form.l))
    };
    let in_order = is_own(a) && is_own(b);
    if is_same && in_order {
        return Relation::Apart(None, Vec::new());
    }
    let aliasing = Aliasing::new(scev.at);
    if !is_same && aliasing.alias_accesses(a.inst, b.inst, Iterations::Any(form.l)) == AliasResult::NoAlias {
        return Relation::Apart(None, Vec::new());
    }
    let (Some(x), Some(y)) = (&a.reach, &b.reach) else {
        return if is_same { Relation::Unsafe } else { Relation::Unknown };
    };
    if x.step != y.step || scev.ty(x.start) != scev.ty(y.start) {
        return Relation::Unknown;
    }
    let difference = scev.sub(y.start, x.start);
    if scev.is_could_not_compute(difference) {
        return Relation::Unknown;
    }
    let Some(difference) = scev.as_constant(difference) else { return Relation::Unknown };
    let spacing = Spacing { difference, step: x.step, bytes: [a.bytes, b.bytes] };
    if in_order && x.terms.is_empty() && y.terms.is_empty() {
        return Relation::Apart(spacing.first_conflict(), Vec::new());
    }
    let columns = columns(scev, form, x, y, spacing);
    let rows = rows(scev, form, x, y, spacing);
    match (rows, columns) {
        (None, None) => Relation::Unsafe,
        (Some(lanes), None) => Relation::Apart(lanes, Vec::new()),
        (None, Some((lanes, conditions))) => Relation::Apart(lanes, conditions),
        // Prefer the result that allows more lanes, then the one without conditions.
        (Some(rows), Some((columns, conditions))) => match least(rows, columns) == columns {
            true if rows != columns || !conditions.is_empty() => Relation::Apart(rows, Vec::new()),
            _ => Relation::Apart(columns, conditions),
        },
    }
}

/// The least lane distance at which the accesses overlap, in either direction.
fn conflict(spacing: Spacing) -> Option<u32> {
    let back = spacing.step.checked_neg();
    let back = back.map_or(Some(1), |step| Spacing { step, ..spacing }.first_conflict());
    least(spacing.first_conflict(), back)
}

/// The permitted number of lanes if the inner loops contribute less than the distance between lanes.
fn rows(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    x: &Reach,
    y: &Reach,
    spacing: Spacing,
) -> Option<Option<u32>> {
    // The least and greatest contribution of the inner loops to the distance from `x` to `y`.
    let (mut low, mut high) = (0, 0);
    for (terms, sign) in [(&x.terms, -1), (&y.terms, 1)] {
        for term in terms {
            let step = i128::from(scev.as_constant(term.step)?.to_i64()?) * sign;
            let most = i128::try_from(Taken::of(scev, form, term.l)?.most).ok()?;
            let way = step.checked_mul(most).filter(|way| way.unsigned_abs() <= MOST_APART)?;
            if way < 0 { low += way } else { high += way }
        }
    }
    let way = u64::try_from(high - low).ok().filter(|way| u128::from(*way) <= MOST_APART)?;
    let low = Int::from_i128(spacing.difference.width(), low);
    let [of_x, of_y] = spacing.bytes;
    let bytes = [of_x, of_y.checked_add(way)?];
    Some(conflict(Spacing { difference: spacing.difference.add(low), bytes, ..spacing }))
}

/// The permitted number of lanes, with conditions, if the inner loops contribute more than the distance between lanes.
fn columns(
    scev: &mut ScalarEvolution<'_>,
    form: &Form,
    x: &Reach,
    y: &Reach,
    spacing: Spacing,
) -> Option<(Option<u32>, Vec<Condition>)> {
    if x.terms != y.terms {
        return None;
    }
    let (mut lanes, mut conditions) = (conflict(spacing), Vec::new());
    let Spacing { difference, bytes: [of_x, of_y], .. } = spacing;
    let width = difference.width();
    let apart = u128::from(x.step.unsigned_abs());
    // Upper bound for the lane distance plus the terms so far: this value, plus `apart` for each lane but one.
    let mut way = difference.signed().unsigned_abs().checked_add(u128::from(of_x.max(of_y)))?;
    if apart > MOST_APART || way > MOST_APART {
        return None;
    }
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for term in &x.terms {
        match scev.as_constant(term.step) {
            Some(step) => known.push((u128::from(step.to_i64()?.unsigned_abs()), *term)),
            None => unknown.push(*term),
        }
    }
    known.sort_unstable_by_key(|(step, _)| *step);
    for (step, term) in known {
        let room = step.checked_sub(way)?;
        if apart > 0 && room / apart + 1 < u128::from(MOST_LANES) {
            lanes = least(lanes, Some(u32::try_from(room / apart + 1).ok()?));
        }
        let taken = Taken::of(scev, form, term.l)?;
        let far = match step.checked_mul(taken.most).filter(|far| *far <= MOST_WAY) {
            Some(far) => far,
            None => {
                let high = MOST_WAY / step.max(1);
                conditions.push(taken.at_most(u64::try_from(high).ok()?)?);
                MOST_WAY
            }
        };
        way = way.checked_add(far).filter(|way| *way <= 2 * MOST_WAY)?;
    }
    match unknown[..] {
        [] => {}
        [Term { l, step }] if width == 64 => {
            let (low, per_lane) = (u64::try_from(way).ok()?, u64::try_from(apart).ok()?);
            conditions.push(Condition { value: step, low, per_lane, high: MOST_STEP });
            let taken = Taken::of(scev, form, l)?;
            if taken.most > u128::from(MOST_TAKEN) {
                conditions.push(taken.at_most(MOST_TAKEN)?);
            }
            way = way.checked_add(MOST_WAY)?;
        }
        _ => return None,
    }
    let all = way.checked_add(apart.checked_mul(u128::from(MOST_LANES))?)?;
    (width <= 64 && all <= 1 << (width - 1)).then_some((lanes, conditions))
}
