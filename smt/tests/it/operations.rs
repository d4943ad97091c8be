//! Every operation on every value of small widths: the evaluator, the folding and rules of the builders, and Z3 agree;
//! overflow predicates agree with exact integer arithmetic.

use backedge_smt::solver::{Answer, Budget, check};
use backedge_smt::term::{ArrayValue, Assignment, Bits, Evaluator, Op, Sort, Term, Terms, Value};

const BINARY: [Op; 17] = [
    Op::Eq,
    Op::Add,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Ult,
    Op::Slt,
    Op::UMulOverflows,
    Op::SMulOverflows,
];

fn literal(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Bits(bits) => terms.constant(bits.clone()),
        Value::Array(_) => unreachable!("no array is compared here"),
    }
}

fn bits(width: u32, value: u128) -> Value {
    Value::Bits(Bits::new(width, value))
}

fn evaluate(terms: &Terms, term: Term, values: &[(Term, Value)]) -> Value {
    let assignment: Assignment = values.iter().cloned().collect();
    Evaluator::new(terms, &assignment).value(term)
}

/// Checks with one query that no assignment gives the term another value than `expected` lists for it.
fn assert_z3_agrees(terms: &mut Terms, term: Term, expected: &[(Vec<(Term, Value)>, Value)]) {
    let mut mismatches = Vec::new();
    for (values, result) in expected {
        let mut mismatch = literal(terms, result);
        mismatch = terms.ne(term, mismatch);
        for (variable, value) in values {
            let value = literal(terms, value);
            let here = terms.eq(*variable, value);
            mismatch = terms.and(mismatch, here);
        }
        mismatches.push(mismatch);
    }
    let mismatch = terms.or_all(mismatches);
    let answer = check(terms, &[mismatch], &Budget::default()).unwrap().answer;
    assert_eq!(answer, Answer::Unsat, "{:?}", terms.op(term));
}

#[test]
fn binary_operations() {
    for width in 1..=4 {
        for op in BINARY {
            let mut terms = Terms::new();
            let (x, y) = (terms.variable("x", Sort::BitVec(width)), terms.variable("y", Sort::BitVec(width)));
            let term = terms.apply(op, &[x, y]);
            // At width 1 some operations are rewritten to others; all others must stay unchanged.
            assert!(width == 1 || terms.op(term) == op, "{op:?} was rewritten without reason");
            let same = terms.apply(op, &[x, x]);
            let mut expected = Vec::new();
            for a in 0..1 << width {
                for b in 0..1 << width {
                    let values = [(x, bits(width, a)), (y, bits(width, b))];
                    let value = evaluate(&terms, term, &values);
                    let (p, q) = (terms.number(width, a), terms.number(width, b));
                    let folded = terms.apply(op, &[p, q]);
                    assert!(terms.is_constant(folded), "{op:?} of constants is a constant");
                    for form in [folded, terms.apply(op, &[x, q]), terms.apply(op, &[p, y])] {
                        assert_eq!(evaluate(&terms, form, &values), value, "{op:?} i{width} {a} {b}");
                    }
                    if a == b {
                        assert_eq!(evaluate(&terms, same, &values), value, "{op:?} i{width} {a} with itself");
                    }
                    expected.push((values.to_vec(), value));
                }
            }
            assert_z3_agrees(&mut terms, term, &expected);
        }
    }
}

#[test]
fn unary_operations_and_pieces() {
    for width in 1..=5 {
        let mut ops = vec![Op::BvNot, Op::BvNeg];
        ops.extend((width..=width + 3).flat_map(|to| [Op::ZExt(to), Op::SExt(to)]));
        ops.extend((0..width).flat_map(|low| (low..width).map(move |high| Op::Extract { high, low })));
        for op in ops {
            let mut terms = Terms::new();
            let x = terms.variable("x", Sort::BitVec(width));
            let term = terms.apply(op, &[x]);
            let mut expected = Vec::new();
            for a in 0..1 << width {
                let values = [(x, bits(width, a))];
                let value = evaluate(&terms, term, &values);
                let constant = terms.number(width, a);
                let folded = terms.apply(op, &[constant]);
                assert_eq!(literal(&mut terms, &value), folded, "{op:?} i{width} {a}");
                expected.push((values.to_vec(), value));
            }
            assert_z3_agrees(&mut terms, term, &expected);
        }
    }
}

