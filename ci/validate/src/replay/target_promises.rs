//! A second check of the target's promises about memory, by runs. The first check compares both functions, and accepts
//! a promise of the target that follows from the source's ([`backedge_smt::promises`]). It is static and must prove
//! what may happen between two accesses; runs observe what did.
//!
//! A run is evidence if the source is defined on its input and no run of the source breaks a promise there, for any
//! choices, but the target's run breaks one: the accesses that break it are reported.

use super::config::config;
use super::inputs::Inputs;
use crate::pair::Side;
use crate::verdict::Options;
use backedge_interp::promise::{self, Broken};
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine};
use backedge_interp::{Config, Machine, Program};
use std::sync::Arc;

/// Limits on the number of runs, the steps of each, and their total steps.
const RUNS: u64 = 48;
const FUEL: u64 = 1 << 14;
const STEPS: u64 = 1 << 18;
/// Choices tried on an input to see whether the target does what its source allows.
const CHOICES: Budget = Budget { target_runs: 4, source_runs: 16 };

/// Result of checking the target's promises on runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// Number of inputs on which the source is defined and keeps its promises, and the target does what the source
    /// allows.
    pub shown: u64,
    /// The first promise that the target breaks on one of these inputs.
    pub broken: Option<Broken>,
    /// Whether on some input the target does more than the source allows, or this is unknown.
    pub differs: bool,
}

/// Looks for a promise of the target that a run breaks, on the first of [`Options::runs`] inputs.
pub fn check(source: Side<'_>, target: Side<'_>, options: &Options) -> Kept {
    if !promise::is_promising(target.module, target.func) {
        return Kept::default();
    }
    let Some(inputs) = Inputs::new(source, target, options) else {
        return Kept { differs: true, ..Kept::default() };
    };
    let modules = [source.module, target.module];
    let config = Config { fuel: FUEL, ..config(options) };
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
