//! Questions to the solver within what is left of units and time.

use crate::encode::world::World;
use crate::limits::Limits;
use crate::proof::decide::plain::{extended_sums, looks_at_memory, propositional, tests, without_arrays};
use crate::proof::decide::polynomial::{self, Guess, Products};
use crate::refinement::{Reason, exhausted};
use crate::solver::{Answer, Budget, Cost, UnknownReason, check_in_bits};
use crate::term::{Assignment, Evaluator, Op, Term, Terms};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What may be used, and what has been.
pub(in crate::proof) struct Asker {
    pub(in crate::proof) units: u64,
    pub(in crate::proof) memory: u32,
    pub(in crate::proof) limits: Limits,
    pub(in crate::proof) cost: Cost,
    /// How many questions were not decided.
    pub(in crate::proof) open: u32,
    /// Of the last question, if it was not decided: how it could be without memory.
    pub(in crate::proof) hint: Option<Assignment>,
}

impl Asker {
    /// The units that are left.
    pub(in crate::proof) fn left(&self) -> u64 {
        self.units.saturating_sub(self.cost.units)
    }
    /// Whether the conditions and the facts of the world can hold at once, in at most `units`.
    pub(in crate::proof) fn ask(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        let mut assertions = conditions.to_vec();
        assertions.extend(world.axioms.iter().copied());
        self.decide(world, conditions, &assertions, units)
    }
    /// Whether the conditions can hold at once, whatever the world is: that they cannot says more than of [`Self::ask`].
    pub(in crate::proof) fn ask_of_any(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        self.decide(world, conditions, conditions, units)
    }
    /// Whether `conditions`, without memory and products, are seen in at most `units` not to hold at once.
    pub(in crate::proof) fn is_impossible(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        units: u64,
    ) -> Result<bool, Reason> {
        let open = polynomial::occur(&world.terms, conditions) || looks_at_memory(&world.terms, conditions);
        if open || self.left() == 0 || self.limits.late() || world.exhausted().is_some() {
            return Ok(false);
        }
        Ok(self.check(&world.terms, conditions, units)? == Answer::Unsat)
    }
    /// Whether `conditions` on numbers are seen not to hold at once, without much ado.
    pub(in crate::proof) fn is_impossible_in_numbers(
        &mut self,
        terms: &Terms,
        conditions: &[Term],
    ) -> Result<bool, Reason> {
        if self.left() == 0 || self.limits.late() {
            return Ok(false);
        }
        Ok(self.check(terms, conditions, self.units / NUMBERS)? == Answer::Unsat)
    }
    /// Whether the assertions can hold, among which `conditions` are.
    fn decide(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        assertions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        self.hint = None;
        if let Some(limit) = world.exhausted() {
            return Err(exhausted(limit, world));
        }
        if conditions.iter().any(|c| world.terms.as_bool(*c) == Some(false)) {
            return Ok(Answer::Unsat);
        }
        if self.left() == 0 {
            self.open += 1;
            return Ok(Answer::Unknown(UnknownReason::Units));
        }
        if self.limits.late() {
            return Ok(Answer::Unknown(UnknownReason::Time));
        }
        let plain = propositional(&mut world.terms, conditions);
        if self.check(&world.terms, &plain, PROPOSITIONAL_UNITS)? == Answer::Unsat {
            return Ok(Answer::Unsat);
        }
        let mut hint = None;
        if let Some(apart) = without_arrays(&mut world.terms, conditions)
            && !polynomial::occur(&world.terms, &apart)
        {
            match self.check(&world.terms, &apart, units)? {
                Answer::Unsat => return Ok(Answer::Unsat),
                Answer::Sat(model) => hint = Some(model),
                // With memory it is no easier.
                open @ Answer::Unknown(_) => {
                    self.open += 1;
                    return Ok(open);
                }
            }
        }
        let mut units = units;
        if polynomial::occur(&world.terms, assertions) {
            match self.past_products(&mut world.terms, assertions, units)? {
                Answer::Unknown(_) => {}
                answer => return Ok(answer),
            }
            // Bit by bit there is little hope.
            units = (units / HOPELESS).max(1);
        }
        let answer = self.check(&world.terms, assertions, units)?;
        if matches!(answer, Answer::Unknown(_)) {
            self.open += 1;
            self.hint = hint;
        }
        Ok(answer)
    }
    /// Whether the assertions, in which there are products, can hold, if that can be told without multiplying.
    fn past_products(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        // Mostly some of them have none, and if these can't hold, that is all there is to say.
        let plain: Vec<Term> =
            assertions.iter().copied().filter(|a| !polynomial::occur(terms, &[*a])).collect();
        match self.check(terms, &plain, (units / WITHOUT).max(1))? {
            Answer::Unsat => return Ok(Answer::Unsat),
            Answer::Sat(model) if holds(terms, assertions, &model) => return Ok(Answer::Sat(model)),
            Answer::Sat(_) | Answer::Unknown(_) => {}
        }
        self.without_products(terms, assertions, units)
    }
    /// What the solver says within `units` and what is left.
    fn check(&mut self, terms: &Terms, assertions: &[Term], units: u64) -> Result<Answer, Reason> {
        let budget = Budget {
            units: u32::try_from(units.min(self.left())).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.memory,
        };
        let outcome = check_in_bits(terms, assertions, &budget).map_err(Reason::Broken)?;
        self.cost = self.cost.plus(outcome.cost);
        Ok(outcome.answer)
    }
    /// The same, with variables for products.
    pub(in crate::proof) fn without_products(
        &mut self,
        terms: &mut Terms,
        assertions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        let mut products = Products::default();
        let mut now = assertions.to_vec();
        // Variables that are not asked about any more, and what they are.
        let mut put: Vec<(Term, Term)> = Vec::new();
        let mut instances = 0;
        for _ in 0..ROUNDS {
            let asked = products.ask(terms, &now);
            let mut model = match self.check(terms, &asked.assertions, units)? {
                Answer::Sat(model) => model,
                answer => return Ok(answer),
            };
            for (variable, is) in put.iter().rev() {
                let value = Evaluator::new(terms, &model).value(*is);
                model.set(*variable, value);
            }
            if holds(terms, assertions, &model) {
                return Ok(Answer::Sat(model));
            }
            let mut likely = asked.likely(terms, &model);
            let mut equal: FxHashMap<Term, Term> = FxHashMap::default();
            let mut learned = !asked.guesses.is_empty();
            for (guess, _) in &asked.guesses {
                products.learn(guess, false);
            }
            if !self.following(terms, &asked.assertions, &mut likely, units / 2)? {
                likely.clear();
            }
            for (guess, _) in likely {
                learned = true;
                products.learn(&guess, true);
                if let Guess::Equal(from, to) = guess {
                    equal.entry(from).or_insert(to);
                }
            }
            if !equal.is_empty() {
                now = terms.substitute_all(&now, &equal);
                // What a variable is may speak of earlier ones that are put away with it.
                let mut list: Vec<(Term, Term)> = equal.into_iter().collect();
                list.sort_unstable_by(|a, b| b.cmp(a));
                put.extend(list.into_iter().filter(|(from, _)| matches!(terms.op(*from), Op::Var(_))));
            }
            if !learned {
                instances += 1;
                if instances > INSTANCES || !products.instances(terms, &model) {
                    break;
                }
            }
        }
        Ok(Answer::Unknown(UnknownReason::Rounds))
    }
    /// What tests of numbers give that are in `given`, and of which sums in `given` and `goals` the extension is the sum
    /// of extensions, where it follows without a look at memory.
    pub(in crate::proof) fn settled(
        &mut self,
        terms: &mut Terms,
        given: &[Term],
        goals: &[Term],
    ) -> Result<FxHashMap<Term, Term>, Reason> {
        let none = FxHashMap::default();
        let units = (self.units / SETTLED).min(self.left() / 2);
        let Some(apart) = without_arrays(terms, given).filter(|a| !polynomial::occur(terms, a)) else {
            return Ok(none);
        };
        let Answer::Sat(model) = self.check(terms, &apart, units)? else { return Ok(none) };
        let tests = tests(terms, given);
        let mut evaluator = Evaluator::new(terms, &model);
        let values: Vec<(Term, bool)> = tests.into_iter().map(|t| (t, evaluator.truth(t))).collect();
        let guesses = values.into_iter().map(|(test, is)| {
            let value = terms.bool(is);
            ((test, value), if is { test } else { terms.not(test) })
        });
        let mut guesses: Vec<((Term, Term), Term)> = guesses.collect();
        let roots: Vec<Term> = given.iter().chain(goals).copied().collect();
        for (extended, sum) in extended_sums(terms, &roots) {
            guesses.push(((extended, sum), terms.eq(extended, sum)));
        }
        let mut work = vec![guesses];
        let mut found = none;
        while let Some(mut guesses) = work.pop() {
            if self.following(terms, &apart, &mut guesses, units)? {
                found.extend(guesses.into_iter().map(|(known, _)| known));
            } else if guesses.len() > 1 {
                let rest = guesses.split_off(guesses.len() / 2);
                work.extend([rest, guesses]);
            }
        }
        Ok(found)
    }
    /// Drops the guesses that do not follow from what is given, and says whether the others are known to.
    fn following<G>(
        &mut self,
        terms: &mut Terms,
        given: &[Term],
        guesses: &mut Vec<(G, Term)>,
        units: u64,
    ) -> Result<bool, Reason> {
        while !guesses.is_empty() {
            let all = terms.and_all(guesses.iter().map(|g| g.1));
            let mut question = given.to_vec();
            question.push(terms.not(all));
            match self.check(terms, &question, units)? {
                Answer::Unsat => break,
                Answer::Unknown(_) => return Ok(false),
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new(terms, &model);
                    guesses.retain(|(_, term)| evaluator.truth(*term));
                }
            }
        }
        Ok(true)
    }
}

/// Limit on the number of times that a question without products is asked: each round adds what the last one has shown.
/// Beyond it the question is undecided.
const ROUNDS: usize = 6;
/// Limit on the rounds that only add the values that products have in a model: such instances seldom suffice.
const INSTANCES: usize = 1;
/// The units of a question with products are divided by this for its assertions without products, which decide it in
/// few cases.
const WITHOUT: u64 = 16;
/// All units are divided by this for whether two places in memory can be the same: many pairs of places are asked
/// about.
const NUMBERS: u64 = 100;
/// All units are divided by this for the results of tests of numbers.
const SETTLED: u64 = 32;
/// The units of a question that was not decided without multiplying are divided by this: bit by bit there is little
/// hope.
const HOPELESS: u64 = 4;

/// Whether the assertions hold in the model.
fn holds(terms: &Terms, assertions: &[Term], model: &Assignment) -> bool {
    let mut evaluator = Evaluator::new(terms, model);
    assertions.iter().all(|a| evaluator.truth(*a))
}
/// Units for a question whose atoms count as arbitrary truths: such a question is small.
const PROPOSITIONAL_UNITS: u64 = 5_000;
