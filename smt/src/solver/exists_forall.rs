//! Decides ∃X ∀Y ∃W φ(X, Y, W) by counterexample-guided instantiation. The solver never sees a quantifier.
//!
//! The question supplies initial instances: terms over X for the variables of Y, as a human would choose them. Each
//! round asks for an X that satisfies all instances φ(X, t(X), W). If there is none, the answer is no, since ∀Y φ
//! implies every instance. Otherwise the round asks for a Y that refutes this X. If there is none, this X is the
//! answer. Otherwise the refuting values become new instances: as known terms over X that have these values under this
//! X, and as plain constants. Both exclude this X, so no round repeats another one. The number of rounds is bounded.
//!
//! W may depend on Y, so each instance has its own copy of W. A Y refutes an X if φ is false with each W that was found
//! for this X. If no Y does, then for every Y one of these W satisfies φ.
//!
//! φ may contain functions: variables whose value may depend on that of Y, and about which some facts are *given*. Each
//! instance has its own copies of them, so that no instance constrains the function's value at another Y. A Y refutes
//! only if the given facts can hold for it. The answer "there is none" therefore never follows from a violated given
//! fact. Whether one function has all the values found is not checked: callers that rely on that must confirm the
//! answer.
//!
//! Source: counterexample-guided quantifier instantiation, Reynolds, Deters, Kuncak, Tinelli, Barrett (CAV 2015).

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::{Answer, Budget, Cost, Outcome, SolverError, UnknownReason, check};
use crate::term::{Assignment, Evaluator, Term, Terms, Value};

/// The question ∃X ∀Y ∃W φ. X is the set of variables of φ that are neither in `forall` nor in `sought`.
#[derive(Debug, Clone)]
pub struct ExistsForall {
    /// φ, as a conjunction of assertions.
    pub formula: Vec<Term>,
    /// Facts about X, Y and the functions that hold in any case.
    pub given: Vec<Term>,
    /// Variables that depend on Y.
    pub functions: Vec<Term>,
    /// Y.
    pub forall: Vec<Term>,
    /// W.
    pub sought: Vec<Term>,
    /// Initial instances: replacements for variables of Y, over X alone. A missing variable is replaced by zero.
    pub instances: Vec<FxHashMap<Term, Term>>,
    /// Terms over X alone that values of Y are likely to equal. The variables of X are always tried.
    pub candidates: Vec<Term>,
    /// Maximum number of counterexamples before giving up.
    pub rounds: u32,
    /// Maximum number of terms in the arena before giving up.
    pub most_terms: usize,
}

/// The answer to an [`ExistsForall`] question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForallAnswer {
    /// An X that works for all Y that the given facts allow. If there are given facts, the answer must be confirmed.
    Holds(Assignment),
    /// There is no such X.
    Fails,
    /// A query was given up, or the rounds are exhausted.
    Unknown(UnknownReason),
}

/// An answer with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForallOutcome {
    /// The answer.
    pub answer: ForallAnswer,
    /// The cost of all queries together.
    pub cost: Cost,
    /// The number of counterexamples used.
    pub rounds: u32,
}

