//! Compares runs of both sides on many inputs, with less fuel once many steps were spent on runs that did not end.

use super::config::config;
use super::drive::is_cut_short;
use super::inputs::Inputs;
use crate::pair::{Side, Sides};
use crate::verdict::Options;
use backedge_interp::chooser::RandomChooser;
use backedge_interp::input::{Input, InputError};
use backedge_interp::refine::{Budget, Refinement, Side as Runner, refine, refine_with};
use backedge_interp::{Config, Machine, Program};

/// Limit on the total steps of one search. Steps are counted so that verdicts do not depend on the machine; a time
/// limit applies in addition, for runs with slow steps.
pub(crate) const STEPS: u64 = 20_000_000;

/// Limit on the steps of inconclusive cut-short runs. After it, runs get less fuel: if this many did not end, most
/// other runs of that length will not either.
const WASTE: u64 = 1_000_000;

/// The reduced fuel.
const SHORT_FUEL: u64 = 1_000;

/// Choice sequences of the source tried for one of the target. The solver covers all of them.
const SOURCE_RUNS: u32 = 32;

/// Number of inputs, boundary values first, on which the requested number of target choices is tried. Later inputs get
/// only the first choices if the solver covers all choices anyway.
const THOROUGH: u64 = 256;

/// The budget for the input after `before` others, if not all choices can be tried.
pub(crate) fn budget(options: &Options, before: u64) -> Budget {
    let brief = options.solver && before >= THOROUGH;
    let target_runs = if brief { 1 } else { options.in_order };
    Budget { target_runs, source_runs: SOURCE_RUNS }
}

/// Whether the target does what a defined source allows on one of at most [`Options::runs`] inputs.
pub(crate) fn holds_somewhere(source: Side<'_>, target: Side<'_>, options: &Options) -> bool {
    let Some(inputs) = Inputs::new(source, target, options) else { return false };
    let modules = [source.module, target.module];
    let config = config(options);
    let programs = Program::pair(modules, &config);
    let mut runners = Runners::new(&programs, config, options.at_random);
    for numbered in inputs.some(options.runs).enumerate() {
        let input = inputs.with_contents(numbered, modules);
        match runners.refine(Sides { source, target }, &input, budget(options, 0)) {
            Ok(Refinement::Refines { source_ub: false, .. }) => return true,
            Ok(_) | Err(_) if runners.steps() <= STEPS => {}
            Ok(_) | Err(_) => return false,
        }
    }
    false
}

/// Compares both sides on `input`: with the first choices in order, and if others remain, with some random ones.
fn compare(
    sides: &mut (Runner<'_, '_>, Runner<'_, '_>),
    input: &Input,
    budget: Budget,
    seeds: impl Iterator<Item = u64>,
) -> Result<Refinement, InputError> {
    let first = refine(&mut sides.0, &mut sides.1, input, budget)?;
    if let Refinement::Refines { all_choices: false, .. } = first {
        for seed in seeds {
            let mut choices = RandomChooser::new(seed);
            let found = refine_with(&mut sides.0, &mut sides.1, input, &mut choices, budget)?;
            if let Refinement::Violates(_) = found {
                return Ok(found);
            }
        }
    }
    Ok(first)
}

/// Both machines; they get less fuel after many steps were inconclusive.
pub(crate) struct Runners<'p> {
    programs: &'p [Program<'p>; 2],
    config: Config,
    pub(crate) machines: [Machine<'p>; 2],
    /// Steps of earlier machines.
    before: u64,
    /// Steps of cut-short runs.
    wasted: u64,
    /// [`Options::at_random`].
    at_random: u64,
    /// Number of random seeds used.
    tried: u64,
}

impl<'p> Runners<'p> {
    pub(crate) fn new(programs: &'p [Program<'p>; 2], config: Config, at_random: u64) -> Self {
        let machines = Machine::pair(programs, &config);
        Self { programs, config, machines, before: 0, wasted: 0, at_random, tried: 0 }
    }
    pub(crate) fn steps(&self) -> u64 {
        self.before + self.machines.iter().map(Machine::steps).sum::<u64>()
    }
    pub(crate) fn refine(
        &mut self,
        Sides { source, target }: Sides<'_>,
        input: &Input,
        budget: Budget,
    ) -> Result<Refinement, InputError> {
        let before = self.steps();
        if self.wasted > WASTE && self.config.fuel > SHORT_FUEL {
            let config = Config { fuel: SHORT_FUEL, ..self.config.clone() };
            let (wasted, tried) = (self.wasted, self.tried);
            *self = Self { before, wasted, tried, ..Self::new(self.programs, config, self.at_random) };
        }
        let [s, t] = &mut self.machines;
        let mut sides = (Runner { machine: s, func: source.func }, Runner { machine: t, func: target.func });
        let seeds = self.tried..self.tried + self.at_random;
        self.tried = seeds.end;
        let refinement = compare(&mut sides, input, budget, seeds)?;
        if is_cut_short(&refinement) {
            self.wasted += self.steps() - before;
        }
        Ok(refinement)
    }
}
