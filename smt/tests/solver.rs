//! The solver's guarantees: reasons for giving up, reproducible answers, valid models, deep and wide terms.

use std::time::{Duration, Instant};

use backedge_smt::solver::{Answer, Budget, Outcome, UnknownReason, check, check_in_bits};
use backedge_smt::term::{Bits, Evaluator, Op, Sort, Term, Terms};

/// Division and remainder by a nonzero number give back the dividend. The negation is unsatisfiable, and bit-blasting
/// takes very long at 32 bits.
fn hard(terms: &mut Terms, width: u32) -> Vec<Term> {
    let (x, y) = (terms.variable("x", Sort::BitVec(width)), terms.variable("y", Sort::BitVec(width)));
    let zero = terms.number(width, 0);
    let (quotient, remainder) = (terms.udiv(x, y), terms.urem(x, y));
    let product = terms.mul(quotient, y);
    let back = terms.add(product, remainder);
    vec![terms.ne(y, zero), terms.ne(back, x)]
}

fn ask(terms: &Terms, assertions: &[Term], budget: &Budget) -> Outcome {
    check(terms, assertions, budget).expect("the solver behaves")
}

#[test]
fn resource_units_end_a_query_and_say_so() {
    for units in [10, 1_000_000] {
        let mut terms = Terms::new();
        let hard = hard(&mut terms, 32);
        let outcome = ask(&terms, &hard, &Budget { units, ..Budget::default() });
        assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Units));
        assert!(
            (u64::from(units)..2 * u64::from(units) + 100).contains(&outcome.cost.units),
            "{:?}",
            outcome.cost
        );
    }
}

#[test]
fn the_wall_clock_ends_a_query_and_says_so() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms, 32);
    let start = Instant::now();
    let outcome =
        ask(&terms, &hard, &Budget { units: 0, time: Duration::from_millis(200), ..Budget::default() });
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Time));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn memory_ends_a_query_and_says_so() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms, 64);
    let outcome = ask(&terms, &hard, &Budget { memory: 1, ..Budget::default() });
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Memory));
}

#[test]
fn what_is_decided_when_it_is_built_costs_nothing() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::BitVec(8));
    let (same, other) = (terms.eq(x, x), terms.ne(x, x));
    let free = ask(&terms, &[same], &Budget::default());
    assert!(matches!(free.answer, Answer::Sat(_)) && free.cost.queries == 0);
    let free = ask(&terms, &[same, other], &Budget::default());
    assert!(free.answer == Answer::Unsat && free.cost.queries == 0);
}

/// A query with many models, so that a different search order would be visible.
fn loose(terms: &mut Terms) -> Vec<Term> {
    let mut sum = terms.number(16, 0);
    let mut assertions = Vec::new();
    for index in 0..12 {
        let x = terms.variable(format!("x{index}"), Sort::BitVec(16));
        let square = terms.mul(x, x);
        sum = terms.add(sum, square);
        let bound = terms.number(16, 40 * index);
        assertions.push(terms.ult(bound, x));
    }
    let goal = terms.number(16, 12345);
    assertions.push(terms.eq(sum, goal));
    assertions
}

fn same_but_for_time(a: &Outcome, b: &Outcome) {
    assert_eq!(a.answer, b.answer);
    assert_eq!(a.cost.units, b.cost.units);
}

#[test]
fn the_same_query_has_the_same_answer_model_and_units() {
    let mut terms = Terms::new();
    let loose = loose(&mut terms);
    let first = ask(&terms, &loose, &Budget::default());
    assert!(matches!(first.answer, Answer::Sat(_)));
    same_but_for_time(&first, &ask(&terms, &loose, &Budget::default()));

    // Runs another query, one that was given up, and queries on other threads in between.
    let hard = hard(&mut terms, 32);
    ask(&terms, &hard, &Budget { units: 300_000, ..Budget::default() });
    same_but_for_time(&first, &ask(&terms, &loose, &Budget::default()));
    std::thread::scope(|scope| {
        let work = || ask(&terms, &loose, &Budget::default());
        let all: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        for outcome in all {
            same_but_for_time(&first, &outcome.join().expect("no panic"));
        }
    });
}

