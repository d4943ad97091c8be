//! Tests of the decision of products, against enumeration and against the solver's own multiplication.

use super::*;
use crate::limits::Limits;
use crate::proof::decide::ask::Asker;
use crate::solver::{Answer, Budget, Cost, check};
use crate::term::Sort;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::time::{Duration, Instant};

/// Whether `goal` is shown to follow from `given`, without multiplication.
fn follows(terms: &mut Terms, given: &[Term], goal: Term) -> bool {
    let limits = Limits::new(Instant::now(), Duration::from_secs(600), 3_000_000);
    let cost = Cost::default();
    let mut asker = Asker { units: 3_000_000, memory: 4096, limits, cost, open: 0, hint: None };
    let mut assertions = given.to_vec();
    assertions.push(terms.not(goal));
    let answer = asker.abstract_products(terms, &assertions, 300_000).expect("a solver");
    if let Answer::Sat(model) = &answer {
        let mut evaluator = Evaluator::new(terms, model);
        assert!(assertions.iter().all(|a| evaluator.truth(*a)), "a model is one");
    }
    answer == Answer::Unsat
}

/// `2·s = i·i - i` modulo `2^(width + 1)`.
fn triangular(terms: &mut Terms, s: Term, i: Term) -> Term {
    let width = terms.width(s) + 1;
    let (s, i) = (terms.zext(s, width), terms.zext(i, width));
    let (twice, square) = (terms.add(s, s), terms.mul(i, i));
    let less = terms.sub(square, i);
    terms.eq(twice, less)
}

#[test]
fn a_sum_of_a_counter_is_followed() {
    for width in [32, 64] {
        let terms = &mut Terms::new();
        let [s, i, n] = ["s", "i", "n"].map(|name| terms.variable(name, Sort::BitVec(width)));
        let one = terms.number(width, 1);
        let (sum, next) = (terms.add(s, i), terms.add(i, one));
        let (before, after) = (triangular(terms, s, i), triangular(terms, sum, next));
        let within = terms.ult(i, n);
        assert!(follows(terms, &[before, within], after));
        // It does not follow if the counter may wrap, nor for a different sum.
        assert!(!follows(terms, &[before], after));
        assert!(!follows(terms, &[within], after));
        let more = terms.add(sum, one);
        let wrong = triangular(terms, more, next);
        assert!(!follows(terms, &[before, within], wrong));
        let twice = terms.add(next, one);
        let wrong = triangular(terms, sum, twice);
        assert!(!follows(terms, &[before, within], wrong));
    }
}

#[test]
fn a_closed_form_holds_unless_its_product_wraps() {
    for width in [32, 64] {
        for (wide, right) in [(2 * width, true), (width + 1, true), (width, false)] {
            let terms = &mut Terms::new();
            let [s, i, n] = ["s", "i", "n"].map(|name| terms.variable(name, Sort::BitVec(width)));
            let before = triangular(terms, s, i);
            let (below, above) = (terms.ult(i, n), terms.ult(n, i));
            let (below, above) = (terms.not(below), terms.not(above));
            let (m, one) = (terms.zext(n, wide), terms.number(wide, 1));
            let less = terms.sub(m, one);
            let product = terms.mul(m, less);
            let half = terms.lshr(product, one);
            let half = terms.truncate(half, width);
            let zero = terms.number(width, 0);
            let (none, same) = (terms.eq(n, zero), terms.eq(s, half));
            assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
            let chosen = terms.ite(none, zero, half);
            let same = terms.eq(s, chosen);
            assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
            // The carry for n = 0 makes no difference.
            let one = terms.number(width, 1);
            let less = terms.sub(n, one);
            let less = terms.zext(less, wide);
            let (product, one) = (terms.mul(m, less), terms.number(wide, 1));
            let half = terms.lshr(product, one);
            let half = terms.truncate(half, width);
            let same = terms.eq(s, half);
            // At 64 bits this takes too long for a test.
            if width == 32 {
                assert_eq!(follows(terms, &[before, below, above], same), right, "{width} {wide}");
            }
            assert!(!follows(terms, &[before, below], same), "{width} {wide}");
        }
    }
}

/// A term of `width` bits over small variables.
fn any(terms: &mut Terms, dice: &mut Xoshiro256PlusPlus, base: &[Term], width: u32, depth: u32) -> Term {
    let mut below = |n: u64| dice.random_range(0..n);
    if depth == 0 {
        let base = base[below(base.len() as u64) as usize];
        let number = u128::from(below(1 << width));
        return match below(4) {
            0 => terms.number(width, number),
            1 => terms.sext_or_truncate(base, width),
            _ => terms.zext_or_truncate(base, width),
        };
    }
    let kind = below(12);
    let other = 2 + below(4) as u32;
    let by = u128::from(1 + below(u64::from(width)));
    let mut part = |terms: &mut Terms, width| any(terms, dice, base, width, depth - 1);
    let a = part(terms, width);
    match kind {
        0..=3 => {
            let b = part(terms, width);
            terms.mul(a, b)
        }
        4..=5 => {
            let b = part(terms, width);
            terms.add(a, b)
        }
        6 => {
            let b = part(terms, width);
            terms.sub(a, b)
        }
        7 => {
            let by = terms.number(width, by);
            terms.lshr(a, by)
        }
        8 => {
            let c = part(terms, width);
            let (b, c) = (part(terms, width), terms.ult(a, c));
            terms.ite(c, a, b)
        }
        9 => {
            let a = part(terms, other);
            terms.sext_or_truncate(a, width)
        }
        10 => {
            let a = part(terms, other);
            terms.zext_or_truncate(a, width)
        }
        _ => terms.bv_not(a),
    }
}

#[test]
fn unsat_without_products_is_sound() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut seen, mut true_ones) = (0, 0);
    for _ in 0..400 {
        let terms = &mut Terms::new();
        let base: Vec<Term> =
            [3, 3, 4].into_iter().map(|width| terms.variable("x", Sort::BitVec(width))).collect();
        let equation = |terms: &mut Terms, dice: &mut Xoshiro256PlusPlus| {
            let width = dice.random_range(2..6);
            let a = any(terms, dice, &base, width, 3);
            // A shallow second operand: two deep random operands are almost never equal.
            let b = any(terms, dice, &base, width, 1);
            if dice.random_range(0..4) == 0 { terms.ult(a, b) } else { terms.eq(a, b) }
        };
        let given = [equation(terms, &mut dice), equation(terms, &mut dice)];
        let goal = match dice.random_range(0..3) {
            0 => terms.bool(false),
            1 => {
                let overflow = terms.umul_overflows(base[0], base[1]);
                let goal = equation(terms, &mut dice);
                terms.or(goal, overflow)
            }
            _ => equation(terms, &mut dice),
        };
        let mut assertions = given.to_vec();
        assertions.push(terms.not(goal));
        let truth = check(terms, &assertions, &Budget::default()).expect("a solver").answer == Answer::Unsat;
        true_ones += u32::from(truth);
        if follows(terms, &given, goal) {
            assert!(truth, "{given:?} {goal:?}");
            seen += 1;
        }
    }
    assert!(seen > 20 && true_ones > seen, "{seen} of {true_ones}");
}
