//! Random terms: the value computed step by step equals the evaluator's value of the term (after all rules of the
//! builders), the value after its variables are replaced by constants, and Z3's value.

use backedge_smt::solver::{Answer, Budget, check};
use backedge_smt::term::{ArrayValue, Assignment, Bits, Evaluator, Sort, Term, Terms, Value};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

/// One building step: an operation and the sources of its operands, all taken modulo the number of choices.
type Step = (u8, usize, usize, usize);

const WIDTHS: [u32; 4] = [1, 3, 8, 130];

/// Terms with their expected values.
struct Pool {
    terms: Terms,
    made: Vec<(Term, Value)>,
    variables: Vec<(Term, Value)>,
}

impl Pool {
    fn new(seeds: &[u64]) -> Pool {
        let mut pool = Pool { terms: Terms::new(), made: Vec::new(), variables: Vec::new() };
        let mut seeds = seeds.iter().copied().cycle();
        let mut seed = || seeds.next().unwrap_or(0);
        let mut values = Vec::new();
        for width in WIDTHS {
            for _ in 0..2 {
                values.push(Value::Bits(Bits::from_pieces(width, &[seed(), seed(), seed()])));
            }
        }
        for _ in 0..2 {
            values.push(Value::Bool(seed() & 1 != 0));
            let mut array = ArrayValue::constant(3, Bits::new(8, u128::from(seed())));
            array.set(Bits::new(3, u128::from(seed())), Bits::new(8, u128::from(seed())));
            values.push(array.into());
        }
        for value in values {
            let variable = pool.terms.variable("v", value.sort());
            pool.made.push((variable, value.clone()));
            pool.variables.push((variable, value));
        }
        for width in WIDTHS {
            for value in [Bits::zero(width), Bits::new(width, 1), Bits::ones(width), Bits::new(width, 4)] {
                pool.made.push((pool.terms.constant(value.clone()), Value::Bits(value)));
            }
        }
        pool
    }

    fn pick(&self, sort: Sort, number: usize) -> (Term, Value) {
        let fitting: Vec<&(Term, Value)> =
            self.made.iter().filter(|(_, value)| value.sort() == sort).collect();
        // Prefer recent terms, so that terms become deep.
        fitting[fitting.len() - 1 - number % fitting.len()].clone()
    }

    fn bits(&self, width: u32, number: usize) -> (Term, Bits) {
        let (term, value) = self.pick(Sort::BitVec(width), number);
        (term, value.as_bits().cloned().expect("a bit vector"))
    }

    fn truth(&self, number: usize) -> (Term, bool) {
        let (term, value) = self.pick(Sort::Bool, number);
        (term, value.as_bool().expect("a truth value"))
    }

