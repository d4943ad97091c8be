//! Compares ∃∀ by instantiation with enumeration of all values.

use std::time::Duration;

use backedge_smt::solver::{Budget, ExistsForall, ForallAnswer, UnknownReason};
use backedge_smt::term::{Assignment, Bits, Evaluator, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

fn question(formula: Vec<Term>, forall: Vec<Term>) -> ExistsForall {
    let (given, functions, sought, instances, candidates) = Default::default();
    ExistsForall {
        formula,
        given,
        functions,
        forall,
        sought,
        instances,
        candidates,
        rounds: 100,
        most_terms: 1_000_000,
    }
}

#[test]
fn agrees_with_enumeration() {
    // Formulas over x, y (sought) and u, v (universal), each of 3 bits.
    let mut terms = Terms::new();
    let [x, y, u, v] = ["x", "y", "u", "v"].map(|name| terms.variable(name, Sort::BitVec(3)));
    let t = &mut terms;
    let mut formulas = Vec::new();
    let (product, sum) = (t.mul(x, u), t.add(y, v));
    let zero = t.number(3, 0);
    let (four, seven) = (t.number(3, 4), t.number(3, 7));
    formulas.push(t.eq(product, zero));
    formulas.push(t.ne(product, four));
    formulas.push(t.ne(sum, four));
    formulas.push(t.ule(x, u));
    formulas.push(t.ult(x, u));
    let masked = t.bv_and(u, x);
    formulas.push(t.ule(masked, y));
    let shifted = t.lshr(u, x);
    let odd = t.bv_or(shifted, y);
    formulas.push(t.ult(odd, four));
    let (p, q) = (t.urem(u, x), t.urem(v, x));
    let (rem, nonzero) = (t.add(p, q), t.ne(x, zero));
    let bounded = t.ule(rem, y);
    let smaller = t.ne(y, seven);
    let both = t.and(nonzero, bounded);
    formulas.push(t.and(both, smaller));
    let overflow = t.uadd_overflows(u, x);
    let swap = t.ult(u, y);
    formulas.push(t.xor(overflow, swap));
    let mut outcomes = (0, 0);
    for &formula in &formulas {
        let holds = (0..64u128).any(|a| {
            (0..64u128).all(|b| {
                let values = [(x, a & 7), (y, a >> 3), (u, b & 7), (v, b >> 3)];
                let values: Assignment = values
                    .map(|(variable, value)| (variable, Value::Bits(Bits::new(3, value))))
                    .into_iter()
                    .collect();
                Evaluator::new(&terms, &values).truth(formula)
            })
        });
        let outcome = question(vec![formula], vec![u, v]).solve(&mut terms, &Budget::default()).unwrap();
        match outcome.answer {
            ForallAnswer::Holds(model) => {
                assert!(holds);
                outcomes.0 += 1;
                let fixed: FxHashMap<Term, Term> = [x, y]
                    .into_iter()
                    .filter_map(|variable| Some((variable, model.get(variable)?.as_bits()?.clone())))
                    .map(|(variable, value)| (variable, terms.constant(value)))
                    .collect();
                let closed = terms.substitute(formula, &fixed);
                for b in 0..64u128 {
                    let values = [(u, b & 7), (v, b >> 3)];
                    let values = values.map(|(w, value)| (w, Value::Bits(Bits::new(3, value))));
                    assert!(Evaluator::new(&terms, &values.into_iter().collect()).truth(closed));
                }
            }
            ForallAnswer::Fails => {
                assert!(!holds, "{}", terms.to_smtlib(&[formula]));
                outcomes.1 += 1;
            }
            ForallAnswer::Unknown(reason) => panic!("{reason:?}"),
        }
    }
    assert!(outcomes.0 >= 3 && outcomes.1 >= 2, "both answers are met: {outcomes:?}");
}

/// A sought variable may have another value for each value of the universal part.
#[test]
fn inner_existentials_agree_with_enumeration() {
    let mut terms = Terms::new();
    let [x, y, u, w] = ["x", "y", "u", "w"].map(|name| terms.variable(name, Sort::BitVec(2)));
    let t = &mut terms;
    let (zero, one) = (t.number(2, 0), t.number(2, 1));
    let mut formulas = Vec::new();
    // No u can equal both x (chosen by w = 0) and y (chosen by any other w) unless x = y.
    let at_zero = t.eq(w, zero);
    let stored = t.ite(at_zero, x, y);
    formulas.push(t.ne(stored, u));
    // With x in both arms, u = x is a counterexample.
    let twice = t.ite(at_zero, x, x);
    formulas.push(t.ne(twice, u));
    let (sum, product) = (t.add(u, w), t.mul(u, w));
    formulas.push(t.eq(sum, x));
    formulas.push(t.eq(product, one));
    let (small, same) = (t.ult(w, x), t.eq(w, u));
    formulas.push(t.and(small, same));
    let masked = t.bv_and(u, w);
    let (other, flipped) = (t.ne(masked, x), t.bv_xor(u, w));
    formulas.push(t.and(other, at_zero));
    formulas.push(t.ult(flipped, y));
    let mut outcomes = [0, 0];
    for &formula in &formulas {
        let holds = (0..16u128).any(|a| {
            (0..4u128).all(|b| {
                (0..4u128).any(|c| {
                    let values = [(x, a & 3), (y, a >> 2), (u, b), (w, c)];
                    let values = values.map(|(v, value)| (v, Value::Bits(Bits::new(2, value))));
                    Evaluator::new(&terms, &values.into_iter().collect()).truth(formula)
                })
            })
        });
        for first in [zero, x] {
            let instances = vec![[(u, first)].into_iter().collect()];
            let question = ExistsForall { sought: vec![w], instances, ..question(vec![formula], vec![u]) };
            match question.solve(&mut terms, &Budget::default()).unwrap().answer {
                ForallAnswer::Holds(_) => assert!(holds, "{}", terms.to_smtlib(&[formula])),
                ForallAnswer::Fails => assert!(!holds, "{}", terms.to_smtlib(&[formula])),
                ForallAnswer::Unknown(reason) => panic!("{reason:?}: {}", terms.to_smtlib(&[formula])),
            }
        }
        outcomes[usize::from(holds)] += 1;
    }
    assert!(outcomes[0] >= 2 && outcomes[1] >= 2, "both answers are met: {outcomes:?}");
}

/// The target freezes poison and adds 1; the source freezes poison. Every target value is a source value. The question,
/// at 64 bits, is for a target value that no source value equals.
fn freeze(terms: &mut Terms) -> (ExistsForall, Term, Term) {
    let (target, source) =
        (terms.variable("target", Sort::BitVec(64)), terms.variable("source", Sort::BitVec(64)));
    let one = terms.number(64, 1);
    let seen = terms.add(target, one);
    (question(vec![terms.ne(seen, source)], vec![source]), source, seen)
}

#[test]
fn the_right_instance_settles_it_in_no_round() {
    let mut terms = Terms::new();
    let (mut question, source, seen) = freeze(&mut terms);
    question.instances.push([(source, seen)].into_iter().collect());
    let outcome = question.solve(&mut terms, &Budget::default()).unwrap();
    assert_eq!((outcome.answer, outcome.rounds), (ForallAnswer::Fails, 0));
}

#[test]
fn a_candidate_settles_it_in_one_round() {
    let mut terms = Terms::new();
    let (mut question, _, seen) = freeze(&mut terms);
    question.candidates.push(seen);
    let outcome = question.solve(&mut terms, &Budget::default()).unwrap();
    assert_eq!((outcome.answer, outcome.rounds), (ForallAnswer::Fails, 1));
}

#[test]
fn constants_alone_use_the_rounds_up() {
    let mut terms = Terms::new();
    let (mut question, ..) = freeze(&mut terms);
    question.rounds = 5;
    let outcome = question.solve(&mut terms, &Budget::default()).unwrap();
    assert_eq!((outcome.answer, outcome.rounds), (ForallAnswer::Unknown(UnknownReason::Rounds), 5));
    assert!(outcome.cost.queries > 5);
}

#[test]
fn a_query_that_is_given_up_is_not_an_answer() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::BitVec(32)));
    let (quotient, remainder, zero) = (terms.udiv(x, y), terms.urem(x, y), terms.number(32, 0));
    let product = terms.mul(quotient, y);
    let back = terms.add(product, remainder);
    let (equal, zero) = (terms.eq(back, x), terms.eq(y, zero));
    let formula = terms.or(equal, zero);
    // Both variables are universal and no x is sought, so the question is one hard query.
    let budget = Budget { units: 200_000, time: Duration::from_secs(30), ..Budget::default() };
    let outcome = question(vec![formula], vec![x, y]).solve(&mut terms, &budget).unwrap();
    assert_eq!(outcome.answer, ForallAnswer::Unknown(UnknownReason::Units));
}

