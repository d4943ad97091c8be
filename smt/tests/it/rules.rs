//! The rules that the encoder relies on apply: facts known when a term is built never reach the solver.

use backedge_smt::term::{Assignment, Bits, Evaluator, Op, Sort, Term, Terms, Value};

fn variables<const N: usize>(terms: &mut Terms, sort: Sort) -> [Term; N] {
    std::array::from_fn(|index| terms.variable(format!("v{index}"), sort))
}

#[test]
fn a_value_stored_in_bytes_and_loaded_is_the_value() {
    let mut terms = Terms::new();
    let mut memory = terms.variable("m", Sort::Array { index: 64, element: 8 });
    let [value] = variables(&mut terms, Sort::BitVec(32));
    let [address, elsewhere] = variables(&mut terms, Sort::BitVec(64));
    let place = |terms: &mut Terms, offset: u128| {
        let offset = terms.number(64, offset);
        terms.add(address, offset)
    };
    for byte in 0..4 {
        let (at, part) =
            (place(&mut terms, 100 + byte), terms.extract(value, 8 * byte as u32 + 7, 8 * byte as u32));
        memory = terms.store(memory, at, part);
    }
    // Adjacent stores do not hide the value, and a load elsewhere finds nothing.
    let (next, zero) = (place(&mut terms, 104), terms.number(8, 0));
    memory = terms.store(memory, next, zero);
    for highest_first in [true, false] {
        let parts: [Term; 4] = std::array::from_fn(|byte| {
            let at = place(&mut terms, 100 + byte as u128);
            terms.select(memory, at)
        });
        let loaded = if highest_first {
            parts[..3].iter().rev().fold(parts[3], |sum, &part| terms.concat(sum, part))
        } else {
            parts[1..].iter().fold(parts[0], |sum, &part| terms.concat(part, sum))
        };
        assert_eq!(loaded, value);
    }
    let other = terms.select(memory, elsewhere);
    assert_eq!((terms.op(other), terms.args(other)), (Op::Select, &[memory, elsewhere][..]));
}

#[test]
fn places_of_one_block_at_different_offsets_are_different() {
    let mut terms = Terms::new();
    let memory = terms.variable("m", Sort::Array { index: 80, element: 8 });
    let [block, other] = variables(&mut terms, Sort::BitVec(16));
    let [offset] = variables(&mut terms, Sort::BitVec(64));
    let [value] = variables(&mut terms, Sort::BitVec(8));
    let place = |terms: &mut Terms, block: Term, by: u128| {
        let by = terms.number(64, by);
        let offset = terms.add(offset, by);
        terms.concat(block, offset)
    };
    let (at, next) = (place(&mut terms, block, 0), place(&mut terms, block, 8));
    let (elsewhere, maybe) = (place(&mut terms, other, 8), place(&mut terms, other, 0));
    let stored = terms.store(memory, at, value);
    for (index, through) in [(next, true), (elsewhere, true), (maybe, false), (at, false)] {
        let (read, before) = (terms.select(stored, index), terms.select(memory, index));
        assert_eq!(read == before, through, "{index:?}");
    }
    assert_eq!(terms.select(stored, at), value);
}

/// A whole pointer differs from a pointer into the same block some bytes later.
#[test]
fn a_pointer_differs_from_a_later_one_in_its_block() {
    let mut terms = Terms::new();
    terms.distinguish_parts();
    let [pointer] = variables(&mut terms, Sort::BitVec(80));
    let (block, offset) = (terms.extract(pointer, 79, 64), terms.extract(pointer, 63, 0));
    let beside = |terms: &mut Terms, by: u128| {
        let by = terms.number(64, by);
        let offset = terms.add(offset, by);
        terms.concat(block, offset)
    };
    let (next, itself) = (beside(&mut terms, 4), beside(&mut terms, 0));
    assert_eq!(itself, pointer);
    for (a, b) in [(pointer, next), (next, pointer)] {
        let same = terms.eq(a, b);
        assert_eq!(terms.as_bool(same), Some(false));
    }
    // Swapped parts decide nothing, and neither do parts of another term.
    let [other] = variables(&mut terms, Sort::BitVec(80));
    let apart = terms.eq(other, next);
    assert_eq!(terms.as_bool(apart), None);
    let [pair] = variables(&mut terms, Sort::BitVec(128));
    let (high, low) = (terms.extract(pair, 127, 64), terms.extract(pair, 63, 0));
    let one = terms.number(64, 1);
    let more = terms.add(high, one);
    let swapped = terms.concat(low, more);
    let may_be = terms.eq(pair, swapped);
    assert_eq!(terms.as_bool(may_be), None);
}

