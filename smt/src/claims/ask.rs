//! Questions to the solver about one encoded function: whether any of many conditions can hold, and which.
//!
//! All are asked at once first. A model that makes some true settles those; a question that the solver gives up on is
//! asked condition by condition, each with a fixed part of the units, so that a hard one takes no answer from others
//! that are easy.

use crate::claims::{ClaimOptions, Reason};
use crate::encode::world::World;
use crate::limits::Limits;
use crate::refinement::Reason as ModelReason;
use crate::solver::{Answer, Budget, Cost, UnknownReason, check as solve};
use crate::term::{Assignment, Evaluator, Term};
use std::time::Duration;

/// What is known of a condition.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// It holds in no run.
    Never,
    /// It holds in the run of that number of [`Batch::models`].
    Holds(usize),
    /// Not decided.
    Unknown(Reason),
}

/// Answers to many questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub(super) found: Vec<Option<Found>>,
    pub(super) models: Vec<Assignment>,
}

/// Asks.
pub(super) struct Asker<'a> {
    pub(super) options: &'a ClaimOptions,
    pub(super) limits: Limits,
    /// Units that may be used up, what `cost` has used already included.
    pub(super) units: u64,
    pub(super) cost: Cost,
}

/// The part of all units that a question on a single condition may use.
const PART: u64 = 24;

impl Asker<'_> {
    fn budget(&self, part: u64) -> Budget {
        let left = self.units.saturating_sub(self.cost.units);
        let units = (self.options.units / part).min(left);
        Budget {
            units: u32::try_from(units).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.options.memory,
        }
    }
    /// Whether all of `conditions` can hold at once, with the facts of the world.
    pub(super) fn ask(&mut self, world: &mut World, conditions: &[Term]) -> Result<Answer, Reason> {
        if let Some(limit) = world.exhausted() {
            return Err(Reason::Model(crate::refinement::exhausted(limit, world)));
        }
        if self.cost.units >= self.units {
            return Ok(Answer::Unknown(UnknownReason::Units));
        }
        let mut assertions = conditions.to_vec();
        assertions.extend(world.axioms.iter().copied());
        let outcome = solve(&world.terms, &assertions, &self.budget(PART));
        let outcome = outcome.map_err(|e| Reason::Model(ModelReason::Broken(e)))?;
        self.cost = self.cost.plus(outcome.cost);
        Ok(outcome.answer)
    }
    /// Which of `conditions` can hold together with `given`. Where one can, a run is looked for in which `preferred`
    /// holds too.
    pub(super) fn each(
        &mut self,
        world: &mut World,
        given: &[Term],
        conditions: &[Term],
        preferred: Option<Term>,
    ) -> Batch {
        let mut batch = Batch { found: vec![None; conditions.len()], models: Vec::new() };
        for (found, condition) in batch.found.iter_mut().zip(conditions) {
            if world.terms.as_bool(*condition) == Some(false) {
                *found = Some(Found::Never);
            }
        }
        loop {
            let open: Vec<usize> = (0..conditions.len()).filter(|i| batch.found[*i].is_none()).collect();
            if open.is_empty() {
                return batch;
            }
            let any = world.terms.or_all(open.iter().map(|i| conditions[*i]));
            let mut assertions = given.to_vec();
            assertions.push(any);
            match self.ask(world, &assertions) {
                Ok(Answer::Unsat) => {
                    open.iter().for_each(|i| batch.found[*i] = Some(Found::Never));
                }
                Ok(Answer::Sat(model)) => {
                    assertions.extend(preferred);
                    let better = preferred.and_then(|_| match self.ask(world, &assertions) {
                        Ok(Answer::Sat(model)) => Some(model),
                        Ok(Answer::Unsat | Answer::Unknown(_)) | Err(_) => None,
                    });
                    batch.note(world, conditions, &open, better.unwrap_or(model));
                }
                Ok(Answer::Unknown(_)) if open.len() > 1 => {
                    self.one_by_one(world, given, conditions, &open, &mut batch);
                }
                Ok(Answer::Unknown(reason)) => {
                    batch.found[open[0]] = Some(Found::Unknown(Reason::Solver(reason)))
                }
                Err(reason) => {
                    open.iter().for_each(|i| batch.found[*i] = Some(Found::Unknown(reason.clone())));
                }
            }
        }
    }
    fn one_by_one(
        &mut self,
        world: &mut World,
        given: &[Term],
        conditions: &[Term],
        open: &[usize],
        batch: &mut Batch,
    ) {
        for &i in open {
            if batch.found[i].is_some() {
                continue;
            }
            let mut assertions = given.to_vec();
            assertions.push(conditions[i]);
            let answer = self.ask(world, &assertions);
            match answer {
                Ok(Answer::Unsat) => batch.found[i] = Some(Found::Never),
                Ok(Answer::Sat(model)) => batch.note(world, conditions, open, model),
                Ok(Answer::Unknown(reason)) => batch.found[i] = Some(Found::Unknown(Reason::Solver(reason))),
                Err(reason) => batch.found[i] = Some(Found::Unknown(reason)),
            }
        }
    }
}

impl Batch {
    /// Takes a model in which one of the open conditions holds.
    fn note(&mut self, world: &World, conditions: &[Term], open: &[usize], model: Assignment) {
        let mut evaluator = Evaluator::new(&world.terms, &model);
        let number = self.models.len();
        for &i in open {
            if self.found[i].is_none() && evaluator.truth(conditions[i]) {
                self.found[i] = Some(Found::Holds(number));
            }
        }
        self.models.push(model);
    }
}