impl ExistsForall {
    /// Answers the question. Each query has the units and the memory of `budget`; all queries together have its time.
    ///
    /// # Errors
    ///
    /// [`SolverError`] if the solver misbehaved.
    ///
    /// # Panics
    ///
    /// If an instance or a candidate contains a variable of Y.
    pub fn solve(&self, terms: &mut Terms, budget: &Budget) -> Result<ForallOutcome, SolverError> {
        let start = Instant::now();
        let ask = |terms: &Terms, assertions: &[Term]| self.ask(terms, assertions, budget, start);
        let candidates = self.candidates(terms);
        let refuted = terms.and_all(self.formula.iter().copied());
        let refuted = terms.not(refuted);
        let given = terms.and_all(self.given.iter().copied());
        // The first instance uses the variables of W themselves.
        let own = self.sought.iter().map(|&sought| (sought, sought)).collect();
        let mut instances = Instances { all: Vec::new(), count: 0, copies: vec![own] };
        for instance in &self.instances {
            let replaced: Vec<Term> = instance.values().copied().collect();
            assert!(
                self.over_x_alone(terms, &replaced),
                "an instance contains a variable of the universal part"
            );
            self.instantiate(terms, instance, &mut instances);
        }
        let mut cost = Cost::default();
        for round in 0..=self.rounds {
            let done = |answer, cost| Ok(ForallOutcome { answer, cost, rounds: round });
            let outcome = ask(terms, &instances.all)?;
            cost = cost.plus(outcome.cost);
            let x = match outcome.answer {
                Answer::Sat(x) => self.complete(terms, x),
                Answer::Unsat => return done(ForallAnswer::Fails, cost),
                Answer::Unknown(reason) => return done(ForallAnswer::Unknown(reason), cost),
            };
            let fixed = self.refuted_by(terms, (given, refuted), &instances, &x);
            let outcome = ask(terms, &[fixed])?;
            cost = cost.plus(outcome.cost);
            let y = match outcome.answer {
                Answer::Sat(y) => y,
                Answer::Unsat => return done(ForallAnswer::Holds(x), cost),
                Answer::Unknown(reason) => return done(ForallAnswer::Unknown(reason), cost),
            };
            let (general, plain) = self.generalise(terms, &x, &y, &candidates);
            self.instantiate(terms, &general, &mut instances);
            self.instantiate(terms, &plain, &mut instances);
        }
        let answer = ForallAnswer::Unknown(UnknownReason::Rounds);
        Ok(ForallOutcome { answer, cost, rounds: self.rounds })
    }

    /// Runs one query within the remaining time.
    fn ask(
        &self,
        terms: &Terms,
        assertions: &[Term],
        budget: &Budget,
        start: Instant,
    ) -> Result<Outcome, SolverError> {
        let given_up = |reason| Ok(Outcome { answer: Answer::Unknown(reason), cost: Cost::default() });
        let time = budget.time.saturating_sub(start.elapsed());
        if time.is_zero() {
            return given_up(UnknownReason::Time);
        }
        if terms.len() > self.most_terms {
            return given_up(UnknownReason::Terms);
        }
        check(terms, assertions, &Budget { time, ..*budget })
    }

    fn over_x_alone(&self, terms: &Terms, all: &[Term]) -> bool {
        terms.variables(all).iter().all(|variable| self.is_of_x(variable))
    }

    fn is_of_x(&self, variable: &Term) -> bool {
        ![&self.forall, &self.functions, &self.sought].iter().any(|list| list.contains(variable))
    }

    /// X: the free variables of φ and of the instances that are not in Y.
    fn exists(&self, terms: &Terms) -> Vec<Term> {
        let instances = self.instances.iter().flat_map(|instance| instance.values());
        let roots: Vec<Term> = self
            .formula
            .iter()
            .chain(&self.given)
            .chain(instances)
            .chain(&self.candidates)
            .copied()
            .collect();
        let mut variables = terms.variables(&roots);
        variables.retain(|variable| self.is_of_x(variable));
        variables
    }

    fn candidates(&self, terms: &Terms) -> Vec<Term> {
        assert!(
            self.over_x_alone(terms, &self.candidates),
            "a candidate contains a variable of the universal part"
        );
        self.candidates.iter().copied().chain(self.exists(terms)).collect()
    }

    /// Gives zero to each variable of X that the instances do not mention.
    fn complete(&self, terms: &Terms, mut x: Assignment) -> Assignment {
        for variable in self.exists(terms) {
            if x.get(variable).is_none() {
                x.set(variable, Value::zero(terms.sort(variable)));
            }
        }
        x
    }

