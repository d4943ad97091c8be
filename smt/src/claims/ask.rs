//! Solver queries about one encoded function: which of many conditions are satisfiable.
//!
//! The first query covers all conditions at once. A model that satisfies some of them settles those. If the solver
//! gives up, each condition is asked separately, first with a small part of the units, then with a larger part, so that
//! hard conditions do not prevent answers for easy ones. Before that, a query omits the premise that there is no UB,
//! which involves all of the function's memory, and uses only axioms about the same variables: a condition that is
//! unsatisfiable even then is unsatisfiable.

use crate::claims::{ClaimOptions, Reason};
use crate::encode::world::World;
use crate::limits::Limits;
use crate::refinement::Reason as ModelReason;
use crate::solver::{Answer, Budget, Cost, UnknownReason, check as solve};
use crate::term::{Assignment, Evaluator, Term};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The known status of a condition.
#[derive(Clone, Debug)]
pub(super) enum ConditionStatus {
    /// No run satisfies the condition.
    Never,
    /// The run with this index in [`Batch::models`] satisfies it.
    Holds(usize),
    /// Not decided.
    Unknown(Reason),
}

/// Answers to many conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    pub(super) found: Vec<Option<ConditionStatus>>,
    pub(super) models: Vec<Assignment>,
}

/// The premises of the conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Premises<'t> {
    /// The run has no UB.
    pub(super) no_ub: Term,
    /// The other premises.
    pub(super) facts: &'t [Term],
}

impl Premises<'_> {
    fn and(self, condition: Term) -> Vec<Term> {
        let mut all = self.facts.to_vec();
        all.extend([self.no_ub, condition]);
        all
    }
}

/// Runs the queries.
pub(super) struct Asker<'a> {
    pub(super) options: &'a ClaimOptions,
    pub(super) limits: Limits,
    /// Maximum number of units, including the units already in `cost`.
    pub(super) units: u64,
    pub(super) cost: Cost,
}

