//! Sends queries to the solver, within the budget of the check.

use crate::refinement::check::Check;
use crate::refinement::outcome::Reason;
use crate::solver::{Answer, Budget, UnknownReason, check as solve};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::time::Duration;

impl Check<'_> {
    /// Whether a small part of the budget suffices to show that no run satisfies `condition`, with the source's choices
    /// replaced as `matching` says.
    pub(super) fn is_excluded(
        &mut self,
        name: &'static str,
        condition: Term,
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<bool, Reason> {
        let budget = self.small_budget();
        match self.ask_within(name, &[condition], matching, &budget) {
            Ok(answer) => Ok(answer == Answer::Unsat),
            Err(Reason::Solver(..)) => Ok(false),
            Err(reason) => Err(reason),
        }
    }

    pub(super) fn budget(&self) -> Budget {
        let left = self.options.units.saturating_sub(self.cost.units);
        Budget {
            units: u32::try_from(left).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.options.memory,
        }
    }
    /// Asks, with a small part of the budget, a question whose answer only makes the verdict more informative.
    pub(super) fn ask_cheaply(&mut self, name: &'static str, conditions: &[Term]) -> Result<Answer, Reason> {
        let budget = self.small_budget();
        self.ask_within(name, conditions, &[], &budget)
    }
    /// A small part of the budget.
    fn small_budget(&self) -> Budget {
        const PART: u64 = 16;
        let budget = self.budget();
        let units = u32::try_from(self.options.units / PART).unwrap_or(u32::MAX).clamp(1, budget.units);
        Budget { units, ..budget }
    }
    /// Asks whether the conditions and all axioms are satisfiable, with the source's choices replaced as `matching`
    /// says.
    pub(super) fn ask(
        &mut self,
        name: &'static str,
        conditions: &[Term],
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<Answer, Reason> {
        self.ask_within(name, conditions, matching, &self.budget())
    }
    fn ask_within(
        &mut self,
        name: &'static str,
        conditions: &[Term],
        matching: &[FxHashMap<Term, Term>],
        budget: &Budget,
    ) -> Result<Answer, Reason> {
        if self.limits.late() {
            return Err(Reason::Solver(name, UnknownReason::Time));
        }
        if self.world.terms.len() > self.limits.most_terms() {
            return Err(Reason::Solver(name, UnknownReason::Terms));
        }
        let mut assertions: Vec<Term> = conditions.to_vec();
        assertions.extend(self.world.axioms.iter().copied());
        if let [matching] = matching {
            assertions = self.world.terms.substitute_all(&assertions, matching);
        }
        let outcome = solve(&self.world.terms, &assertions, budget).map_err(Reason::Broken)?;
        *self.cost = self.cost.plus(outcome.cost);
        match outcome.answer {
            Answer::Unknown(reason) => Err(Reason::Solver(name, reason)),
            answer => Ok(answer),
        }
    }
}
