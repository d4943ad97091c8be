//! Stage: the solver's bounded check. Its refutations are replayed before they count (`answer`).

mod answer;

pub(crate) use answer::assumption;

use super::{Checked, Earlier, SoFar, Stage, Step};
use crate::pair::cycles::has_loop;
use crate::pair::{Side, Sides, as_ref};
use crate::verdict::{Assumption, Options, Reason, Verdict};
use answer::verdict_of;
use backedge_smt::promises;
use backedge_smt::refinement::{self, LibraryModel, Outcome};
use std::time::{Duration, Instant};

/// Divisor of the bounded check's initial budget if a proof follows, which makes most of the check superfluous. Without
/// a proof the check gets the full budget later.
const AT_FIRST: u32 = 8;
/// Divisor of the budget: raising the bound, or another query, may use this fraction.
pub(super) const RAISING: u32 = 4;

/// The stage.
pub(crate) struct Bounded;

impl Stage for Bounded {
    type Answer = Checked;

    fn name(&self) -> &'static str {
        "bounded"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn asks_solver(&self) -> bool {
        true
    }
    fn run(&self, sides: Sides<'_>, _: &Earlier, options: &Options) -> Checked {
        let divisor = if begins_with_a_part(sides, options) { AT_FIRST } else { 1 };
        let options = Options { rlimit: options.rlimit / divisor, ..options.clone() };
        let (verdict, units) = check(sides.source, sides.target, &options);
        Checked::new(verdict, units)
    }
    fn fold(&self, so_far: SoFar, checked: Checked) -> Step {
        Step::Continue(so_far.with_bounded(checked))
    }
    /// A proof may succeed although the bounded check reached a limit.
    fn at_limit(&self, so_far: SoFar, reason: Reason) -> Step {
        self.fold(so_far, Checked::new(Verdict::Inconclusive { reason }, 0))
    }
}

/// Whether the bounded check starts with the budget divided by [`AT_FIRST`].
pub(super) fn begins_with_a_part(Sides { source, target }: Sides<'_>, options: &Options) -> bool {
    options.induction && (has_loop(source) || has_loop(target))
}

/// The solver's verdict, and the Z3 resource units spent. If the budget does not suffice for the requested bound, the
/// bound is halved repeatedly down to the least acceptable one; the verdict states the bound reached. All bounds
/// together may take twice the time of one. Bounds whose formula is known to be too large are skipped.
pub(super) fn check(source: Side<'_>, target: Side<'_>, options: &Options) -> (Verdict, u64) {
    let (mut bound, mut units) = (options.bound, 0);
    let mut first = None;
    let start = Instant::now();
    loop {
        let left = options.timeout.saturating_mul(2).saturating_sub(start.elapsed());
        let time = options.timeout.min(left);
        let AtBound { verdict, units: spent, too_large } =
            check_at(source, target, &Options { bound, ..options.clone() }, time);
        units += spent;
        // If all runs exceed a lower bound, this says nothing about the requested one.
        if let (Verdict::Inconclusive { reason: Reason::PastBound { .. } }, Some(first)) = (&verdict, &first)
        {
            return (Verdict::clone(first), units);
        }
        let exhausted = matches!(
            verdict,
            Verdict::Inconclusive {
                reason: Reason::Budget { .. }
                    | Reason::Time { .. }
                    | Reason::Memory { .. }
                    | Reason::Solver { .. }
            }
        );
        let least = options.min_bound.clamp(1, options.bound);
        let next = too_large.map_or(bound / 2, |too_large| (bound / 2).min(too_large.saturating_sub(1)));
        let hopeless = too_large.is_some_and(|too_large| too_large <= least);
        let late = start.elapsed() >= options.timeout.saturating_mul(2);
        if !exhausted || hopeless || late || bound <= least {
            return (verdict, units);
        }
        bound = next.max(least);
        first.get_or_insert(verdict);
    }
}

/// Result for one bound.
pub(super) struct AtBound {
    pub(super) verdict: Verdict,
    pub(super) units: u64,
    /// The bound at which the formula was too large, if it was.
    too_large: Option<u32>,
}

/// The verdict at one bound. Library functions are treated as unknown first, so that a proof about them holds for all
/// iterations. If a counterexample depends on that, they are encoded byte by byte.
pub(super) fn check_at(source: Side<'_>, target: Side<'_>, options: &Options, time: Duration) -> AtBound {
    let start = Instant::now();
    let (first, unknown) = check_with(Sides { source, target }, options, LibraryModel::Unknown, time);
    if !unknown || !rests_on_the_model(&first.verdict) {
        return first;
    }
    let left = time.saturating_sub(start.elapsed());
    let (second, _) = check_with(Sides { source, target }, options, LibraryModel::Bytes, left);
    let units = first.units + second.units;
    let says_more = match &second.verdict {
        Verdict::Inconclusive { reason } => {
            reason.bound_to_raise().is_some() || rests_on_the_model(&second.verdict)
        }
        _ => true,
    };
    AtBound { units, ..if says_more { second } else { first } }
}

/// Whether a counterexample was found that the model's over-approximation may have caused.
fn rests_on_the_model(verdict: &Verdict) -> bool {
    let Verdict::Inconclusive { reason } = verdict else { return false };
    matches!(reason, Reason::Inexact { .. } | Reason::Approximation { .. })
}

/// [`check_at`] with library functions modelled by `library`. Also returns whether a function treated as unknown could
/// be encoded byte by byte.
fn check_with(
    Sides { source, target }: Sides<'_>,
    options: &Options,
    library: LibraryModel,
    time: Duration,
) -> (AtBound, bool) {
    let smt_options = refinement::Options {
        bound: options.bound,
        units: options.rlimit.into(),
        time,
        memory: options.memory_mb,
        uninit: options.uninit,
        undef_inputs: options.undef_inputs,
        poison_inputs: options.poison_inputs,
        library,
    };
    let report = refinement::check(as_ref(source), as_ref(target), &smt_options);
    let too_large = match report.outcome {
        Outcome::Inconclusive(refinement::Reason::TooLarge { bound, .. }) => Some(bound),
        _ => None,
    };
    let mut verdict = verdict_of(report.outcome, &report.approximations, Sides { source, target }, options);
    let of_defined_inputs = match &mut verdict {
        Verdict::RefutedByUndef { otherwise, .. } => otherwise,
        verdict => verdict,
    };
    if let Verdict::RefinesAll { assumed, .. } | Verdict::RefinesUpTo { assumed, .. } = of_defined_inputs
        && let Some(claim) = promises::of_writes(as_ref(source), as_ref(target)).and_then(|p| p.claim)
        && !refinement::writes_no_more(as_ref(source), as_ref(target), &part_of(smt_options))
    {
        assumed.push(Assumption::Claims(vec![claim]));
    }
    (AtBound { verdict, units: report.cost.units, too_large }, report.unknown_library)
}

/// The options with a part of the budget.
fn part_of(options: refinement::Options) -> refinement::Options {
    let (units, time) = (options.units / u64::from(RAISING), options.time / RAISING);
    refinement::Options { units, time, ..options }
}
