//! Stage: runs on inputs with undef bits, for pairs that defined inputs do not refute.

use super::{Earlier, SoFar, Stage, Step};
use crate::admit::qualified::qualified;
use crate::admit::source_promises::SourcePromises;
use crate::pair::{Side, Sides};
use crate::replay::config::config;
use crate::replay::inputs::Inputs;
use crate::replay::refutation::refutation;
use crate::replay::runners::{Runners, budget};
use crate::verdict::witness::{FoundBy, Refutation};
use crate::verdict::{Options, Verdict};
use backedge_interp::Program;
use backedge_interp::refine::Refinement;
use std::time::Instant;

/// Limit on the steps of runs on undef inputs, and their share (divisor) of [`Options::runs`].
const UNDEF_STEPS: u64 = 1_000_000;
const UNDEF_SHARE: u64 = 4;

/// The stage.
pub(crate) struct UndefRuns;

impl Stage for UndefRuns {
    /// A refutation; its input need not be undef.
    type Answer = Option<Box<Refutation>>;

    fn name(&self) -> &'static str {
        "undef-runs"
    }
    fn wanted(&self, _: &SoFar, _: &Options) -> bool {
        true
    }
    fn run(&self, Sides { source, target }: Sides<'_>, _: &Earlier, options: &Options) -> Self::Answer {
        refuted_by_undef(source, target, options)
    }
    fn fold(&self, so_far: SoFar, answer: Self::Answer) -> Step {
        match answer {
            Some(refutation) if !refutation.undef_input => so_far.decided(Verdict::Refuted(refutation)),
            by_undef => Step::Continue(SoFar { by_undef, ..so_far }),
        }
    }
}

/// Runs both sides on inputs with undef bits until one shows a violation: for pairs that defined inputs do not refute.
fn with_undef(source: Side<'_>, target: Side<'_>, options: &Options) -> Option<Box<Refutation>> {
    let inputs = Inputs::new(source, target, options).filter(|_| options.undef_inputs)?;
    let config = config(options);
    let programs = Program::pair([source.module, target.module], &config);
    let mut runners = Runners::new(&programs, config, 0);
    let started = Instant::now();
    let promises = SourcePromises::new(source);
    let count = usize::try_from(options.runs / UNDEF_SHARE).unwrap_or(usize::MAX);
    for input in inputs.with_undef().into_iter().take(count) {
        if let Ok(Refinement::Violates(violation)) =
            runners.refine(Sides { source, target }, &input, budget(options, 0))
            && promises.broken(&mut runners.machines[0], &input, &violation).is_none()
        {
            let sides = Sides { source, target };
            let shown = violation.into();
            return Some(refutation(sides, &programs, options, &input, shown, FoundBy::Runs));
        }
        if runners.steps() > UNDEF_STEPS || started.elapsed() > options.timeout {
            break;
        }
    }
    None
}

/// A refutation by runs on undef inputs, if these are allowed and nothing excuses the failure. The reported input need
/// not be undef: a smaller failing input is preferred.
pub(crate) fn refuted_by_undef(
    source: Side<'_>,
    target: Side<'_>,
    options: &Options,
) -> Option<Box<Refutation>> {
    let refutation = with_undef(source, target, options)?;
    match qualified(Verdict::Refuted(refutation), source, target) {
        Verdict::Refuted(refutation) => Some(refutation),
        _ => None,
    }
}
