//! Stage for a portfolio without the solver: long runs, and the verdict that no run failed.

use super::long_runs::by_long_runs;
use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::pair::Sides;
use crate::verdict::{Options, Reason, Report, Verdict};

/// The stage.
pub(crate) struct RunsAlone;

impl Stage for RunsAlone {
    /// The verdict if a long run fails.
    type Answer = Option<Verdict>;

    fn name(&self) -> &'static str {
        "runs-alone"
    }
    fn wanted(&self, _: &SoFar, options: &Options) -> bool {
        !options.solver
    }
    fn run(&self, Sides { source, target }: Sides<'_>, earlier: &Earlier, options: &Options) -> Self::Answer {
        let refutation = by_long_runs(source, target, options, earlier.is_suspect())?;
        Some(qualified(Verdict::Refuted(refutation), source, target))
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        if let Some(verdict) = answer {
            return so_far.decided(verdict);
        }
        let SoFar { runs, defined, .. } = so_far;
        let open = Report::new(Verdict::Inconclusive { reason: Reason::RunsAlone { runs, defined } });
        Step::Break(so_far.then(open))
    }
}
