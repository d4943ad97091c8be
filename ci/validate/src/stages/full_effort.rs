//! Stage for a pair that neither the bounded check nor a proof decided: the bounded check with the full budget, long
//! runs, and higher bounds.

use super::bounded::{begins_with_a_part, check};
use super::higher_bounds::raise;
use super::long_runs::by_long_runs;
use super::{Checked, Earlier, SoFar, Stage, Step};
use crate::pair::Sides;
use crate::verdict::{Options, Reason, Verdict};

/// The stage.
pub(crate) struct FullEffort;

impl Stage for FullEffort {
    type Answer = Checked;

    fn name(&self) -> &'static str {
        "full-effort"
    }
    fn wanted(&self, so_far: &SoFar, _: &Options) -> bool {
        so_far.is_open()
    }
    fn asks_solver(&self) -> bool {
        true
    }
    fn run(&self, sides: Sides<'_>, earlier: &Earlier, options: &Options) -> Checked {
        let Sides { source, target } = sides;
        let (mut verdict, mut spent) = (earlier.of_solver(), earlier.spent);
        let mut units = 0;
        if begins_with_a_part(sides, options) && may_improve(&verdict, options) {
            let (whole, more) = check(source, target, options);
            units += more;
            if !whole.is_open() || bound_of(&whole) >= bound_of(&verdict) {
                (verdict, spent) = (whole, more);
            }
        }
        if verdict.is_open()
            && let Some(refutation) = by_long_runs(source, target, options, earlier.is_suspect())
        {
            verdict = Verdict::Refuted(refutation);
        }
        let (verdict, raising) = raise(Sides { source, target }, options, verdict, spent);
        Checked::new(verdict, units + raising)
    }
    fn fold(&self, so_far: SoFar, checked: Checked) -> Step {
        Step::Continue(so_far.with_checked(checked))
    }
    /// The verdict of the earlier stages remains.
    fn at_limit(&self, so_far: SoFar, _: Reason) -> Step {
        Step::Continue(so_far)
    }
}

/// Whether a larger budget might improve `verdict`.
fn may_improve(verdict: &Verdict, options: &Options) -> bool {
    match verdict {
        Verdict::RefinesUpTo { bound, .. } => *bound < options.bound,
        Verdict::Inconclusive { reason } => matches!(
            reason,
            Reason::Time { .. } | Reason::Budget { .. } | Reason::Memory { .. } | Reason::Solver { .. }
        ),
        Verdict::RefinesAll { .. }
        | Verdict::Refuted(_)
        | Verdict::RefutedByUndef { .. }
        | Verdict::Vacuous { .. }
        | Verdict::InternalError(_) => false,
    }
}

/// The bound of a bounded verdict.
fn bound_of(verdict: &Verdict) -> Option<u32> {
    if let Verdict::RefinesUpTo { bound, .. } = verdict { Some(*bound) } else { None }
}
