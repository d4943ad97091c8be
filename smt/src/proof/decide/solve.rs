//! What is given, put in for what it speaks of: a truth that is given is true wherever else it occurs, and a variable that
//! is given as something is that. Much of what is asked is the same term then on both sides before the solver sees it: that
//! a pointer is not poison follows from its first use, that it is the one that was frozen before from that, and which
//! loads and stores go to one place from that again.
//!
//! What is given keeps its meaning: what was put in stays given, and the rest says the same with it as without.

use crate::proof::decide::plain::conjuncts;
use crate::term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the rounds of substitution: a substitution may yield further equations. Stopping early is sound.
const ROUNDS: usize = 6;
/// Limit on the variables that one round replaces: each must not occur in the value of another.
const AT_ONCE: usize = 64;
/// Limit on the size in terms of a value that replaces a variable: it is copied to all uses.
const MANY_TERMS: usize = 400;

/// What is to be put for what, one map after the other.
pub(in crate::proof) type Known = Vec<FxHashMap<Term, Term>>;

/// Puts what is given into the rest of it. Returns what was put for what: it may be put into all that is asked together
/// with what is given.
pub(in crate::proof) fn solve(terms: &mut Terms, given: &mut Vec<Term>) -> Known {
    let mut known = Known::new();
    let mut equations = Vec::new();
    for _ in 0..ROUNDS {
        let mut all = conjuncts(terms, given);
        let defined = definitions(terms, &all);
        let ended = defined.is_empty();
        if !ended {
            let mut list: Vec<(Term, Term)> = defined.iter().map(|(var, is)| (*var, *is)).collect();
            list.sort_unstable();
            equations.extend(list.into_iter().map(|(var, is)| terms.eq(var, is)));
            let put = terms.substitute_all(&all, &defined);
            all = conjuncts(terms, &put);
            known.push(defined);
        }
        let (simple, compound): (Vec<Term>, Vec<Term>) = all.into_iter().partition(|t| is_simple(terms, *t));
        let truths: FxHashMap<Term, Term> = simple.iter().map(|t| truth(terms, *t)).collect();
        let put = terms.substitute_all(&compound, &truths);
        let same = put == compound;
        *given = simple;
        given.extend(put);
        known.push(truths);
        if ended && same {
            break;
        }
    }
    given.extend(equations);
    *given = conjuncts(terms, given);
    known
}

/// `all` with what is known put in.
pub(in crate::proof) fn put(terms: &mut Terms, all: &[Term], known: &Known) -> Vec<Term> {
    known.iter().fold(all.to_vec(), |all, map| terms.substitute_all(&all, map))
}

/// Whether a truth is none of several.
fn is_simple(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Not => is_simple(terms, terms.args(term)[0]),
        Op::And | Op::Or | Op::Xor | Op::Bool(_) => false,
        Op::Ite => terms.sort(term) != Sort::Bool,
        _ => true,
    }
}
/// What is true or false where a simple truth holds, and which of the two it is.
fn truth(terms: &mut Terms, term: Term) -> (Term, Term) {
    match terms.op(term) {
        Op::Not => (terms.args(term)[0], terms.bool(false)),
        _ => (term, terms.bool(true)),
    }
}

/// Variables that are given as something in which none of them occurs.
fn definitions(terms: &mut Terms, given: &[Term]) -> FxHashMap<Term, Term> {
    let mut found: FxHashMap<Term, Term> = FxHashMap::default();
    let mut used: FxHashSet<Term> = FxHashSet::default();
    for &condition in given {
        for (var, value) in equations(terms, condition) {
            if used.contains(&var) || found.contains_key(&var) {
                continue;
            }
            let cone = terms.cone(&[value]);
            if cone.len() > MANY_TERMS || cone.iter().any(|t| *t == var || found.contains_key(t)) {
                continue;
            }
            used.extend(cone.into_iter().filter(|t| matches!(terms.op(*t), Op::Var(_))));
            found.insert(var, value);
            break;
        }
        if found.len() >= AT_ONCE {
            break;
        }
    }
    found
}
/// Variables, and what they are if `term` holds: later ones first, that those are left which both sides have.
fn equations(terms: &mut Terms, term: Term) -> Vec<(Term, Term)> {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let is_var = |terms: &Terms, t: Term| matches!(terms.op(t), Op::Var(_));
    let args = terms.args(term).to_vec();
    let (a, b) = match terms.op(term) {
        Op::Var(_) => return vec![(term, yes)],
        Op::Eq => (args[0], args[1]),
        Op::Xor => (args[0], terms.not(args[1])),
        Op::Not => match terms.op(args[0]) {
            Op::Var(_) => return vec![(args[0], no)],
            Op::Xor => (terms.args(args[0])[0], terms.args(args[0])[1]),
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    if matches!(terms.sort(a), Sort::Array { .. }) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (side, other) in [(a, b), (b, a)] {
        let value = match terms.op(side) {
            Op::Var(_) => (side, other),
            // Of truths that differ one is the other's negation.
            Op::Not if is_var(terms, terms.args(side)[0]) => (terms.args(side)[0], terms.not(other)),
            Op::Add if is_var(terms, terms.args(side)[0]) && terms.is_constant(terms.args(side)[1]) => {
                let [var, by] = [terms.args(side)[0], terms.args(side)[1]];
                (var, terms.sub(other, by))
            }
            _ => continue,
        };
        found.push(value);
    }
    found.sort_unstable_by_key(|(var, _)| std::cmp::Reverse(*var));
    found
}
