//! Places in memory that are never the same, or always: what loads of one array give past stores to another one.
//!
//! A read of memory that was written is a choice by which places are the same ([`World::read`](crate::encode::world::World)):
//! those of which the block is the same and the offset. Offsets are sums, and the difference of two is one of fewer summands
//! mostly: where nothing but a number is left, it is known whether they are the same. Of others it is asked once, of all
//! places at once whose offsets differ by the same sum and a number, whether any of them can be the same; where what is given
//! of numbers and addresses rules that out, none is. That two stretches of addresses have none in common where a program has
//! checked it is told by rule ([`Alike::by_check`]): the solver takes a million units for it, bit by bit.
//!
//! Memory that was written by both sides at the same places is compared write by write then.

use crate::encode::world::{BLOCK_BITS, OFFSET_BITS, POINTER_BITS};
use crate::proof::decide::plain::conjuncts;
use crate::term::{Bits, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Limit on the differences of offsets that are asked about: each is a query.
const MANY_DIFFERENCES: usize = 12;
/// Constants that differ by this many bytes or more are not asked about together: one range would cover nearly
/// everything.
const FAR: i64 = 1 << 20;
/// Limit on the summands of a difference of two offsets: with more, it is seldom known to be nonzero.
const MANY_SUMMANDS: usize = 16;
/// Limit on the elements of one array whose indices are compared pair by pair.
const MANY_ELEMENTS: usize = 8;
/// Limit on the writes that are compared one by one, pair by pair; writes in the same order on both sides are always
/// compared.
const MANY_WRITES: usize = 256;
/// Limit on the variables of a condition that is added to a question about two places: a condition on more variables
/// implies little about them.
const MANY_VARIABLES: usize = 8;

/// A sum of multiples, without a constant.
type Sum = Vec<(Term, u64)>;

/// The least and the greatest number, and the truths.
type Numbered = (i64, i64, Vec<Term>);

/// That places are the same: the blocks, unless they are known to be, and which sum is which number.
struct Same {
    blocks: Option<(Term, Term)>,
    sum: Sum,
    number: i64,
}

/// Places whose offsets differ by one sum and a number.
pub(in crate::proof) struct Alike {
    blocks: Option<(Term, Term)>,
    sum: Sum,
    from: i64,
    to: i64,
    /// The truths that say that they are the same.
    pub(in crate::proof) truths: Vec<Term>,
}

/// What `roots` choose by which places are the same, and `others` say of that: what is known at once, and what is open.
pub(in crate::proof) fn asked(
    terms: &mut Terms,
    roots: &[Term],
    others: Vec<Term>,
) -> (FxHashMap<Term, Term>, Vec<Alike>) {
    let mut known = FxHashMap::default();
    let mut open: BTreeMap<(Option<(Term, Term)>, Sum), Numbered> = BTreeMap::new();
    let chosen = terms.cone(roots).into_iter().filter(|t| matches!(terms.op(*t), Op::Ite));
    let mut tests: Vec<Term> = chosen.map(|t| terms.args(t)[0]).chain(others).collect();
    tests.sort_unstable();
    tests.dedup();
    for test in tests {
        let Some(same) = same(terms, test) else { continue };
        if same.sum.is_empty() {
            let is = if same.number != 0 {
                terms.bool(false)
            } else {
                match same.blocks {
                    Some((a, b)) => terms.eq(a, b),
                    None => terms.bool(true),
                }
            };
            known.insert(test, is);
            continue;
        }
        if same.number.unsigned_abs() >= FAR as u64 {
            continue;
        }
        let entry = open.entry((same.blocks, same.sum)).or_insert((same.number, same.number, Vec::new()));
        *entry = (entry.0.min(same.number), entry.1.max(same.number), std::mem::take(&mut entry.2));
        entry.2.push(test);
    }
    let open = open.into_iter().take(MANY_DIFFERENCES);
    let alike = |((blocks, sum), (from, to, truths))| Alike { blocks, sum, from, to, truths };
    (known, open.map(alike).collect())
}
/// What `test` says of places, if it is said of some that they are the same.
fn same(terms: &Terms, test: Term) -> Option<Same> {
    let equation = |term: Term, width: u32| {
        let args = terms.args(term);
        let fits = terms.op(term) == Op::Eq && terms.sort(args[0]) == Sort::BitVec(width);
        fits.then(|| (args[0], args[1]))
    };
    let (blocks, offsets) = match terms.op(test) {
        Op::And => {
            let [a, b] = [terms.args(test)[0], terms.args(test)[1]];
            let both = |a, b| Some((equation(a, BLOCK_BITS)?, equation(b, OFFSET_BITS)?));
            let (blocks, offsets) = both(a, b).or_else(|| both(b, a))?;
            (Some(blocks), offsets)
        }
        _ => (None, equation(test, OFFSET_BITS)?),
    };
    let (sum, number) = difference(terms, offsets)?;
    Some(Same { blocks: blocks.map(|(a, b)| (a.min(b), a.max(b))), sum, number })
}
/// The sum and the number that are the same if both offsets are.
fn difference(terms: &Terms, (a, b): (Term, Term)) -> Option<(Sum, i64)> {
    let (mut sum, constant) = linear(terms, a, b)?;
    // One sign of the two, that a difference is the same from both sides.
    let turned = sum.first().is_some_and(|s| s.1 > s.1.wrapping_neg());
    if turned {
        sum = negated(&sum);
    }
    let number = if turned { constant } else { constant.wrapping_neg() };
    Some((sum, number as i64))
}
/// What is left of `a - b`: a sum, and the number that is added.
fn linear(terms: &Terms, a: Term, b: Term) -> Option<(Sum, u64)> {
    let mut summands: BTreeMap<Term, u64> = BTreeMap::new();
    let mut constant: u64 = 0;
    let mut work = vec![(a, 1u64), (b, 1u64.wrapping_neg())];
    let number = |term: Term| terms.as_bits(term).and_then(Bits::to_u128).map(|n| n as u64);
    while let Some((term, factor)) = work.pop() {
        if work.len() + summands.len() > MANY_SUMMANDS {
            return None;
        }
        if let Some(number) = number(term) {
            constant = constant.wrapping_add(factor.wrapping_mul(number));
            continue;
        }
        let args = terms.args(term);
        match terms.op(term) {
            Op::Add => work.extend([(args[0], factor), (args[1], factor)]),
            Op::BvNeg => work.push((args[0], factor.wrapping_neg())),
            Op::Mul if number(args[1]).is_some() => {
                work.push((args[0], factor.wrapping_mul(number(args[1]).unwrap_or(0))));
            }
            _ => {
                let sum = summands.entry(term).or_insert(0);
                *sum = sum.wrapping_add(factor);
            }
        }
    }
    Some((summands.into_iter().filter(|s| s.1 != 0).collect(), constant))
}
fn negated(sum: &Sum) -> Sum {
    sum.iter().map(|(term, factor)| (*term, factor.wrapping_neg())).collect()
}
/// The sum as a term, with a number added.
fn sum_term(terms: &mut Terms, sum: &Sum, constant: u64) -> Term {
    let mut total = terms.number(OFFSET_BITS, constant.into());
    for &(term, factor) in sum {
        let factor = terms.number(OFFSET_BITS, factor.into());
        let summand = terms.mul(term, factor);
        total = terms.add(total, summand);
    }
    total
}

/// Two stretches of addresses of which it is given that neither wraps around and that they have none in common: where each
/// starts, and its last one.
pub(in crate::proof) struct Checked {
    starts: (Term, Term),
    lasts: (Term, Term),
}

/// The checks that are given: `first.last < second.start` or `second.last < first.start`, and no last one below its start.
pub(in crate::proof) fn checked(terms: &mut Terms, given: &[Term]) -> Vec<Checked> {
    let all = conjuncts(terms, given);
    let known: FxHashSet<Term> = all.iter().copied().collect();
    let mut found = Vec::new();
    for term in all {
        if terms.op(term) != Op::Or {
            continue;
        }
        let [one, other] = [terms.args(term)[0], terms.args(term)[1]];
        if terms.op(one) != Op::Ult || terms.op(other) != Op::Ult {
            continue;
        }
        let [second_last, first] = [terms.args(one)[0], terms.args(one)[1]];
        let [first_last, second] = [terms.args(other)[0], terms.args(other)[1]];
        if terms.width(first) != OFFSET_BITS {
            continue;
        }
        let rises = [terms.ule(first, first_last), terms.ule(second, second_last)];
        if rises.iter().all(|r| terms.as_bool(*r) == Some(true) || known.contains(r)) {
            found.push(Checked { starts: (first, second), lasts: (first_last, second_last) });
        }
    }
    found
}

impl Alike {
    /// That none of the places are the same, nor others between them.
    pub(in crate::proof) fn never(&self, terms: &mut Terms) -> Term {
        let same = match self.blocks {
            Some((a, b)) => terms.eq(a, b),
            None => terms.bool(true),
        };
        let sum = sum_term(terms, &self.sum, (self.from as u64).wrapping_neg());
        let most = terms.number(OFFSET_BITS, (self.to - self.from) as u128);
        let near = terms.ule(sum, most);
        let meet = terms.and(same, near);
        terms.not(meet)
    }
    /// What suffices for none of the places to be the same where one of `checks` is given: how long the stretches are at least.
    ///
    /// Let one stretch be from `a` to `a + k` and the other one from `b` to `b + m`, and neither wrap around. Where the second
    /// one ends below the first one, `a - b` is more than `m`, as a number that does not wrap around either, and at most
    /// `2^64 - 1 - k`; where it is the other way around, `b - a` is more than `k` and at most `2^64 - 1 - m`, so that `a - b`
    /// modulo `2^64` is more than `m` and at most `2^64 - 1 - k` again. So it is none of `0` to `m` and none of `-k` to `-1`.
    pub(in crate::proof) fn by_check(&self, terms: &mut Terms, checks: &[Checked]) -> Option<Term> {
        for check in checks {
            let mut starts = vec![check.starts.0, check.starts.1];
            if let Some((a, b)) = self.blocks {
                // Places are the same only where the blocks are, and then so are the addresses that these lie at.
                let same: FxHashMap<Term, Term> = FxHashMap::from_iter([(b, a)]);
                starts = terms.substitute_all(&starts, &same);
            }
            let Some((sum, constant)) = linear(terms, starts[0], starts[1]) else { continue };
            let constant = constant as i64;
            if constant.unsigned_abs() >= FAR as u64 {
                continue;
            }
            // `a - b` is the sum and the constant.
            let (from, to) = if sum == self.sum {
                (self.from + constant, self.to + constant)
            } else if negated(&sum) == self.sum {
                (constant - self.to, constant - self.from)
            } else {
                continue;
            };
            let (Some(first), Some(second)) =
                (linear(terms, check.lasts.0, check.starts.0), linear(terms, check.lasts.1, check.starts.1))
            else {
                continue;
            };
            let first = sum_term(terms, &first.0, first.1);
            let second = sum_term(terms, &second.0, second.1);
            let least = |terms: &mut Terms, number: i64| terms.number(OFFSET_BITS, number.max(0) as u128);
            let (below, above) = (least(terms, from.saturating_neg()), least(terms, to));
            let (below, above) = (terms.ule(below, first), terms.ule(above, second));
            return Some(terms.and(below, above));
        }
        None
    }
}

/// What of `given` may say whether `claim` holds, without memory: elements of arrays are any numbers, the same ones where
/// their indices are the same. What follows from it follows from what is given. What speaks of other variables than the
/// claim's is left out, but for those that conditions on few variables connect with these if it is `wide`.
pub(in crate::proof) fn near(terms: &mut Terms, given: &[Term], claim: Term, wide: bool) -> Vec<Term> {
    let all = conjuncts(terms, given);
    let (plain, elements) = without_memory(terms, all);
    let plain = terms.substitute_all(&plain, &elements);
    let mut own: FxHashSet<Term> = terms.variables(&[claim]).into_iter().collect();
    let with: Vec<(Term, Vec<Term>)> = plain.iter().map(|c| (*c, terms.variables(&[*c]))).collect();
    let touching: Vec<Term> = with
        .iter()
        .filter(|(_, variables)| wide && variables.len() <= MANY_VARIABLES)
        .filter(|(_, variables)| variables.iter().any(|v| own.contains(v)))
        .flat_map(|(_, variables)| variables.iter().copied())
        .collect();
    own.extend(touching);
    let inside = |variables: &[Term]| variables.iter().all(|v| own.contains(v));
    with.into_iter().filter(|(_, variables)| inside(variables)).map(|(c, _)| c).collect()
}
/// Those of `all` that depend on no array but by its elements, what is known of these, and variables for them.
fn without_memory(terms: &mut Terms, all: Vec<Term>) -> (Vec<Term>, FxHashMap<Term, Term>) {
    let mut elements: FxHashMap<Term, Term> = FxHashMap::default();
    let mut of_array: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    let mut on_arrays: FxHashSet<Term> = FxHashSet::default();
    for term in terms.cone(&all) {
        let args = terms.args(term).to_vec();
        let is_element = terms.op(term) == Op::Select && matches!(terms.op(args[0]), Op::Var(_));
        if is_element && !on_arrays.contains(&args[1]) {
            let element = terms.variable("element", terms.sort(term));
            elements.insert(term, element);
            of_array.entry(args[0]).or_default().push(term);
            continue;
        }
        let is_array = matches!(terms.sort(term), Sort::Array { .. });
        if is_array || args.iter().any(|a| on_arrays.contains(a)) {
            on_arrays.insert(term);
        }
    }
    let mut plain: Vec<Term> = all.into_iter().filter(|c| !on_arrays.contains(c)).collect();
    for list in of_array.values().filter(|list| list.len() <= MANY_ELEMENTS) {
        for (i, &a) in list.iter().enumerate() {
            for &b in &list[i + 1..] {
                let (x, y) = (terms.args(a)[1], terms.args(b)[1]);
                let (index, element) = (terms.eq(x, y), terms.eq(a, b));
                plain.push(terms.implies(index, element));
            }
        }
    }
    (plain, elements)
}

/// Two memories that are one at a place: what was written to both, and what is there where it is none of that.
struct Written {
    first: Vec<Write>,
    second: Vec<Write>,
    below: (Term, Term),
}
/// A place, and what was written there.
type Write = (Term, Term);

/// That `goal` says that two memories have one byte at a place, if it is that.
fn written(terms: &Terms, goal: Term) -> Option<Written> {
    let ends = |test: Term| {
        let sides = terms.args(test);
        let fits = terms.op(test) == Op::Eq && terms.sort(sides[0]) == Sort::BitVec(POINTER_BITS);
        fits.then(|| [sides[0], sides[1]])
    };
    let is_var = |term: &Term| matches!(terms.op(*term), Op::Var(_));
    if terms.op(goal) != Op::Eq {
        return None;
    }
    let [a, b] = [terms.args(goal)[0], terms.args(goal)[1]];
    let looked_at = |byte: Term| (terms.op(byte) == Op::Ite).then(|| ends(terms.args(byte)[0])).flatten();
    let (own, theirs) = (looked_at(a)?, looked_at(b)?);
    let place = own.into_iter().find(|t| is_var(t) && theirs.contains(t))?;
    // The writes, the last one first.
    let writes = |byte: Term| {
        let (mut found, mut at) = (Vec::new(), byte);
        while let Some([x, y]) = looked_at(at).filter(|ends| ends.contains(&place)) {
            let [value, below] = [terms.args(at)[1], terms.args(at)[2]];
            found.push((if x == place { y } else { x }, value));
            at = below;
        }
        (found, at)
    };
    let ((first, rest), (second, other)) = (writes(a), writes(b));
    (first.len() == second.len()).then_some(Written { first, second, below: (rest, other) })
}
/// The truths that places which are written to are the same, if it matters to whether `goal` holds.
pub(in crate::proof) fn tests_of_writes(terms: &mut Terms, goal: Term) -> Vec<Term> {
    let Some(written) = written(terms, goal) else { return Vec::new() };
    if written.first.len() > MANY_WRITES || is_in_order(&written) {
        return Vec::new();
    }
    let places: Vec<Term> = written.first.iter().map(|w| w.0).collect();
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[i + 1..].iter().map(|b| (*a, *b)));
    pairs.map(|(a, b)| terms.eq(a, b)).collect()
}
/// What suffices for `goal` to hold if it says that two memories have one byte at a place: that the same was written at the
/// same places, in an order that is the same or, with what is `known`, does not matter, to memories that are the same there.
pub(in crate::proof) fn write_by_write(
    terms: &mut Terms,
    goal: Term,
    known: &FxHashMap<Term, Term>,
) -> Option<Term> {
    let written = written(terms, goal)?;
    let Written { first, second, below: (rest, other) } = &written;
    let mut goals = vec![terms.eq(*rest, *other)];
    if is_in_order(&written) {
        for (a, b) in first.iter().zip(second) {
            goals.push(terms.eq(a.1, b.1));
        }
        return Some(terms.and_all(goals));
    }
    if first.len() > MANY_WRITES || !all_apart(terms, first, known) {
        return None;
    }
    // With as many on both sides, and none twice on the first one, these are all of the second one.
    let values: FxHashMap<Term, Term> = second.iter().copied().collect();
    if values.len() < second.len() {
        return None;
    }
    for (place, value) in first {
        goals.push(terms.eq(*value, *values.get(place)?));
    }
    Some(terms.and_all(goals))
}
fn is_in_order(written: &Written) -> bool {
    written.first.iter().zip(&written.second).all(|(a, b)| a.0 == b.0)
}
/// Whether the places of writes are all different.
fn all_apart(terms: &mut Terms, writes: &[Write], known: &FxHashMap<Term, Term>) -> bool {
    let mut differ = |a: Term, b: Term| {
        let same = terms.eq(a, b);
        let same = known.get(&same).copied().unwrap_or(same);
        terms.as_bool(same) == Some(false)
    };
    writes.iter().enumerate().all(|(i, a)| writes[i + 1..].iter().all(|b| differ(a.0, b.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{ArrayValue, Assignment, Evaluator, Value};

    /// A place of a block and an offset.
    fn place(terms: &mut Terms, block: Term, offset: Term, by: u64) -> Term {
        let by = terms.number(OFFSET_BITS, by.into());
        let offset = terms.add(offset, by);
        terms.concat(block, offset)
    }
    /// What is told of whether places of `offsets` in one block are the same, by what is asked where one of two is chosen.
    fn told(terms: &mut Terms, offsets: [Term; 2]) -> Option<bool> {
        let block = terms.variable("block", Sort::BitVec(BLOCK_BITS));
        let (a, b) = (place(terms, block, offsets[0], 0), place(terms, block, offsets[1], 0));
        let same = terms.eq(a, b);
        let (one, other) = (terms.number(8, 1), terms.number(8, 2));
        let chosen = terms.ite(same, one, other);
        let (known, _) = asked(terms, &[chosen], Vec::new());
        known.get(&same).and_then(|is| terms.as_bool(*is))
    }

    #[test]
    fn sums_of_the_same_summands_are_told_from_each_other_by_their_constants() {
        let mut terms = Terms::new();
        let [x, y] = [0; 2].map(|_| terms.variable("x", Sort::BitVec(OFFSET_BITS)));
        let four = terms.number(OFFSET_BITS, 4);
        let (scaled, sum) = (terms.mul(y, four), terms.add(x, y));
        // x + y + 4y in two orders, one of them 4 larger or the same.
        let left = terms.add(sum, scaled);
        let inner = terms.add(scaled, x);
        let right = terms.add(inner, y);
        let more = terms.add(right, four);
        assert_eq!(told(&mut terms, [left, more]), Some(false));
        assert_eq!(told(&mut terms, [left, right]), Some(true));
        assert_eq!(told(&mut terms, [left, sum]), None);
    }

    #[test]
    fn stretches_that_a_check_tells_apart_have_no_address_in_common() {
        // In eight bits all there are, as numbers: the rule is the same at any width.
        for (a, k) in (0..=255u32).flat_map(|a| [0, 1, 7, 31].map(|k| (a, k))).filter(|(a, k)| a + k < 256) {
            for (b, m) in (0..=255u32).flat_map(|b| [0, 2, 30].map(|m| (b, m))).filter(|(b, m)| b + m < 256) {
                if b + m < a || a + k < b {
                    let by = (a + 256 - b) % 256;
                    assert!(by > m && by < 256 - k, "{a} to {}, {b} to {}", a + k, b + m);
                }
            }
        }
    }

    #[test]
    fn a_rule_about_a_check_asks_for_as_much_as_it_says() {
        let mut terms = Terms::new();
        let [a, b, long] = ["a", "b", "long"].map(|name| terms.variable(name, Sort::BitVec(OFFSET_BITS)));
        let (a_last, b_last) = (terms.add(a, long), terms.add(b, long));
        let (below, above) = (terms.ult(b_last, a), terms.ult(a_last, b));
        let given = [terms.ule(a, a_last), terms.ule(b, b_last), terms.or(below, above)];
        assert_eq!(checked(&mut terms, &given).len(), 1);
        // Without either of them it is no check.
        for left_out in 0..given.len() {
            let rest: Vec<Term> = (0..given.len()).filter(|i| *i != left_out).map(|i| given[i]).collect();
            assert!(checked(&mut terms, &rest).is_empty());
        }
        let checks = checked(&mut terms, &given);
        let (sum, number) = difference(&terms, (a, b)).expect("a sum");
        assert_eq!(number, 0);
        let alike = Alike { blocks: None, sum, from: -12, to: 20, truths: Vec::new() };
        let claim = alike.by_check(&mut terms, &checks).expect("a rule");
        for (length, is) in [(19, false), (20, true), (11, false), (0, false)] {
            let mut model = Assignment::new();
            model.set(long, Value::Bits(Bits::new(OFFSET_BITS, length)));
            let holds = Evaluator::new(&terms, &model).truth(claim);
            // Which of the two distances is which depends on the order of the terms.
            assert_eq!(holds, is, "{length}");
        }
    }

    /// Two arrays of which a program has checked that the stretches of them it goes through are apart, in numbers near the
    /// ends and near each other: where the check and what the rule asks for hold, no places are the same; where the stretches
    /// are too short for the places asked about, some are.
    #[test]
    fn places_in_stretches_that_a_check_tells_apart_are_never_the_same() {
        let mut terms = Terms::new();
        let bases = terms.variable("base", Sort::Array { index: BLOCK_BITS, element: OFFSET_BITS });
        let [p, q] = ["p", "q"].map(|name| terms.variable(name, Sort::BitVec(BLOCK_BITS)));
        let numbers = ["a", "b", "k", "m"].map(|name| terms.variable(name, Sort::BitVec(OFFSET_BITS)));
        let [a, b, k, m] = numbers;
        let address = |terms: &mut Terms, block: Term, offset: Term| {
            let base = terms.select(bases, block);
            terms.add(base, offset)
        };
        let starts = [address(&mut terms, p, a), address(&mut terms, q, b)];
        let lasts = [terms.add(starts[0], k), terms.add(starts[1], m)];
        let (below, above) = (terms.ult(lasts[1], starts[0]), terms.ult(lasts[0], starts[1]));
        let apart = terms.or(below, above);
        let given = [terms.ule(starts[0], lasts[0]), terms.ule(starts[1], lasts[1]), apart];
        let checks = checked(&mut terms, &given);
        assert_eq!(checks.len(), 1);
        // The first four bytes of one array against the first two of the other one.
        let tests: Vec<Term> = (0..4u64)
            .flat_map(|i| (0..2u64).map(move |j| (i, j)))
            .map(|(i, j)| {
                let (x, y) = (place(&mut terms, p, a, i), place(&mut terms, q, b, j));
                terms.eq(x, y)
            })
            .collect();
        let chosen: Vec<Term> = tests.iter().map(|test| terms.ite(*test, k, m)).collect();
        let (known, open) = asked(&mut terms, &chosen, Vec::new());
        let distinct: FxHashSet<Term> = tests.iter().copied().collect();
        assert_eq!((known.len(), open.len(), open[0].truths.len()), (0, 1, distinct.len()));
        let claim = open[0].by_check(&mut terms, &checks).expect("a rule");
        let (mut proved, mut wrong) = (0, 0);
        let far = u64::MAX - 7;
        let values = [0, 1, 2, 3, 4, 5, 100, far, far + 4, far + 7];
        for (x, y, base) in values
            .iter()
            .flat_map(|x| values.iter().flat_map(|y| [(*x, *y, 0), (*x, *y, 1 << 40)].into_iter()))
        {
            for (long, short) in [0, 1, 2, 3, 4].into_iter().flat_map(|k| [0, 1, 2, 3].map(|m| (k, m))) {
                let mut model = Assignment::new();
                let blocks = Bits::new(BLOCK_BITS, 7);
                model.set(p, Value::Bits(blocks.clone()));
                model.set(q, Value::Bits(blocks));
                let base = ArrayValue::constant(BLOCK_BITS, Bits::new(OFFSET_BITS, base));
                model.set(bases, base.into());
                for (variable, number) in numbers.into_iter().zip([x, y, long, short]) {
                    model.set(variable, Value::Bits(Bits::new(OFFSET_BITS, number.into())));
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                if !given.iter().all(|g| evaluator.truth(*g)) {
                    continue;
                }
                let meet = open[0].truths.iter().any(|t| evaluator.truth(*t));
                if evaluator.truth(claim) {
                    assert!(!meet, "{x} to {long} on, {y} to {short} on");
                    proved += 1;
                }
                wrong += u32::from(meet);
            }
        }
        assert!(proved > 0 && wrong > 0, "{proved} and {wrong}");
    }
}