#[test]
fn pieces_that_overlap_or_leave_a_gap_do_not_join() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, Sort::BitVec(8));
    for (high, low) in [((7, 4), (4, 0)), ((7, 5), (3, 0)), ((3, 0), (7, 4))] {
        let (a, b) = (terms.extract(x, high.0, high.1), terms.extract(x, low.0, low.1));
        let whole = terms.concat(a, b);
        assert_eq!(terms.op(whole), Op::Concat);
    }
    let (a, b) = (terms.extract(x, 7, 4), terms.extract(y, 3, 0));
    let (mixed, half) = (terms.concat(a, b), terms.concat(a, a));
    assert_eq!(terms.op(mixed), Op::Concat);
    // Split at different positions: neither decided nor split.
    let (c, d) = (terms.extract(x, 7, 2), terms.extract(y, 1, 0));
    let other = terms.concat(c, d);
    let (equal, split) = (terms.eq(mixed, other), terms.eq(mixed, half));
    let low = terms.eq(b, a);
    assert_eq!(terms.op(equal), Op::Eq);
    assert_eq!(split, low);
}

#[test]
fn a_truth_value_survives_the_way_through_a_bit() {
    let mut terms = Terms::new();
    let [condition] = variables(&mut terms, Sort::Bool);
    let bit = terms.bool_to_bit(condition);
    let (wide, signed) = (terms.zext(bit, 32), terms.sext(bit, 32));
    for form in [bit, wide, signed] {
        assert_eq!(terms.is_nonzero(form), condition);
    }
    let back = terms.extract(wide, 0, 0);
    assert_eq!(back, bit);
    let [x] = variables(&mut terms, Sort::BitVec(1));
    let holds = terms.is_nonzero(x);
    assert_eq!(terms.bool_to_bit(holds), x);
}

#[test]
fn sums_gather_their_constants() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, Sort::BitVec(8));
    let (three, five, eight) = (terms.number(8, 3), terms.number(8, 5), terms.number(8, 8));
    let (a, b) = (terms.add(x, three), terms.add(five, y));
    let (sum, plain) = (terms.add(a, b), terms.add(x, y));
    assert_eq!(sum, terms.add(plain, eight));
    let back = terms.sub(sum, y);
    let expected = terms.add(x, eight);
    assert_eq!(back, expected);
    assert_eq!(terms.sub(back, expected), terms.number(8, 0));
    let (equal, never) = (terms.eq(a, eight), terms.eq(a, x));
    assert_eq!(equal, terms.eq(x, five));
    assert_eq!(terms.as_bool(never), Some(false));
}

#[test]
fn paths_that_exclude_each_other_fold() {
    let mut terms = Terms::new();
    let [a, b, c] = variables(&mut terms, Sort::Bool);
    let not_a = terms.not(a);
    let (left, right) = (terms.and(a, b), terms.and(not_a, b));
    assert_eq!(terms.and(left, not_a), terms.bool(false));
    assert_eq!(terms.and(left, a), left);
    assert_eq!(terms.or(left, a), a);
    let (joined, either) = (terms.or(a, right), terms.or(a, b));
    assert_eq!(joined, either);
    let inner = terms.ite(a, b, c);
    let nested = terms.ite(a, inner, c);
    assert_eq!(nested, inner);
}

#[test]
fn overflow_with_a_constant_is_a_comparison() {
    let mut terms = Terms::new();
    let [x] = variables(&mut terms, Sort::BitVec(64));
    let (one, four) = (terms.number(64, 1), terms.number(64, 4));
    let largest = terms.constant(Bits::signed_max(64));
    let signed = terms.sadd_overflows(x, one);
    assert_eq!(signed, terms.eq(x, largest), "x + 1 overflows at the largest number only");
    let product = terms.umul_overflows(x, four);
    assert_eq!(terms.op(product), Op::Ult);
}

