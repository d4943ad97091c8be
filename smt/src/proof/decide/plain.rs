//! Conditions without what memory is like: a truth that depends on an array is taken for any. What does not hold then
//! holds never. How often loops run is mostly told by numbers alone, and a question of those is small.

use crate::term::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the tests that are asked about, together first: bounds the size of a question.
const MANY_TESTS: usize = 256;

/// The conditions with a variable for each truth that is not made of truths: what does not hold then holds never.
pub(in crate::proof) fn propositional(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    with_atoms(terms, conditions, &|_| true)
}
/// The conditions with a variable for each such truth that depends on an array; `None` if none does.
pub(in crate::proof) fn without_arrays(terms: &mut Terms, conditions: &[Term]) -> Option<Vec<Term>> {
    let on_arrays = on_arrays(terms, conditions);
    (!on_arrays.is_empty()).then(|| with_atoms(terms, conditions, &|atom| on_arrays.contains(&atom)))
}
/// The conditions with a variable for each truth that is not made of truths and that is `meant`.
fn with_atoms(terms: &mut Terms, conditions: &[Term], meant: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let mut atoms: FxHashMap<Term, Term> = FxHashMap::default();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut work = conditions.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) || matches!(terms.op(term), Op::Bool(_) | Op::Var(_)) {
            continue;
        }
        if is_made_of_truths(terms, term) {
            work.extend(terms.args(term));
        } else if meant(term) {
            atoms.insert(term, terms.variable("atom", Sort::Bool));
        }
    }
    terms.substitute_all(conditions, &atoms)
}
/// Whether a truth is made of others.
fn is_made_of_truths(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Not | Op::And | Op::Or | Op::Xor => true,
        Op::Eq | Op::Ite => terms.args(term).iter().all(|a| terms.sort(*a) == Sort::Bool),
        _ => false,
    }
}
/// The terms among those of `conditions` that depend on arrays, and the arrays.
fn on_arrays(terms: &Terms, conditions: &[Term]) -> FxHashSet<Term> {
    let mut found: FxHashSet<Term> = FxHashSet::default();
    for term in terms.cone(conditions) {
        let array = matches!(terms.sort(term), Sort::Array { .. });
        if array || terms.args(term).iter().any(|a| found.contains(a)) {
            found.insert(term);
        }
    }
    found
}

/// Whether some of `conditions` depend on arrays.
pub(in crate::proof) fn looks_at_memory(terms: &Terms, conditions: &[Term]) -> bool {
    let array = |term: &Term| matches!(terms.sort(*term), Sort::Array { .. });
    terms.cone(conditions).iter().any(array)
}
/// What holds where all `conditions` do, one by one.
pub(in crate::proof) fn conjuncts(terms: &mut Terms, conditions: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut work: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term).to_vec();
        match terms.op(term) {
            Op::And => work.extend(args),
            Op::Not if terms.op(args[0]) == Op::Or => {
                let parts = terms.args(args[0]).to_vec();
                work.extend(parts.into_iter().map(|part| terms.not(part)));
            }
            _ => found.push(term),
        }
    }
    found
}
/// Those of `conditions` that depend on arrays, and the others.
pub(in crate::proof) fn split(terms: &Terms, conditions: Vec<Term>) -> (Vec<Term>, Vec<Term>) {
    let on_arrays = on_arrays(terms, &conditions);
    conditions.into_iter().partition(|c| on_arrays.contains(c))
}
/// The tests of numbers, without a look at arrays, that truths are made of which depend on arrays.
pub(in crate::proof) fn tests(terms: &Terms, given: &[Term]) -> Vec<Term> {
    let on_arrays = on_arrays(terms, given);
    let mut found: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<Term> = given.iter().copied().collect();
    let mut work: Vec<Term> = given.iter().copied().filter(|g| on_arrays.contains(g)).collect();
    while let Some(term) = work.pop() {
        if is_made_of_truths(terms, term) {
            work.extend(terms.args(term).iter().copied().filter(|a| seen.insert(*a)));
        } else if !on_arrays.contains(&term) && !matches!(terms.op(term), Op::Bool(_) | Op::Var(_)) {
            found.push(term);
        }
    }
    found.sort_unstable();
    found.truncate(MANY_TESTS);
    found
}
/// The number of which `extended` are the low bits, extended to as many as it has.
fn whole(terms: &Terms, extended: Term) -> Option<Term> {
    let (Op::SExt(_) | Op::ZExt(_)) = terms.op(extended) else { return None };
    let low = terms.args(extended)[0];
    let Op::Extract { low: 0, .. } = terms.op(low) else { return None };
    let of = terms.args(low)[0];
    (terms.width(of) == terms.width(extended)).then_some(of)
}
/// Sums with a constant that are extended, each with the sum of extensions that it is unless the narrow one wraps around:
/// by that it is seen at once which addresses are the same. None that depends on arrays.
pub(in crate::proof) fn extended_sums(terms: &mut Terms, roots: &[Term]) -> Vec<(Term, Term)> {
    let on_arrays = on_arrays(terms, roots);
    let mut found = Vec::new();
    for term in terms.cone(roots) {
        let (Op::SExt(width) | Op::ZExt(width)) = terms.op(term) else { continue };
        if let Some(whole) = whole(terms, term).filter(|_| !on_arrays.contains(&term)) {
            found.push((term, whole));
        }
        let sum = terms.args(term)[0];
        if terms.op(sum) != Op::Add || on_arrays.contains(&term) {
            continue;
        }
        let [base, by] = [terms.args(sum)[0], terms.args(sum)[1]];
        if terms.as_bits(by).is_none() {
            continue;
        }
        let signed = matches!(terms.op(term), Op::SExt(_));
        let mut extended =
            |part: Term| if signed { terms.sext(part, width) } else { terms.zext(part, width) };
        let (base, by) = (extended(base), extended(by));
        let base = whole(terms, base).unwrap_or(base);
        found.push((term, terms.add(base, by)));
    }
    found.truncate(MANY_TESTS);
    found
}
