//! A second check of what the target promises about memory: on runs. The first one compares both functions, and accepts
//! a promise of the target that follows from the source's ([`backedge_smt::promises`]). It knows no inputs, and must
//! see for itself what may happen between two accesses; runs see what did.
//!
//! A run shows something if the source is defined on its input and no run of the source breaks a promise there, whatever
//! it chooses, but the target's breaks one: the accesses that do so are named.

use crate::check::{Options, Side};
use crate::inputs::Inputs;
use crate::runs;
use backedge_interp::promise::{self, Broken};
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine};
use backedge_interp::{Config, Machine, Program};
use std::sync::Arc;

/// Limit on the runs of an accepted target on which promises are checked.
const RUNS: u64 = 48;
/// Budget of each of these runs, in steps: every access is logged.
const FUEL: u64 = 1 << 14;
/// Limit on the steps of all these runs together.
const STEPS: u64 = 1 << 18;
/// Choices that are tried on an input to see whether the target does what its source allows.
const CHOICES: Budget = Budget { target_runs: 4, source_runs: 16 };

/// What runs show of the target's promises.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// Inputs on which the source is defined and keeps its promises, and the target does what the source allows.
    pub shown: u64,
    /// The first promise that the target breaks on one of these.
    pub broken: Option<Broken>,
    /// Whether the target does more than the source allows on some input, or that cannot be said.
    pub differs: bool,
}

/// Looks for a promise of the target that runs break, on the first of [`Options::runs`] inputs.
pub fn look(source: Side<'_>, target: Side<'_>, options: &Options) -> Kept {
    if !promise::is_promising(target.module, target.func) {
        return Kept::default();
    }
    let Some(inputs) = Inputs::new(source, target) else {
        return Kept { differs: true, ..Kept::default() };
    };
    let modules = [source.module, target.module];
    let config = Config { fuel: FUEL, ..runs::config(options) };
    let programs = Program::pair(modules, &config);
    let [mut of_source, mut of_target] = Machine::pair(&programs, &config);
    let no_answers = Arc::default();
    let mut kept = Kept::default();
    for numbered in inputs.some(options.runs.min(RUNS)).enumerate() {
        let input = inputs.with_contents(numbered, modules);
        let mut sides = (
            Runner { machine: &mut of_source, func: source.func },
            Runner { machine: &mut of_target, func: target.func },
        );
        match refine(&mut sides.0, &mut sides.1, &input, CHOICES) {
            Ok(Refinement::Refines { source_ub: true, .. }) => continue,
            Ok(Refinement::Refines { .. }) => {}
            Ok(_) | Err(_) => {
                kept.differs = true;
                continue;
            }
        }
        let by_target = promise::broken(&mut of_target, target.func, &input, &no_answers, &[]);
        let by_target = by_target.filter(|broken| broken.is_shown);
        if promise::broken(&mut of_source, source.func, &input, &no_answers, &[]).is_none() {
            kept.shown += 1;
            kept.broken = kept.broken.or(by_target);
        }
        if of_source.steps() + of_target.steps() > STEPS {
            break;
        }
    }
    kept
}