    fn step(&mut self, (op, i, j, k): Step) {
        let width = WIDTHS[k % WIDTHS.len()];
        let ((a, x), (b, y)) = (self.bits(width, i), self.bits(width, j));
        let ((p, u), (q, v)) = (self.truth(i), self.truth(j));
        let t = &mut self.terms;
        let made = match op % 37 {
            0 => (t.add(a, b), Value::Bits(x.add(&y))),
            1 => (t.sub(a, b), Value::Bits(x.sub(&y))),
            2 => (t.mul(a, b), Value::Bits(x.mul(&y))),
            3 => (t.udiv(a, b), Value::Bits(x.udiv(&y))),
            4 => (t.urem(a, b), Value::Bits(x.urem(&y))),
            5 => (t.sdiv(a, b), Value::Bits(x.sdiv(&y))),
            6 => (t.srem(a, b), Value::Bits(x.srem(&y))),
            7 => (t.bv_and(a, b), Value::Bits(x.and(&y))),
            8 => (t.bv_or(a, b), Value::Bits(x.or(&y))),
            9 => (t.bv_xor(a, b), Value::Bits(x.xor(&y))),
            10 => (t.shl(a, b), Value::Bits(x.shl(&y))),
            11 => (t.lshr(a, b), Value::Bits(x.lshr(&y))),
            12 => (t.ashr(a, b), Value::Bits(x.ashr(&y))),
            13 => (t.bv_not(a), Value::Bits(x.not())),
            14 => (t.bv_neg(a), Value::Bits(x.neg())),
            15 | 16 => (t.eq(a, b), Value::Bool(x == y)),
            17 => (t.ult(a, b), Value::Bool(x.ucmp(&y).is_lt())),
            18 => (t.slt(a, b), Value::Bool(x.scmp(&y).is_lt())),
            19 => (t.ule(a, b), Value::Bool(x.ucmp(&y).is_le())),
            20 => (t.uadd_overflows(a, b), Value::Bool(x.zext(width + 1).add(&y.zext(width + 1)).bit(width))),
            21 => {
                let exact = x.sext(width + 1).add(&y.sext(width + 1));
                (t.sadd_overflows(a, b), Value::Bool(exact != x.add(&y).sext(width + 1)))
            }
            22 => {
                let exact = x.sext(width + 1).sub(&y.sext(width + 1));
                (t.ssub_overflows(a, b), Value::Bool(exact != x.sub(&y).sext(width + 1)))
            }
            23 => (t.umul_overflows(a, b), Value::Bool(x.umul_overflows(&y))),
            24 => (t.smul_overflows(a, b), Value::Bool(x.smul_overflows(&y))),
            25 => (t.and(p, q), Value::Bool(u && v)),
            26 => (t.or(p, q), Value::Bool(u || v)),
            27 => (t.not(p), Value::Bool(!u)),
            28 => (t.xor(p, q), Value::Bool(u != v)),
            29 => (t.eq(p, q), Value::Bool(u == v)),
            30 | 31 => {
                let (p, u) = self.truth(k);
                (self.terms.ite(p, a, b), Value::Bits(if u { x } else { y }))
            }
            32 => return self.resize(i, j, k),
            33 => return self.join(i, j, k),
            34 => {
                let (p, u) = self.truth(k);
                let (_, w) = self.truth(i);
                (self.terms.ite(p, q, self.pick(Sort::Bool, i).0), Value::Bool(if u { v } else { w }))
            }
            _ => return self.memory(i, j, k),
        };
        self.made.push(made);
    }

    /// Extension or truncation between the widths of the pool.
    fn resize(&mut self, i: usize, j: usize, k: usize) {
        let (from, to) = (WIDTHS[j % 4], WIDTHS[k % 4]);
        let (a, x) = self.bits(from, i);
        let made = if to > from && i.is_multiple_of(2) {
            (self.terms.sext(a, to), x.sext(to))
        } else if to >= from {
            (self.terms.zext(a, to), x.zext(to))
        } else {
            let low = (k as u32 / 4) % (from - to + 1);
            (self.terms.extract(a, low + to - 1, low), x.extract(low + to - 1, low))
        };
        self.made.push((made.0, Value::Bits(made.1)));
    }

    /// Splits vectors into pieces of the pool's widths and joins pieces again.
    fn join(&mut self, i: usize, j: usize, k: usize) {
        let ((a, x), (b, y)) = (self.bits(8, i), self.bits(8, if k.is_multiple_of(2) { i } else { j }));
        let cut = 1 + k as u32 % 7;
        let t = &mut self.terms;
        let (high, low) = (t.extract(a, 7, cut), t.extract(b, cut - 1, 0));
        let made = (t.concat(high, low), x.extract(7, cut).concat(&y.extract(cut - 1, 0)));
        self.made.push((made.0, Value::Bits(made.1)));
    }

    fn memory(&mut self, i: usize, j: usize, k: usize) {
        let sort = Sort::Array { index: 3, element: 8 };
        let ((array, content), (at, index)) = (self.pick(sort, i), self.bits(3, j));
        let mut content = content.as_array().expect("an array").clone();
        if k.is_multiple_of(3) {
            let loaded = Value::Bits(content.get(&index).clone());
            self.made.push((self.terms.select(array, at), loaded));
        } else if k % 3 == 1 {
            let (element, value) = self.bits(8, k / 3);
            content.set(index, value);
            self.made.push((self.terms.store(array, at, element), content.into()));
        } else {
            let ((other, second), (p, u)) = (self.pick(sort, k), self.truth(j));
            let chosen = if u { content.into() } else { second.clone() };
            let first =
                self.made.iter().find(|(term, _)| *term == array).expect("picked from there").1.clone();
            self.made.push((self.terms.ite(p, array, other), chosen));
            self.made.push((self.terms.eq(array, other), Value::Bool(first == second)));
        }
    }
}

