//! Questions to the solver within what is left of units and time.

use crate::encode::world::World;
use crate::limits::Limits;
use crate::refinement::{Reason, exhausted};
use crate::solver::{Answer, Budget, Cost, UnknownReason, check};
use crate::term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

/// What may be used, and what has been.
pub(super) struct Asker {
    pub(super) units: u64,
    pub(super) memory: u32,
    pub(super) limits: Limits,
    pub(super) cost: Cost,
    /// How many questions were not decided.
    pub(super) open: u32,
}

impl Asker {
    /// The units that are left.
    pub(super) fn left(&self) -> u64 {
        self.units.saturating_sub(self.cost.units)
    }
    /// Whether the conditions and the facts of the world can hold at once, in at most `units`.
    pub(super) fn ask(
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
    pub(super) fn ask_of_any(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
        self.decide(world, conditions, conditions, units)
    }
    /// Whether the assertions can hold, among which `conditions` are.
    fn decide(
        &mut self,
        world: &mut World,
        conditions: &[Term],
        assertions: &[Term],
        units: u64,
    ) -> Result<Answer, Reason> {
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
        let budget = Budget {
            units: u32::try_from(PROPOSITIONAL_UNITS.min(self.left())).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.memory,
        };
        let outcome = check(&world.terms, &plain, &budget).map_err(Reason::Broken)?;
        self.cost = self.cost.plus(outcome.cost);
        if outcome.answer == Answer::Unsat {
            return Ok(Answer::Unsat);
        }
        let budget = Budget {
            units: u32::try_from(units.min(self.left())).unwrap_or(u32::MAX).max(1),
            time: self.limits.left().unwrap_or(Duration::MAX),
            memory: self.memory,
        };
        let outcome = check(&world.terms, assertions, &budget).map_err(Reason::Broken)?;
        self.cost = self.cost.plus(outcome.cost);
        self.open += u32::from(matches!(outcome.answer, Answer::Unknown(_)));
        Ok(outcome.answer)
    }
}

/// Units for a question whose atoms are taken for any truths.
const PROPOSITIONAL_UNITS: u64 = 5_000;

/// The conditions with a variable for each truth that is not made of truths: what does not hold then holds never.
fn propositional(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let mut atoms: FxHashMap<Term, Term> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut work = conditions.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term).to_vec();
        let of_truths = args.iter().all(|a| terms.sort(*a) == Sort::Bool);
        match terms.op(term) {
            Op::Bool(_) | Op::Var(_) => {}
            Op::Not | Op::And | Op::Or | Op::Xor => work.extend(args),
            Op::Eq | Op::Ite if of_truths => work.extend(args),
            _ => {
                atoms.insert(term, terms.variable("atom", Sort::Bool));
            }
        }
    }
    terms.substitute_all(conditions, &atoms)
}
