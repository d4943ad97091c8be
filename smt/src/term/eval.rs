//! Evaluates a term under an assignment, from the definition of each operation and without the solver. Models are
//! checked with it, and the translation to Z3 is tested against it.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ArrayValue, Assignment, Bits, Op, Term, Terms, Value};

/// Evaluates terms under one assignment, each at most once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    known: Known,
}

/// Values that an evaluator has found, for [`Evaluator::resume`].
#[derive(Debug, Default)]
pub struct Known(FxHashMap<Term, Value>);

impl<'a> Evaluator<'a> {
    /// Evaluates terms of `terms`. A variable without a value in `assignment` is zero.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { terms, assignment, known: Known::default() }
    }

    /// Continues with values found before, under an assignment that gave the same values to the variables of those
    /// terms.
    pub fn resume(terms: &'a Terms, assignment: &'a Assignment, known: Known) -> Evaluator<'a> {
        Evaluator { terms, assignment, known }
    }

    /// The values found so far.
    pub fn into_known(self) -> Known {
        self.known
    }

    /// The value of a term.
    pub fn value(&mut self, term: Term) -> Value {
        for part in self.terms.cone_of(&[term], |part| !self.known.0.contains_key(&part)) {
            let value = self.apply(part);
            self.known.0.insert(part, value);
        }
        self.known.0[&term].clone()
    }

    /// The value of a Boolean term.
    ///
    /// # Panics
    ///
    /// If the term is of another sort.
    pub fn truth(&mut self, term: Term) -> bool {
        self.value(term).as_bool().expect("a truth value")
    }

    fn bits(&self, term: Term) -> &Bits {
        self.known.0[&term].as_bits().expect("a bit vector")
    }

    fn boolean(&self, term: Term) -> bool {
        self.known.0[&term].as_bool().expect("a truth value")
    }

    fn array(&self, term: Term) -> &ArrayValue {
        self.known.0[&term].as_array().expect("an array")
    }

    /// The value of a term whose arguments are already evaluated.
    fn apply(&self, term: Term) -> Value {
        let args = self.terms.args(term);
        let op = self.terms.op(term);
        let truth = |index: usize| self.boolean(args[index]);
        let one = |f: fn(&Bits) -> Bits| Value::Bits(f(self.bits(args[0])));
        let two = |f: fn(&Bits, &Bits) -> Bits| Value::Bits(f(self.bits(args[0]), self.bits(args[1])));
        let holds = |f: fn(&Bits, &Bits) -> bool| Value::Bool(f(self.bits(args[0]), self.bits(args[1])));
        match op {
            Op::Bool(value) => Value::Bool(value),
            Op::Bits(constant) => Value::Bits(self.terms.bits(constant).clone()),
            Op::Var(_) => {
                self.assignment.get(term).cloned().unwrap_or_else(|| Value::zero(self.terms.sort(term)))
            }
            Op::Not => Value::Bool(!truth(0)),
            Op::And => Value::Bool(truth(0) && truth(1)),
            Op::Or => Value::Bool(truth(0) || truth(1)),
            Op::Xor => Value::Bool(truth(0) != truth(1)),
            Op::Eq => Value::Bool(self.known.0[&args[0]] == self.known.0[&args[1]]),
            Op::Ite => self.known.0[&args[if truth(0) { 1 } else { 2 }]].clone(),
            Op::BvNot => one(Bits::not),
            Op::BvNeg => one(Bits::neg),
            Op::Add => two(Bits::add),
            Op::Mul => two(Bits::mul),
            Op::UDiv => two(Bits::udiv),
            Op::URem => two(Bits::urem),
            Op::SDiv => two(Bits::sdiv),
            Op::SRem => two(Bits::srem),
            Op::BvAnd => two(Bits::and),
            Op::BvOr => two(Bits::or),
            Op::BvXor => two(Bits::xor),
            Op::Shl => two(Bits::shl),
            Op::LShr => two(Bits::lshr),
            Op::AShr => two(Bits::ashr),
            Op::Ult => holds(|a, b| a.ucmp(b) == Ordering::Less),
            Op::Slt => holds(|a, b| a.scmp(b) == Ordering::Less),
            Op::UMulOverflows => holds(Bits::umul_overflows),
            Op::SMulOverflows => holds(Bits::smul_overflows),
            Op::Concat => two(Bits::concat),
            Op::Extract { high, low } => Value::Bits(self.bits(args[0]).extract(high, low)),
            Op::ZExt(width) => Value::Bits(self.bits(args[0]).zext(width)),
            Op::SExt(width) => Value::Bits(self.bits(args[0]).sext(width)),
            Op::Select => Value::Bits(self.array(args[0]).get(self.bits(args[1])).clone()),
            Op::Store => {
                let mut array = self.array(args[0]).clone();
                array.set(self.bits(args[1]).clone(), self.bits(args[2]).clone());
                Value::Array(Arc::new(array))
            }
            Op::ConstArray(index) => ArrayValue::constant(index, self.bits(args[0]).clone()).into(),
        }
    }
}