#[test]
fn arrays_are_instantiated_too() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 8, element: 8 };
    let (memory, at, all) =
        (terms.variable("m", sort), terms.variable("p", Sort::BitVec(8)), terms.variable("all", sort));
    let (mine, theirs) = (terms.select(memory, at), terms.select(all, at));
    let below = terms.ule(mine, theirs);
    let outcome = question(vec![below], vec![all]).solve(&mut terms, &Budget::default()).unwrap();
    assert!(matches!(outcome.answer, ForallAnswer::Holds(_)), "an element of zero: {outcome:?}");
    let differ = terms.ne(memory, all);
    let outcome = question(vec![differ], vec![all]).solve(&mut terms, &Budget::default()).unwrap();
    assert_eq!(outcome.answer, ForallAnswer::Fails);
}

#[test]
fn a_function_of_the_universal_part_has_its_own_value_at_each_instance() {
    // y is 0 or 1; f is p at 0 and q at 1. Can f differ from r for all y? If r is p for p = q, and otherwise 7: yes.
    let mut terms = Terms::new();
    let [p, q, f, y] = ["p", "q", "f", "y"].map(|name| terms.variable(name, Sort::BitVec(3)));
    let t = &mut terms;
    let (zero, one, seven) = (t.number(3, 0), t.number(3, 1), t.number(3, 7));
    let (is_zero, is_one) = (t.eq(y, zero), t.eq(y, one));
    let (is_p, is_q) = (t.eq(f, p), t.eq(f, q));
    let (at_zero, at_one) = (t.implies(is_zero, is_p), t.implies(is_one, is_q));
    let (in_range, same) = (t.or(is_zero, is_one), t.eq(p, q));
    let r = t.ite(same, p, seven);
    let differs = t.ne(f, r);
    let first = [(y, zero)].into_iter().collect();
    let question = ExistsForall {
        given: vec![at_zero, at_one, in_range],
        functions: vec![f],
        instances: vec![first],
        ..question(vec![differs], vec![y])
    };
    let outcome = question.solve(&mut terms, &Budget::default()).unwrap();
    assert!(matches!(outcome.answer, ForallAnswer::Holds(_)), "{outcome:?}");
    // f is p at 0.
    let goal = terms.ne(f, p);
    let outcome =
        ExistsForall { formula: vec![goal], ..question }.solve(&mut terms, &Budget::default()).unwrap();
    assert_eq!(outcome.answer, ForallAnswer::Fails);
}

#[test]
fn the_limits_end_it_and_say_so() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVec(8)), terms.variable("y", Sort::BitVec(8)));
    let sum = terms.add(x, y);
    let differs = terms.ne(sum, y);
    let zero = terms.number(8, 0);
    let question = ExistsForall {
        formula: vec![differs],
        given: Vec::new(),
        functions: Vec::new(),
        forall: vec![y],
        sought: Vec::new(),
        instances: vec![[(y, zero)].into_iter().collect()],
        candidates: Vec::new(),
        rounds: 100,
        most_terms: usize::MAX,
    };
    let answer = |question: &ExistsForall, budget: &Budget| {
        question.solve(&mut terms.clone(), budget).expect("the solver behaves").answer
    };
    assert!(matches!(answer(&question, &Budget::default()), ForallAnswer::Holds(_)));
    let small = ExistsForall { most_terms: 4, ..question.clone() };
    assert_eq!(answer(&small, &Budget::default()), ForallAnswer::Unknown(UnknownReason::Terms));
    let no_time = Budget { time: Duration::ZERO, ..Budget::default() };
    assert_eq!(answer(&question, &no_time), ForallAnswer::Unknown(UnknownReason::Time));
}
