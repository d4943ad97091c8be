//! Runs on inputs with undef bits.

use crate::admit::qualified::qualified;
use crate::admit::unkept::Unkept;
use crate::pair::Side;
use crate::replay::config::config;
use crate::replay::inputs::Inputs;
use crate::replay::refutation::refutation;
use crate::replay::runners::{Runners, budget};
use crate::verdict::witness::{FoundBy, Refutation};
use crate::verdict::{Assumption, Options, Verdict};
use backedge_interp::Program;
use backedge_interp::refine::Refinement;
use std::time::Instant;

/// Limit on the steps of runs on undef inputs, and their share (divisor) of [`Options::runs`].
const UNDEF_STEPS: u64 = 1_000_000;

const UNDEF_SHARE: u64 = 4;

/// Whether a parameter may be undef.
fn may_be_undef(source: Side<'_>, target: Side<'_>) -> bool {
    Inputs::new(source, target).is_none_or(|inputs| !inputs.all_noundef())
}

/// Runs both sides on inputs with undef bits until one shows a violation: for pairs that defined inputs do not refute.
fn with_undef(source: Side<'_>, target: Side<'_>, options: &Options) -> Option<Box<Refutation>> {
    let inputs = Inputs::new(source, target).filter(|_| options.undef_inputs)?;
    let config = config(options);
    let programs = Program::pair([source.module, target.module], &config);
    let mut runners = Runners::new(&programs, config, 0);
    let started = Instant::now();
    let unkept = Unkept::new(source);
    let count = usize::try_from(options.runs / UNDEF_SHARE).unwrap_or(usize::MAX);
    for input in inputs.with_undef().into_iter().take(count) {
        if let Ok(Refinement::Violates(violation)) =
            runners.refine((source, target), &input, budget(options, 0))
            && unkept.broken(&mut runners.machines[0], &input, &violation).is_none()
        {
            let found = (&input, violation.into());
            return Some(refutation((source, target), &programs, options, found, FoundBy::Runs));
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

/// Assumptions of a verdict that ran every input without undef bits.
pub(crate) fn without_undef(source: Side<'_>, target: Side<'_>, options: &Options) -> Vec<Assumption> {
    let may_be_undef = !options.undef_inputs && may_be_undef(source, target);
    may_be_undef.then_some(Assumption::NoUndefInputs).into_iter().collect()
}
