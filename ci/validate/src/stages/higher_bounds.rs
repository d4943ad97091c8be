//! A part of the stage `full_effort`: bounded checks at higher bounds than the requested one.

use super::bounded::{AtBound, RAISING, check_at};
use crate::pair::Sides;
use crate::replay::trips::Trips;
use crate::verdict::{Options, Reason, Verdict};
use std::time::Instant;

/// The greatest bound that runs can suggest.
const FURTHEST: u32 = 1024;

/// `verdict`, or the verdict with a higher bound, and the units spent on the higher bound. `spent` is the number of
/// units spent on `verdict`'s bound.
///
/// If all terminating runs take the same number of iterations, that number becomes the bound at once: no path is cut,
/// and the verdict holds for all iterations. This check has the full budget if nothing was accepted so far.
pub(super) fn raise(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    verdict: Verdict,
    spent: u64,
) -> (Verdict, u64) {
    let is_past = verdict.reason().is_some_and(|reason| reason.bound_to_raise().is_some());
    if !is_past && !matches!(&verdict, Verdict::RefinesUpTo { .. }) || options.max_bound <= options.bound {
        return (verdict, 0);
    }
    let trips = Trips::of(source, target, options);
    if is_past && trips.never_end() {
        return (verdict, 0);
    }
    let mut units = 0;
    if let Some(count) = trips.constant().filter(|n| options.bound < *n && *n <= FURTHEST) {
        let rlimit = if is_past { options.rlimit } else { options.rlimit / RAISING };
        let at_count = Options { bound: count, rlimit, ..options.clone() };
        let checked = check_at(source, target, &at_count, options.timeout);
        units = checked.units;
        if is_better(&checked.verdict, &verdict) {
            return (checked.verdict, units);
        }
    }
    let (verdict, more) = raise_by_steps(Sides { source, target }, options, verdict, spent);
    (verdict, units + more)
}

/// Whether a verdict with a higher bound is stronger than `so_far`. Places that only runs past the lower bound reached
/// must be shown reachable within the higher bound; an unknown answer of the solver is not enough.
fn is_better(higher: &Verdict, so_far: &Verdict) -> bool {
    let assumed = match so_far {
        Verdict::RefinesUpTo { assumed, .. } => assumed.len(),
        _ => usize::MAX,
    };
    let beyond = match so_far {
        Verdict::Inconclusive { reason: Reason::PastBound { places, .. } } => &places[..],
        _ => &[],
    };
    match higher {
        Verdict::RefinesUpTo { assumed: more, unreached, .. } => {
            more.len() <= assumed && !beyond.iter().any(|place| unreached.source.contains(place))
        }
        Verdict::RefinesAll { assumed: more, .. } => more.len() <= assumed,
        Verdict::Inconclusive { reason } => reason.bound_to_raise().is_some(),
        Verdict::Refuted(_)
        | Verdict::RefutedByUndef { .. }
        | Verdict::Vacuous { .. }
        | Verdict::InternalError(_) => true,
    }
}

/// `verdict`, or the verdict with a higher bound: the bound is doubled up to [`Options::max_bound`] while the next
/// bound is expected to stay within a part of the budget. All bounds together have the time of one.
fn raise_by_steps(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    mut verdict: Verdict,
    spent: u64,
) -> (Verdict, u64) {
    let end = Instant::now().checked_add(options.timeout);
    let (mut cost, mut units) = (spent, 0);
    let share = u64::from(options.rlimit / RAISING);
    loop {
        let bound = match &verdict {
            Verdict::RefinesUpTo { bound, .. } => Some(*bound),
            Verdict::Inconclusive { reason } => reason.bound_to_raise(),
            _ => None,
        };
        let Some(bound) = bound else { return (verdict, units) };
        let next = bound.saturating_mul(2).min(options.max_bound);
        let left = share - units;
        let time = end.map_or(options.timeout, |end| end.saturating_duration_since(Instant::now()));
        // Twice the iterations take at least twice as long.
        if bound < options.bound || next <= bound || cost.saturating_mul(2) > left || time.is_zero() {
            return (verdict, units);
        }
        let rlimit = u32::try_from(left).unwrap_or(u32::MAX);
        let at_next = Options { bound: next, rlimit, ..options.clone() };
        let AtBound { verdict: higher, units: spent, .. } = check_at(source, target, &at_next, time);
        (cost, units) = (spent, (units + spent).min(share));
        if !is_better(&higher, &verdict) {
            return (verdict, units);
        }
        verdict = higher;
    }
}