#[test]
fn concatenation() {
    for (high, low) in [(1, 1), (2, 3), (4, 1)] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::BitVec(high)), terms.variable("y", Sort::BitVec(low)));
        let term = terms.concat(x, y);
        let mut expected = Vec::new();
        for (a, b) in (0..1 << high).flat_map(|a| (0..1 << low).map(move |b| (a, b))) {
            let values = vec![(x, bits(high, a)), (y, bits(low, b))];
            assert_eq!(evaluate(&terms, term, &values), bits(high + low, a << low | b));
            let (p, q) = (terms.number(high, a), terms.number(low, b));
            for form in [terms.concat(p, q), terms.concat(p, y), terms.concat(x, q)] {
                assert_eq!(evaluate(&terms, form, &values), bits(high + low, a << low | b));
            }
            expected.push((values, bits(high + low, a << low | b)));
        }
        assert_z3_agrees(&mut terms, term, &expected);
    }
}

#[test]
fn truth_values_and_choice() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.variable(name, Sort::Bool));
    let all = [terms.bool(false), terms.bool(true), x, y, z];
    let mut pool: Vec<(Term, [bool; 8])> = Vec::new();
    let table = |f: &dyn Fn(bool, bool, bool) -> bool| {
        std::array::from_fn(|row| f(row & 1 != 0, row & 2 != 0, row & 4 != 0))
    };
    pool.push((all[0], [false; 8]));
    pool.push((all[1], [true; 8]));
    pool.push((x, table(&|x, _, _| x)));
    pool.push((y, table(&|_, y, _| y)));
    pool.push((z, table(&|_, _, z| z)));
    // Two layers of all operations over the terms built so far.
    for _ in 0..2 {
        let old: Vec<_> = pool.iter().copied().take(24).collect();
        for &(a, u) in &old {
            pool.push((terms.not(a), u.map(|u| !u)));
            for &(b, v) in &old {
                pool.push((terms.and(a, b), std::array::from_fn(|i| u[i] && v[i])));
                pool.push((terms.or(a, b), std::array::from_fn(|i| u[i] || v[i])));
                pool.push((terms.xor(a, b), std::array::from_fn(|i| u[i] != v[i])));
                pool.push((terms.eq(a, b), std::array::from_fn(|i| u[i] == v[i])));
                pool.push((terms.implies(a, b), std::array::from_fn(|i| !u[i] || v[i])));
                for &(c, w) in &old[..8.min(old.len())] {
                    pool.push((terms.ite(a, b, c), std::array::from_fn(|i| if u[i] { v[i] } else { w[i] })));
                }
            }
        }
    }
    let mut wrong = Vec::new();
    for row in 0..8 {
        let values: Assignment = [(x, 1), (y, 2), (z, 4)]
            .map(|(variable, bit)| (variable, Value::Bool(row & bit != 0)))
            .into_iter()
            .collect();
        let mut evaluator = Evaluator::new(&terms, &values);
        for (term, table) in &pool {
            assert_eq!(evaluator.truth(*term), table[row], "{}", terms.to_smtlib(&[*term]));
        }
    }
    for (term, table) in pool.iter().step_by(7) {
        let rows = (0..8).filter(|&row| table[row]);
        let rows: Vec<Term> = rows
            .map(|row| {
                let literals = [(x, 1), (y, 2), (z, 4)];
                let literals = literals.map(|(v, bit)| if row & bit != 0 { v } else { terms.not(v) });
                terms.and_all(literals)
            })
            .collect();
        let meaning = terms.or_all(rows);
        wrong.push(terms.xor(*term, meaning));
    }
    let wrong = terms.or_all(wrong);
    assert_eq!(check(&terms, &[wrong], &Budget::default()).unwrap().answer, Answer::Unsat);
}