#[test]
fn the_arena_s_other_terms_do_not_matter() {
    let mut plain = Terms::new();
    let alone = loose(&mut plain);
    let mut crowded = Terms::new();
    hard(&mut crowded, 32);
    let shifted = loose(&mut crowded);
    let (a, b) = (ask(&plain, &alone, &Budget::default()), ask(&crowded, &shifted, &Budget::default()));
    assert_eq!(a.cost.units, b.cost.units);
    let values = |outcome: Outcome| match outcome.answer {
        Answer::Sat(model) => model.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(values(a), values(b));
}

#[test]
fn wide_bit_vectors_keep_all_their_bits() {
    for width in [63, 64, 65, 128, 129, 200, 4096] {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::BitVec(width));
        let pieces: Vec<u64> =
            (0..width.div_ceil(64)).map(|index| 0x9e37_79b9_7f4a_7c15 ^ u64::from(index)).collect();
        let wanted = Bits::from_pieces(width, &pieces);
        let (ones, goal) = (terms.constant(Bits::ones(width)), terms.constant(wanted.not()));
        // Written so that no rule solves it: x & ones would fold, x == goal would not.
        let (flipped, is_ones) = (terms.bv_not(x), terms.ne(x, ones));
        let equal = terms.eq(flipped, goal);
        let Answer::Sat(model) = ask(&terms, &[equal, is_ones], &Budget::default()).answer else {
            panic!("{width}")
        };
        assert_eq!(model.get(x).and_then(|value| value.as_bits()), Some(&wanted));
        assert_eq!(Bits::from_pieces(width, &wanted.pieces()), wanted);
    }
}

#[test]
fn models_of_arrays_hold() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 64, element: 8 };
    let (m, n) = (terms.variable("m", sort), terms.variable("n", sort));
    let (p, q) = (terms.variable("p", Sort::BitVec(64)), terms.variable("q", Sort::BitVec(64)));
    let seven = terms.number(8, 7);
    let stored = terms.store(m, p, seven);
    let (at_q, of_n) = (terms.select(stored, q), terms.select(n, q));
    let sum = terms.add(at_q, of_n);
    let assertions = [terms.ne(stored, n), terms.eq(sum, seven), terms.ne(at_q, seven), terms.ult(p, q)];
    let Answer::Sat(model) = ask(&terms, &assertions, &Budget::default()).answer else {
        panic!("a model exists")
    };
    let mut evaluator = Evaluator::new(&terms, &model);
    assert!(assertions.iter().all(|&assertion| evaluator.truth(assertion)));
    assert_eq!(model.iter().count(), 4, "every variable has a value");

    // Arrays that are equal at all indices are equal, and a choice between two arrays is one of them.
    let bit = Sort::Array { index: 1, element: 8 };
    let (a, b, c) = (terms.variable("a", bit), terms.variable("b", bit), terms.variable("c", Sort::Bool));
    let (zero, one) = (terms.number(1, 0), terms.number(1, 1));
    let mut differ = vec![terms.ne(a, b)];
    for index in [zero, one] {
        let chosen = terms.ite(c, a, b);
        let (x, y) = (terms.select(chosen, index), terms.select(b, index));
        differ.push(terms.eq(x, y));
    }
    let Answer::Sat(model) = ask(&terms, &differ, &Budget::default()).answer else {
        panic!("c may be false")
    };
    assert_eq!(model.get(c).and_then(|value| value.as_bool()), Some(false));
    differ.push(c);
    assert_eq!(ask(&terms, &differ, &Budget::default()).answer, Answer::Unsat);
}

