//! Searches for a failing run: matches the source's choices with the target's, and makes the inputs of a run small
//! before the interpreter minimizes them further (`ci/validate/src/replay/minimize.rs`).

use crate::encode::value::Sym;
use crate::encode::world::{Choice, ChoiceKind, Side};
use crate::refinement::check::Check;
use crate::refinement::inputs::Simple;
use crate::refinement::outcome::Reason;
use crate::refinement::{Failure, inputs};
use crate::solver::{Answer, ExistsForall, ForallAnswer};
use crate::term::{Assignment, Term};
use rustc_hash::FxHashMap;

/// A failing run.
pub(super) struct FailingRun {
    pub(super) failure: Failure,
    /// The condition of the failure.
    pub(super) condition: Term,
    pub(super) model: Assignment,
    /// Whether the run fails for all choices of the source.
    pub(super) all_choices: bool,
}

impl Check<'_> {
    /// A failing run; `None` if there is none. One matching of the source's choices must handle all kinds of failure,
    /// because a choice that excuses one failure may cause another.
    pub(super) fn find(&mut self, conditions: &[(Failure, Term)]) -> Result<Option<FailingRun>, Reason> {
        let choices: Vec<Choice> = self.world.choices[Side::Source.index()].clone();
        if choices.is_empty() {
            return self.find_within(conditions, &[]);
        }
        let matchings = self.matchings(&choices)?;
        let mut last = None;
        for matching in &matchings {
            match self.find_within(conditions, std::slice::from_ref(matching))? {
                Some(found) => last = Some(found),
                None => return Ok(None),
            }
        }
        let Some(last) = last else { return Ok(None) };
        let question = (last.failure.query(), conditions);
        let found = self.for_all_choices(question, &choices, matchings, last.model.clone())?;
        Ok(found.map(|(model, all_choices)| FailingRun { model, all_choices, ..last }))
    }
    /// A failing run with the source's choices replaced as `matching` says.
    fn find_within(
        &mut self,
        conditions: &[(Failure, Term)],
        matching: &[FxHashMap<Term, Term>],
    ) -> Result<Option<FailingRun>, Reason> {
        for &(failure, condition) in conditions {
            if self.world.terms.as_bool(condition) == Some(false)
                || (failure == Failure::MemoryMismatch && self.memories_agree(matching)?)
            {
                continue;
            }
            if let Answer::Sat(model) = self.ask(failure.query(), &[condition], matching)? {
                return Ok(Some(FailingRun { failure, condition, model, all_choices: true }));
            }
        }
        Ok(None)
    }
    /// Whether some run fails, in any of the given ways, for all choices of the source.
    fn for_all_choices(
        &mut self,
        (name, conditions): (&'static str, &[(Failure, Term)]),
        choices: &[Choice],
        matchings: Vec<FxHashMap<Term, Term>>,
        last: Assignment,
    ) -> Result<Option<(Assignment, bool)>, Reason> {
        let rounds = if self.world.undef_inputs { 2 } else { 8 };
        let any = self.world.terms.or_all(conditions.iter().map(|(_, condition)| *condition));
        // Answers of the environment and results of opaque operations may depend on the source's choices.
        let functions = self.world.functions_of(choices);
        // A run that violates an axiom for some untried choice of the source is not a real run.
        let bound = self.world.terms.variables(&self.world.axioms);
        let depends = !functions.is_empty();
        let exact = !depends && choices.iter().all(|c| !bound.contains(&c.var));
        let candidates = self.world.choices[Side::Target.index()].iter().map(|c| c.var).collect();
        let question = ExistsForall {
            formula: vec![any],
            given: self.world.axioms.clone(),
            functions,
            forall: choices.iter().map(|c| c.var).collect(),
            // For other choices, memory may differ at another location.
            sought: self.place.into_iter().collect(),
            instances: matchings,
            candidates,
            rounds,
            most_terms: self.limits.most_terms(),
        };
        let budget = self.budget();
        let outcome = question.solve(&mut self.world.terms, &budget).map_err(Reason::Broken)?;
        *self.cost = self.cost.plus(outcome.cost);
        match outcome.answer {
            ForallAnswer::Holds(model) => Ok(Some((model, exact))),
            ForallAnswer::Fails => Ok(None),
            // Running the code confirms the run found, or the run is dropped.
            ForallAnswer::Unknown(_) if depends && !self.world.undef_inputs => Ok(Some((last, false))),
            ForallAnswer::Unknown(reason) => Err(Reason::Solver(name, reason)),
        }
    }
    /// Replacements for the source's choices: the target's choices at the same place; and the target's in order, or
    /// zero.
    pub(super) fn matchings(&mut self, choices: &[Choice]) -> Result<Vec<FxHashMap<Term, Term>>, Reason> {
        let targets = self.world.choices[Side::Target.index()].clone();
        let (mut by_place, mut by_order) = (FxHashMap::default(), FxHashMap::default());
        let mut taken: FxHashMap<(u32, ChoiceKind), usize> = FxHashMap::default();
        for choice in choices {
            if self.limits.late() {
                return Err(Reason::Time);
            }
            if choice.of.is_some() {
                continue;
            }
            let width = self.world.terms.width(choice.var);
            let fits = |t: &&Choice| t.kind == choice.kind && self.world.terms.width(t.var) == width;
            let place = targets.iter().filter(fits).find(|t| {
                t.label == choice.label && t.counters == choice.counters && t.index == choice.index
            });
            let count = taken.entry((width, choice.kind)).or_insert(0);
            let order = targets.iter().filter(fits).nth(*count);
            *count += 1;
            let (place, order) = (place.map(|c| c.var), order.map(|c| c.var));
            let zero = self.world.terms.number(width, 0);
            by_place.insert(choice.var, place.or(order).unwrap_or(zero));
            by_order.insert(choice.var, order.or(place).unwrap_or(zero));
        }
        self.world.match_evaluations(&mut by_place);
        self.world.match_evaluations(&mut by_order);
        Ok(if by_place == by_order { vec![by_place] } else { vec![by_place, by_order] })
    }

    /// If the source compares bytes, the failing run with blocks that real runs can have, if there is such a run.
    pub(super) fn with_small_blocks(
        &mut self,
        conditions: &[(Failure, Term)],
        args: &[Sym],
        found: FailingRun,
    ) -> Result<FailingRun, Reason> {
        let compares = |c: &Choice| c.kind == ChoiceKind::Difference;
        if !self.world.choices[Side::Source.index()].iter().any(compares) {
            return Ok(found);
        }
        for limit in [32, 1024] {
            let simple = Simple { limit, writable: true, any_integers: true };
            let small = inputs::are_simple(&mut self.world, args, simple);
            let conditions: Vec<(Failure, Term)> =
                conditions.iter().map(|&(f, c)| (f, self.world.terms.and(c, small))).collect();
            match self.find(&conditions) {
                Ok(Some(smaller)) => return Ok(smaller),
                Ok(None) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(found)
    }
    /// A run with the same failure and smaller inputs, if one is found quickly. A failure may need read-only memory, so
    /// the search gives up writability before it gives up small sizes.
    pub(super) fn smaller(
        &mut self,
        failure: Failure,
        condition: Term,
        args: &[Sym],
        model: Assignment,
    ) -> Result<Assignment, Reason> {
        if !self.world.choices[Side::Source.index()].is_empty() {
            return Ok(model);
        }
        let wanted = [(4, true), (32, true), (1024, true), (32, false), (1024, false)];
        let wanted = wanted.map(|(limit, writable)| Simple { limit, writable, any_integers: false });
        // Real runs cannot start with large blocks.
        let last = Simple { limit: 1024, writable: true, any_integers: true };
        for simple in wanted.into_iter().chain([last]) {
            let small = inputs::are_simple(&mut self.world, args, simple);
            match self.ask(failure.query(), &[condition, small], &[]) {
                Ok(Answer::Sat(model)) => return Ok(model),
                Ok(_) | Err(Reason::Solver(..)) => {}
                Err(reason) => return Err(reason),
            }
        }
        Ok(model)
    }
}
