//! Stage: both functions run side by side on values, which proves refinement for all iterations without the solver.

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::pair::{Sides, as_ref};
use crate::verdict::{Method, Options, Verdict};
use backedge_smt::promises::{self, Promised};
use backedge_smt::simulation::{self, Outcome};

/// The stage.
pub(crate) struct Simulation;

impl Stage for Simulation {
    /// The verdict, if there is a proof that needs no unmodelled feature.
    type Answer = Option<Verdict>;

    fn name(&self) -> &'static str {
        "simulation"
    }
    fn wanted(&self, so_far: &SoFar, options: &Options) -> bool {
        let is_doubtful =
            so_far.by_undef.is_some() || so_far.excused.is_some() || so_far.earlier.is_suspect();
        options.induction && !is_doubtful
    }
    fn run(&self, sides: Sides<'_>, _: &Earlier, options: &Options) -> Self::Answer {
        // Later stages may show these promises, which the verdict would assume here.
        let may_be_shown = |p: &Promised| p.by_runs || p.by_paths || p.by_writes;
        let promises = promises::beyond(as_ref(sides.source), as_ref(sides.target));
        if promises.iter().any(may_be_shown) { None } else { simulated(sides, options).ok() }
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        match answer {
            Some(verdict) => so_far.decided(verdict),
            None => Step::Continue(so_far),
        }
    }
}

/// The verdict by a simulation; the error says what was not shown, or which feature is not modelled.
pub(crate) fn simulated(Sides { source, target }: Sides<'_>, options: &Options) -> Result<Verdict, String> {
    let options = simulation::Options { uninit: options.uninit };
    match simulation::prove(as_ref(source), as_ref(target), &options) {
        Outcome::Refines => {
            let verdict = Verdict::RefinesAll { method: Method::Simulation, assumed: Vec::new() };
            match qualified(verdict, source, target) {
                verdict @ Verdict::RefinesAll { .. } => Ok(verdict),
                other => Err(other.to_string()),
            }
        }
        Outcome::Open(why) => Err(why),
    }
}
