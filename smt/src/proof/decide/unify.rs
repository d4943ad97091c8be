//! Questions made smaller by what is equal in all that is asked: where the source's calls get the answers of the
//! target's for sure, these are put for those, and what is given is put into the axioms.
//!
//! The n-th call of an unrolled loop is known to be the n-th of the loop that was there before only when the ones before
//! it are: left to the solver, each pair of calls doubles its work. Equivalent questions come out: a variable of the
//! source that is defined by an equation goes with the equation, and what is asserted anyway is true within the rest.

use crate::encode::world::{Side, World};
use crate::term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the rounds: each unifies the answers of the calls whose inputs are known to be equal by then, so it takes
/// one round for each call of a chain.
const ROUNDS: usize = 40;
/// Limit on the variables that one round replaces: each must not occur in the value of another.
const AT_ONCE: usize = 64;

/// Puts answers of the target's calls for those of the source's where the axioms say so, given `given`. Returns what was
/// put for what, for the terms that are no part of axioms or given.
pub(in crate::proof) fn unify(world: &mut World, given: &mut Vec<Term>) -> FxHashMap<Term, Term> {
    let answers = answers(world);
    let mut put: FxHashMap<Term, Term> = FxHashMap::default();
    if answers.is_empty() {
        return put;
    }
    for _ in 0..ROUNDS {
        let truths = truths(&mut world.terms, given);
        let axioms = std::mem::take(&mut world.axioms);
        let axioms = world.terms.substitute_all(&axioms, &truths);
        let defined = definitions(&mut world.terms, &axioms, &answers);
        world.axioms = world.terms.substitute_all(&axioms, &defined);
        if defined.is_empty() {
            return put;
        }
        *given = world.terms.substitute_all(given, &defined);
        let (from, to): (Vec<Term>, Vec<Term>) = put.into_iter().unzip();
        put = from.into_iter().zip(world.terms.substitute_all(&to, &defined)).collect();
        put.extend(defined);
    }
    put
}

/// The variables that stand for what calls of the source answer.
fn answers(world: &World) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    for event in world.events.iter().filter(|e| e.side == Side::Source) {
        found.extend(
            [event.after, event.leaves, Some(event.returns), Some(event.throws)].into_iter().flatten(),
        );
        for scalar in event.result.iter().flat_map(|r| r.scalars()) {
            found.extend([scalar.bits, scalar.poison, scalar.undef]);
        }
    }
    found.retain(|term| matches!(world.terms.op(*term), Op::Var(_)));
    found
}

/// The parts of conjunctions.
pub(in crate::proof) fn conjuncts(terms: &Terms, all: &[Term]) -> Vec<Term> {
    let (mut found, mut work) = (Vec::new(), all.to_vec());
    let mut seen = FxHashSet::default();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.op(term) {
            Op::And => work.extend(terms.args(term)),
            _ => found.push(term),
        }
    }
    found.sort_unstable();
    found
}

/// What is true and false because it is given.
fn truths(terms: &mut Terms, given: &[Term]) -> FxHashMap<Term, Term> {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let mut found = FxHashMap::default();
    for term in conjuncts(terms, given) {
        match terms.op(term) {
            Op::Bool(_) => {}
            Op::Not => {
                found.insert(terms.args(term)[0], no);
            }
            _ => {
                found.insert(term, yes);
            }
        }
    }
    found
}

/// The variables among `answers` that an axiom defines, each by a term without variables that are defined here.
fn definitions(terms: &mut Terms, axioms: &[Term], answers: &FxHashSet<Term>) -> FxHashMap<Term, Term> {
    let mut found: FxHashMap<Term, Term> = FxHashMap::default();
    let mut used: FxHashSet<Term> = FxHashSet::default();
    for conjunct in conjuncts(terms, axioms) {
        let Some((a, b)) = equation(terms, conjunct) else { continue };
        for (var, value) in [(a, b), (b, a)] {
            if !answers.contains(&var) || used.contains(&var) || found.contains_key(&var) {
                continue;
            }
            let within = terms.variables(&[value]);
            if within.iter().any(|v| *v == var || found.contains_key(v)) {
                continue;
            }
            used.extend(within);
            found.insert(var, value);
            break;
        }
        if found.len() >= AT_ONCE {
            break;
        }
    }
    found
}

/// The sides, if `term` says that two are equal.
fn equation(terms: &mut Terms, term: Term) -> Option<(Term, Term)> {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    match terms.op(term) {
        Op::Eq => Some((terms.args(term)[0], terms.args(term)[1])),
        Op::Var(_) if terms.sort(term) == Sort::Bool => Some((term, yes)),
        Op::Not => {
            let of = terms.args(term)[0];
            match terms.op(of) {
                Op::Xor => Some((terms.args(of)[0], terms.args(of)[1])),
                Op::Var(_) => Some((of, no)),
                _ => None,
            }
        }
        _ => None,
    }
}