/// A query may use the units of the whole check divided by this, so that one hard query does not use up the budget of
/// all.
const PART: u64 = 24;
/// The same for each of many conditions before all of them have been asked once. The share is small, so that late
/// conditions get their turn too.
const SMALL_PART: u64 = 192;

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
    /// Whether all of `conditions` are satisfiable together with the axioms.
    pub(super) fn ask(&mut self, world: &mut World, conditions: &[Term]) -> Result<Answer, Reason> {
        self.ask_within(world, conditions, PART)
    }
    fn ask_within(&mut self, world: &mut World, conditions: &[Term], part: u64) -> Result<Answer, Reason> {
        let mut assertions = conditions.to_vec();
        assertions.extend(world.axioms.iter().copied());
        self.solve(world, &assertions, part)
    }
    fn solve(&mut self, world: &mut World, assertions: &[Term], part: u64) -> Result<Answer, Reason> {
        if let Some(limit) = world.exhausted() {
            return Err(Reason::Model(crate::refinement::exhausted(limit, world)));
        }
        if self.cost.units >= self.units {
            return Ok(Answer::Unknown(UnknownReason::Units));
        }
        let outcome = solve(&world.terms, assertions, &self.budget(part));
        let outcome = outcome.map_err(|e| Reason::Model(ModelReason::Broken(e)))?;
        self.cost = self.cost.plus(outcome.cost);
        Ok(outcome.answer)
    }
    /// Which of `conditions` are satisfiable together with `given`. For a satisfiable one, a run that also satisfies
    /// `preferred` is searched for.
    pub(super) fn each(
        &mut self,
        world: &mut World,
        given: Premises<'_>,
        conditions: &[Term],
        preferred: Option<Term>,
    ) -> Batch {
        let mut batch = Batch { found: vec![None; conditions.len()], models: Vec::new() };
        for (found, condition) in batch.found.iter_mut().zip(conditions) {
            if world.terms.as_bool(*condition) == Some(false) {
                *found = Some(ConditionStatus::Never);
            }
        }
        loop {
            let open: Vec<usize> = (0..conditions.len()).filter(|i| batch.found[*i].is_none()).collect();
            if open.is_empty() {
                return batch;
            }
            let any = world.terms.or_all(open.iter().map(|i| conditions[*i]));
            let mut assertions = given.and(any);
            match self.ask(world, &assertions) {
                Ok(Answer::Unsat) => {
                    open.iter().for_each(|i| batch.found[*i] = Some(ConditionStatus::Never));
                }
                Ok(Answer::Sat(model)) => {
                    assertions.extend(preferred);
                    let better = preferred.and_then(|_| match self.ask(world, &assertions) {
                        Ok(Answer::Sat(model)) => Some(model),
                        Ok(Answer::Unsat | Answer::Unknown(_)) | Err(_) => None,
                    });
                    batch.note(world, conditions, &open, better.unwrap_or(model));
                }
                Ok(Answer::Unknown(reason)) => {
                    self.without_memory(world, given.facts, conditions, &open, &mut batch);
                    match open[..] {
                        [only] => {
                            _ = batch.found[only]
                                .get_or_insert(ConditionStatus::Unknown(Reason::Solver(reason)))
                        }
                        _ => self.one_by_one(world, given, conditions, &open, &mut batch),
                    }
                }
                Err(reason) => {
                    open.iter()
                        .for_each(|i| batch.found[*i] = Some(ConditionStatus::Unknown(reason.clone())));
                }
            }
        }
    }
    /// Finds conditions that are unsatisfiable even in runs with UB.
    fn without_memory(
        &mut self,
        world: &mut World,
        facts: &[Term],
        conditions: &[Term],
        open: &[usize],
        batch: &mut Batch,
    ) {
        let axioms: Vec<(Term, Vec<Term>)> =
            world.axioms.iter().map(|a| (*a, world.terms.variables(&[*a]))).collect();
        for &i in open {
            let mut assertions = facts.to_vec();
            assertions.push(conditions[i]);
            let known: FxHashSet<Term> = world.terms.variables(&assertions).into_iter().collect();
            let speaks_of_them = |(_, vars): &&(Term, Vec<Term>)| vars.iter().all(|v| known.contains(v));
            assertions.extend(axioms.iter().filter(speaks_of_them).map(|(axiom, _)| *axiom));
            if matches!(self.solve(world, &assertions, SMALL_PART), Ok(Answer::Unsat)) {
                batch.found[i] = Some(ConditionStatus::Never);
            }
        }
    }
    fn one_by_one(
        &mut self,
        world: &mut World,
        given: Premises<'_>,
        conditions: &[Term],
        open: &[usize],
        batch: &mut Batch,
    ) {
        for (part, last) in [(SMALL_PART, false), (PART, true)] {
            for &i in open {
                if batch.found[i].is_some() {
                    continue;
                }
                let answer = self.ask_within(world, &given.and(conditions[i]), part);
                match answer {
                    Ok(Answer::Unsat) => batch.found[i] = Some(ConditionStatus::Never),
                    Ok(Answer::Sat(model)) => batch.note(world, conditions, open, model),
                    Ok(Answer::Unknown(reason)) if last => {
                        batch.found[i] = Some(ConditionStatus::Unknown(Reason::Solver(reason)));
                    }
                    Ok(Answer::Unknown(_)) => {}
                    Err(reason) => batch.found[i] = Some(ConditionStatus::Unknown(reason)),
                }
            }
        }
    }
}

impl Batch {
    /// Records a model that satisfies one of the open conditions.
    fn note(&mut self, world: &World, conditions: &[Term], open: &[usize], model: Assignment) {
        let mut evaluator = Evaluator::new(&world.terms, &model);
        let number = self.models.len();
        for &i in open {
            if self.found[i].is_none() && evaluator.truth(conditions[i]) {
                self.found[i] = Some(ConditionStatus::Holds(number));
            }
        }
        self.models.push(model);
    }
}