    /// States that φ is false under `x` with each W found for `x`, and that the given facts hold.
    fn refuted_by(
        &self,
        terms: &mut Terms,
        (given, refuted): (Term, Term),
        instances: &Instances,
        x: &Assignment,
    ) -> Term {
        let mut all = given;
        for copies in &instances.copies {
            let mut values = FxHashMap::default();
            for &(sought, copy) in copies {
                let value = x.get(copy).cloned().unwrap_or_else(|| Value::zero(terms.sort(copy)));
                values.insert(sought, literal(terms, &value));
            }
            let here = terms.substitute(refuted, &values);
            all = terms.and(all, here);
        }
        fix(terms, all, x)
    }

    /// Adds φ(X, t(X), W) to the instances, unless it is already present.
    fn instantiate(&self, terms: &mut Terms, instance: &FxHashMap<Term, Term>, instances: &mut Instances) {
        let mut full = FxHashMap::default();
        for &variable in &self.forall {
            let replacement = match instance.get(&variable) {
                Some(&term) => term,
                None => literal(terms, &Value::zero(terms.sort(variable))),
            };
            full.insert(variable, replacement);
        }
        for &function in &self.functions {
            full.insert(function, terms.variable("at an instance", terms.sort(function)));
        }
        instances.count += 1;
        if instances.count > 1 {
            let mut copy = |sought: Term| terms.variable("sought", terms.sort(sought));
            let copies: Vec<_> = self.sought.iter().map(|&sought| (sought, copy(sought))).collect();
            full.extend(copies.iter().copied());
            instances.copies.push(copies);
        }
        let all: Vec<Term> = self.formula.iter().chain(&self.given).copied().collect();
        for instance in terms.substitute_all(&all, &full) {
            if !instances.all.contains(&instance) {
                instances.all.push(instance);
            }
        }
    }

    /// For each variable of Y, a term over X and the constant; under `x`, both have the variable's value under `y`.
    fn generalise(
        &self,
        terms: &mut Terms,
        x: &Assignment,
        y: &Assignment,
        candidates: &[Term],
    ) -> (FxHashMap<Term, Term>, FxHashMap<Term, Term>) {
        let values: Vec<(Term, Value)> = {
            let mut evaluator = Evaluator::new(terms, x);
            candidates.iter().map(|&candidate| (candidate, evaluator.value(candidate))).collect()
        };
        let (mut general, mut plain) = (FxHashMap::default(), FxHashMap::default());
        for &variable in &self.forall {
            let value = y.get(variable).cloned().unwrap_or_else(|| Value::zero(terms.sort(variable)));
            let constant = literal(terms, &value);
            plain.insert(variable, constant);
            let candidate = values.iter().find(|(_, other)| *other == value);
            general.insert(variable, candidate.map_or(constant, |&(candidate, _)| candidate));
        }
        (general, plain)
    }
}

/// The instances so far.
struct Instances {
    all: Vec<Term>,
    /// Number of instances. Each has its own copies of the functions and of the sought variables.
    count: usize,
    /// The copies of W in each instance.
    copies: Vec<Vec<(Term, Term)>>,
}

/// `root` with the variables replaced by their values.
fn fix(terms: &mut Terms, root: Term, values: &Assignment) -> Term {
    let values: Vec<(Term, Value)> =
        values.iter().map(|(variable, value)| (variable, value.clone())).collect();
    let replacements =
        values.into_iter().map(|(variable, value)| (variable, literal(terms, &value))).collect();
    terms.substitute(root, &replacements)
}

/// The constant term with this value.
fn literal(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Bits(bits) => terms.constant(bits.clone()),
        Value::Array(array) => {
            let default = terms.constant(array.default_element().clone());
            let mut term = terms.const_array(array.index_width(), default);
            for (index, element) in array.elements() {
                let (index, element) = (terms.constant(index.clone()), terms.constant(element.clone()));
                term = terms.store(term, index, element);
            }
            term
        }
    }
}
