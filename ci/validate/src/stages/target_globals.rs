//! Stage: whether the target promises more about globals than the source. No verdict of the solver would hold then.

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::too_much;
use crate::pair::{Sides, as_ref};
use crate::verdict::{Options, Reason, Report, Verdict};
use backedge_smt::promises;

/// The stage.
pub(crate) struct TargetGlobals;

impl Stage for TargetGlobals {
    /// The promise that the target must not make.
    type Answer = Option<Reason>;

    fn name(&self) -> &'static str {
        "target-globals"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, _: &Options) -> Self::Answer {
        promises::of_globals(as_ref(source), as_ref(target)).map(|promise| too_much(&promise, target))
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        let Some(reason) = answer else { return Step::Continue(so_far) };
        let open = Report::new(Verdict::Inconclusive { reason });
        Step::Break(so_far.with_suspicion(None).then(open))
    }
}