type Predicate = fn(&mut Terms, Term, Term) -> Term;
/// A name, the predicate, the exact operation, and whether it is signed.
type OverflowCase = (&'static str, Predicate, fn(i64, i64) -> i64, bool);

#[test]
fn overflow_predicates_are_about_the_integers() {
    let cases: [OverflowCase; 6] = [
        ("uadd", Terms::uadd_overflows, |a, b| a + b, false),
        ("usub", Terms::usub_overflows, |a, b| a - b, false),
        ("umul", Terms::umul_overflows, |a, b| a * b, false),
        ("sadd", Terms::sadd_overflows, |a, b| a + b, true),
        ("ssub", Terms::ssub_overflows, |a, b| a - b, true),
        ("smul", Terms::smul_overflows, |a, b| a * b, true),
    ];
    for width in 1..=5u32 {
        for (name, predicate, exact, signed) in cases {
            let mut terms = Terms::new();
            let (x, y) = (terms.variable("x", Sort::BitVec(width)), terms.variable("y", Sort::BitVec(width)));
            let term = predicate(&mut terms, x, y);
            let range = if signed { -(1i64 << (width - 1))..1 << (width - 1) } else { 0..1 << width };
            for a in range.clone() {
                for b in range.clone() {
                    let (p, q) = (terms.number(width, a as u128), terms.number(width, b as u128));
                    let values = [(x, bits(width, a as u128)), (y, bits(width, b as u128))];
                    let expected = Value::Bool(!range.contains(&exact(a, b)));
                    let forms = [
                        term,
                        predicate(&mut terms, p, q),
                        predicate(&mut terms, x, q),
                        predicate(&mut terms, p, y),
                    ];
                    for form in forms {
                        assert_eq!(evaluate(&terms, form, &values), expected, "{name} i{width} {a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn shifts_and_quotients_that_overflow() {
    for width in 1..=5u32 {
        let (smallest, largest) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
        for a in smallest..=largest {
            for b in smallest..=largest {
                let mut terms = Terms::new();
                let (p, q) = (terms.number(width, a as u128), terms.number(width, b as u128));
                let quotient = terms.sdiv_overflows(p, q);
                let exact = b != 0 && !(smallest..=largest).contains(&(a / b));
                assert_eq!(terms.as_bool(quotient), Some(exact), "i{width} {a} / {b}");
            }
            for amount in 0..width {
                let mut terms = Terms::new();
                let (p, q) = (terms.number(width, a as u128), terms.number(width, u128::from(amount)));
                let (signed, unsigned) = (terms.sshl_overflows(p, q), terms.ushl_overflows(p, q));
                let exact = a << amount;
                assert_eq!(terms.as_bool(signed), Some(!(smallest..=largest).contains(&exact)));
                let exact = (a & ((1 << width) - 1)) << amount;
                assert_eq!(terms.as_bool(unsigned), Some(exact >= 1 << width));
            }
        }
    }
}

#[test]
fn arrays_are_maps() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 2, element: 2 };
    let (memory, i, v) = (
        terms.variable("m", sort),
        terms.variable("i", Sort::BitVec(2)),
        terms.variable("v", Sort::BitVec(2)),
    );
    let j = terms.variable("j", Sort::BitVec(2));
    let stored = terms.store(memory, i, v);
    let loaded = terms.select(stored, j);
    let zeros = terms.number(2, 0);
    let zeros = terms.const_array(2, zeros);
    let is_zero = terms.eq(stored, zeros);
    let mut wrong = Vec::new();
    for content in 0..256u128 {
        let mut array = ArrayValue::constant(2, Bits::new(2, 3));
        let cell = |index: u128| content >> (2 * index) & 3;
        (0..4).for_each(|index| array.set(Bits::new(2, index), Bits::new(2, cell(index))));
        for (a, b, c) in (0..4).flat_map(|a| (0..4).flat_map(move |b| (0..4).map(move |c| (a, b, c)))) {
            let values = [(memory, array.clone().into()), (i, bits(2, a)), (v, bits(2, b)), (j, bits(2, c))];
            let expected = if a == c { b } else { cell(c) };
            assert_eq!(evaluate(&terms, loaded, &values), bits(2, expected));
            let all_zero = b == 0 && (0..4).all(|index| index == a || cell(index) == 0);
            assert_eq!(evaluate(&terms, is_zero, &values), Value::Bool(all_zero));
        }
    }
    // Z3 agrees: i == j loads v, i != j loads the old element, and zeros load as zero.
    let (same, old) = (terms.eq(i, j), terms.select(memory, j));
    let meaning = terms.ite(same, v, old);
    wrong.push(terms.ne(loaded, meaning));
    let zero = terms.number(2, 0);
    let nonzero = terms.ne(loaded, zero);
    wrong.push(terms.and(is_zero, nonzero));
    let wrong = terms.or_all(wrong);
    assert_eq!(check(&terms, &[wrong], &Budget::default()).unwrap().answer, Answer::Unsat);
}