/// The address of the next element is this element's address plus the element size, however it is computed.
#[test]
fn products_of_terms_a_constant_apart_are_a_constant_apart() {
    let mut terms = Terms::new();
    let [index, base] = variables(&mut terms, Sort::BitVec(64));
    let [one, four] = [1, 4].map(|number| terms.number(64, number));
    let address = |terms: &mut Terms, index: Term| {
        let offset = terms.mul(index, four);
        terms.add(base, offset)
    };
    let here = address(&mut terms, index);
    let next = terms.add(index, one);
    let (next, beside) = (address(&mut terms, next), terms.add(here, four));
    assert_eq!(next, beside);
    // This holds modulo 2^64 too.
    let (far, times) = (terms.number(64, 1 << 63), terms.number(64, 6));
    let sum = terms.add(index, far);
    assert_eq!(terms.mul(sum, times), terms.mul(index, times));
}

/// The truth of `term` for each value of `variable`.
fn truths(terms: &Terms, term: Term, variable: Term) -> Vec<bool> {
    let width = terms.width(variable);
    let truth = |number: u128| {
        let model = Assignment::from_iter([(variable, Value::Bits(Bits::new(width, number)))]);
        Evaluator::new(terms, &model).truth(term)
    };
    (0..1 << width).map(truth).collect()
}

/// Checks all constants at all small widths: if all values of the narrow width lie on one side, the comparison folds.
#[test]
fn extended_terms_compare_with_constants_by_their_narrow_range() {
    for (narrow, wide) in (1..4).flat_map(|narrow| (narrow + 1..6).map(move |wide| (narrow, wide))) {
        for (signed, number) in [false, true].into_iter().flat_map(|s| (0..1 << wide).map(move |n| (s, n))) {
            let mut terms = Terms::new();
            terms.compare_by_width();
            let [x] = variables(&mut terms, Sort::BitVec(narrow));
            let extended = if signed { terms.sext(x, wide) } else { terms.zext(x, wide) };
            let constant = terms.number(wide, number);
            let limit = Bits::new(wide, number);
            let value = |n: u128| {
                let bits = Bits::new(narrow, n);
                if signed { bits.sext(wide) } else { bits.zext(wide) }
            };
            for (a, b) in [(extended, constant), (constant, extended)] {
                let first = a == extended;
                let (unsigned_less, signed_less) = (terms.ult(a, b), terms.slt(a, b));
                for (less, compare) in
                    [(unsigned_less, Bits::ucmp as fn(&Bits, &Bits) -> _), (signed_less, Bits::scmp)]
                {
                    let expected = |n: u128| {
                        let order = compare(&value(n), &limit);
                        if first { order.is_lt() } else { order.is_gt() }
                    };
                    let expected: Vec<bool> = (0..1 << narrow).map(expected).collect();
                    let what = format!("{signed} {narrow} to {wide}, {first}, {number}");
                    assert_eq!(truths(&terms, less, x), expected, "{what}");
                    // Unsigned comparisons of sign-extended terms are left to the solver.
                    let known = expected.iter().all(|is| *is == expected[0]).then_some(expected[0]);
                    if !(signed && less == unsigned_less) {
                        assert_eq!(terms.as_bool(less), known, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn one_bit_of_and_and_or_is_a_truth_of_two() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, Sort::BitVec(1));
    let (both, either) = (terms.bv_and(x, y), terms.bv_or(x, y));
    for (number, set) in [(1, true), (0, false)] {
        let constant = terms.number(1, number);
        for (joined, conjoined) in [(both, true), (either, false)] {
            let is = terms.eq(joined, constant);
            let (own, other) = (terms.is_nonzero(x), terms.is_nonzero(y));
            let truth = if conjoined { terms.and(own, other) } else { terms.or(own, other) };
            assert_eq!(is, if set { truth } else { terms.not(truth) });
            for values in 0..4u128 {
                let bit = |at: u32| values >> at & 1 == 1;
                let numbers = [(x, bit(0)), (y, bit(1))];
                let numbers = numbers.map(|(var, is)| (var, Value::Bits(Bits::new(1, is.into()))));
                let model = Assignment::from_iter(numbers);
                let joined = if conjoined { bit(0) && bit(1) } else { bit(0) || bit(1) };
                assert_eq!(Evaluator::new(&terms, &model).truth(is), joined == set, "{values:b}");
            }
        }
    }
    // With more bits, the operands are not truth values.
    let [v, w] = variables(&mut terms, Sort::BitVec(2));
    for joined in [terms.bv_and(v, w), terms.bv_or(v, w)] {
        let one = terms.number(2, 1);
        let is = terms.eq(joined, one);
        assert_eq!(terms.op(is), Op::Eq);
    }
}