fn literal(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Bits(bits) => terms.constant(bits.clone()),
        Value::Array(array) => {
            let default = terms.constant(array.default_element().clone());
            let all = terms.const_array(array.index_width(), default);
            array.elements().fold(all, |all, (index, element)| {
                let (index, element) = (terms.constant(index.clone()), terms.constant(element.clone()));
                terms.store(all, index, element)
            })
        }
    }
}

fn pool(seeds: &[u64], steps: &[Step]) -> Pool {
    let mut pool = Pool::new(seeds);
    steps.iter().for_each(|&step| pool.step(step));
    pool
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((any::<u8>(), 0..40usize, 0..40usize, 0..400usize), 1..most)
}

fn seeds() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![Just(0), Just(u64::MAX), Just(1), Just(128), any::<u64>()], 1..20)
}

proptest! {
    #![proptest_config(backedge_testkit::kept(4000))]

    #[test]
    fn evaluation_and_substitution_agree_with_the_steps(seeds in seeds(), steps in steps(60)) {
        let mut pool = pool(&seeds, &steps);
        let assignment: Assignment = pool.variables.iter().cloned().collect();
        let mut evaluator = Evaluator::new(&pool.terms, &assignment);
        for (term, value) in &pool.made {
            prop_assert_eq!(&evaluator.value(*term), value, "{:?}", pool.terms.op(*term));
        }
        let replacements: FxHashMap<Term, Term> =
            pool.variables.iter().map(|(variable, value)| (*variable, literal(&mut pool.terms, value))).collect();
        let made: Vec<Term> = pool.made.iter().map(|made| made.0).collect();
        let closed = pool.terms.substitute_all(&made, &replacements);
        prop_assert!(pool.terms.variables(&closed).is_empty());
        let empty = Assignment::new();
        let mut evaluator = Evaluator::new(&pool.terms, &empty);
        for (term, (_, value)) in closed.iter().zip(&pool.made) {
            prop_assert_eq!(&evaluator.value(*term), value);
            // Terms without arrays must fold, because array choices and comparisons may prevent folding.
            let foldable = !matches!(value, Value::Array(_)) && pool.terms.cone(&[*term]).iter().all(|&part| {
                !matches!(pool.terms.sort(part), Sort::Array { .. })
            });
            prop_assert!(!foldable || pool.terms.is_constant(*term), "constants were not folded");
        }
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(400))]

    /// Under the values of the variables, Z3 finds the value of the term and no other one. The values are assumptions
    /// of the query, so that Z3 does the work, not the builders.
    #[test]
    fn z3_agrees_with_the_steps(seeds in seeds(), steps in steps(25)) {
        let mut pool = pool(&seeds, &steps);
        let mut here = Vec::new();
        for (variable, value) in pool.variables.clone() {
            let value = literal(&mut pool.terms, &value);
            here.push(pool.terms.eq(variable, value));
        }
        let mut right = Vec::new();
        for (term, value) in pool.made.clone() {
            let value = literal(&mut pool.terms, &value);
            right.push(pool.terms.eq(term, value));
        }
        let right = pool.terms.and_all(right);
        let wrong = pool.terms.not(right);
        let budget = Budget::default();
        here.push(wrong);
        prop_assert_eq!(check(&pool.terms, &here, &budget).unwrap().answer, Answer::Unsat);
        here.pop();
        here.push(right);
        let answer = check(&pool.terms, &here, &budget).unwrap().answer;
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        for (variable, value) in &pool.variables {
            if let Some(found) = model.get(*variable) {
                prop_assert_eq!(found, value);
            }
        }
    }
}