/// An array that is only read is passed to Z3 element by element, with or without constraints for equal indices; an
/// array that is compared is passed unchanged.
#[test]
fn arrays_that_are_only_read_mean_what_others_mean() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 2, element: 2 };
    let (m, n) = (terms.variable("m", sort), terms.variable("n", sort));
    let (i, j) = (terms.variable("i", Sort::BitVec(2)), terms.variable("j", Sort::BitVec(2)));
    let (x, y) = (terms.variable("x", Sort::BitVec(1)), terms.variable("y", Sort::BitVec(1)));
    let (bit, one, three) = (terms.number(1, 1), terms.number(2, 1), terms.number(2, 3));
    let (after, beside) = (terms.add(i, one), terms.add(y, bit));
    let indices = [i, after, j, three, terms.concat(x, y), terms.concat(x, beside)];
    let elements = indices.map(|index| terms.select(m, index));
    let compared = terms.ne(m, n);
    let pairs: Vec<(usize, usize)> = (0..6).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let mut met = [0, 0];
    for (&(a, b), &(c, d)) in pairs.iter().flat_map(|p| pairs.iter().map(move |q| (p, q))) {
        let read = [
            terms.ne(elements[a], elements[b]),
            terms.eq(indices[c], indices[d]),
            terms.eq(indices[a], indices[d]),
        ];
        let whole = [read[0], read[1], read[2], compared];
        let bits = check_in_bits(&terms, &read, &Budget::default()).unwrap().answer;
        let [read, whole] = [&read[..], &whole[..]].map(|q| ask(&terms, q, &Budget::default()).answer);
        let [bits, read, whole] = [bits, read, whole].map(|answer| matches!(answer, Answer::Sat(_)));
        assert_eq!([bits, read], [whole; 2], "elements {a} and {b}, indices {c} and {d}");
        met[usize::from(read)] += 1;
    }
    assert!(met[0] > 50 && met[1] > 50, "{met:?}");
}

/// Deep terms on the small stack of a test thread: built, evaluated, substituted, printed, translated and queried.
#[test]
fn deep_terms() {
    const DEPTH: u32 = 100_000;
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::BitVec(8)), terms.variable("y", Sort::BitVec(8)));
    let mut mixed = x;
    for index in 0..DEPTH {
        let step = terms.number(8, u128::from(index % 251) | 1);
        mixed = if index % 2 == 0 { terms.bv_xor(mixed, y) } else { terms.add(mixed, step) };
    }
    let deep = terms.eq(mixed, y);
    assert!(terms.size(&[deep]) > DEPTH as usize);
    assert!(terms.to_smtlib(&[deep]).lines().count() > DEPTH as usize);
    let zero = terms.number(8, 0);
    let replaced = terms.substitute(deep, &[(x, zero)].into_iter().collect());
    assert_eq!(terms.variables(&[replaced]), vec![y]);
    // Any answer is fine; the query must return.
    ask(&terms, &[deep, replaced], &Budget { units: 100_000, ..Budget::default() });
}

/// Nested choices and chains of stores, solved completely.
#[test]
fn deep_choices_and_stores() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 16, element: 8 };
    let (mut memory, x) = (terms.variable("m", sort), terms.variable("x", Sort::BitVec(8)));
    let (mut value, mut index) = (x, terms.variable("i", Sort::BitVec(16)));
    let two = terms.number(16, 2);
    for step in 0..2000 {
        let condition = terms.variable("c", Sort::Bool);
        let number = terms.number(8, step);
        value = terms.ite(condition, number, value);
        memory = terms.store(memory, index, value);
        index = terms.add(index, two);
    }
    let loaded = terms.select(memory, index);
    let last = terms.number(8, 1999 % 256);
    let assertions = [terms.eq(value, last), terms.ne(loaded, x)];
    let answer = ask(&terms, &assertions, &Budget::default()).answer;
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

#[test]
fn deep_sums_that_differ_at_the_bottom() {
    let mut terms = Terms::new();
    let (mut a, mut b) = (terms.variable("a", Sort::BitVec(8)), terms.variable("b", Sort::BitVec(8)));
    let first = terms.eq(a, b);
    for _ in 0..100_000 {
        let next = terms.variable("n", Sort::BitVec(8));
        (a, b) = (terms.add(a, next), terms.add(b, next));
    }
    // The rules cancel common summands only up to a depth; they must neither crash nor be wrong.
    let equal = terms.eq(a, b);
    assert!(matches!(terms.op(equal), Op::Eq));
    let sum_of_three = {
        let (x, y) = (terms.args(first)[0], terms.args(first)[1]);
        let (n, m) = (terms.variable("n", Sort::BitVec(8)), terms.variable("m", Sort::BitVec(8)));
        let (p, q) = (terms.add(x, n), terms.add(y, n));
        let (p, q) = (terms.add(p, m), terms.add(q, m));
        terms.eq(p, q)
    };
    assert_eq!(sum_of_three, first);
}
