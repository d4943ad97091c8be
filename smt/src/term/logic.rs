//! Builders for truth values, equality and choice.
//!
//! Rules: constants, idempotence, complements, and absorption one level deep. An equality folds if the shape of its
//! sides decides it (`decide_eq`), or splits along `concat`, extensions and sums with constants. A choice between truth
//! values becomes a conjunction or disjunction.

use super::{Bits, Op, Sort, Term, Terms, ordered};
use std::collections::VecDeque;

impl Terms {
    /// A constant truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        if value { Terms::TRUE } else { Terms::FALSE }
    }

    /// Negation.
    pub fn not(&mut self, a: Term) -> Term {
        self.assert_bool(a);
        match self.op(a) {
            Op::Bool(value) => self.bool(!value),
            Op::Not => self.args(a)[0],
            _ => self.intern(Op::Not, &[a], Sort::Bool),
        }
    }

    /// Whether one is the negation of the other.
    fn complementary(&self, a: Term, b: Term) -> bool {
        (self.op(a) == Op::Not && self.args(a)[0] == b) || (self.op(b) == Op::Not && self.args(b)[0] == a)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.lattice(a, b, Op::And, Op::Or)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.lattice(a, b, Op::Or, Op::And)
    }

    /// Builds `and` or `or`, which are duals: `op` is the operation to build, `dual` the other one.
    fn lattice(&mut self, a: Term, b: Term, op: Op, dual: Op) -> Term {
        self.assert_bool(a);
        self.assert_bool(b);
        let (neutral, absorbing) = if op == Op::And { (true, false) } else { (false, true) };
        let (a, b) = ordered(self, a, b);
        if let Some(value) = self.as_bool(b) {
            return if value == neutral { a } else { self.bool(absorbing) };
        }
        if a == b {
            return a;
        }
        if self.complementary(a, b) {
            return self.bool(absorbing);
        }
        for (x, y) in [(a, b), (b, a)] {
            let inner = self.op(y);
            if inner != op && inner != dual {
                continue;
            }
            let (left, right) = (self.args(y)[0], self.args(y)[1]);
            if left == x || right == x {
                return if inner == op { y } else { x };
            }
            let rest = if self.complementary(left, x) {
                right
            } else if self.complementary(right, x) {
                left
            } else {
                continue;
            };
            return if inner == op { self.bool(absorbing) } else { self.lattice(x, rest, op, dual) };
        }
        self.intern(op, &[a, b], Sort::Bool)
    }

    /// Conjunction of any number.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = Term>) -> Term {
        all.into_iter().fold(Terms::TRUE, |sum, next| self.and(sum, next))
    }

    /// Whether `path` is a conjunction of `before` and further conditions. Looks only at the most recent conditions.
    pub(crate) fn goes_on(&self, path: Term, before: Term) -> bool {
        let mut work = VecDeque::from([path]);
        for _ in 0..Terms::LATEST_CONDITIONS {
            let Some(term) = work.pop_front() else { return false };
            if term == before {
                return true;
            }
            if self.op(term) == Op::And {
                work.extend(self.args(term));
            }
        }
        false
    }

    /// Disjunction of any number.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = Term>) -> Term {
        all.into_iter().fold(Terms::FALSE, |sum, next| self.or(sum, next))
    }

    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.assert_bool(a);
        self.assert_bool(b);
        let (a, b) = ordered(self, a, b);
        if let Some(value) = self.as_bool(b) {
            return if value { self.not(a) } else { a };
        }
        if a == b || self.complementary(a, b) {
            return self.bool(a != b);
        }
        match (self.op(a), self.op(b)) {
            (Op::Not, Op::Not) => self.xor(self.args(a)[0], self.args(b)[0]),
            (Op::Not, _) => {
                let inner = self.xor(self.args(a)[0], b);
                self.not(inner)
            }
            (_, Op::Not) => {
                let inner = self.xor(a, self.args(b)[0]);
                self.not(inner)
            }
            _ => self.intern(Op::Xor, &[a, b], Sort::Bool),
        }
    }

    /// Equality of two terms of one sort.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "{a:?} and {b:?} differ in sort");
        if sort == Sort::Bool {
            let differ = self.xor(a, b);
            return self.not(differ);
        }
        if let Some(decided) = self.decide_eq(a, b) {
            return self.bool(decided);
        }
        let (a, b) = ordered(self, a, b);
        if self.splits < Terms::DEEPEST_SPLIT {
            self.splits += 1;
            let simpler = self.split_eq(a, b);
            self.splits -= 1;
            if let Some(simpler) = simpler {
                return simpler;
            }
        }
        self.intern(Op::Eq, &[a, b], Sort::Bool)
    }

    /// Inequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Whether two bit vectors or arrays are equal or surely different; `None` if their shape does not decide it.
    pub(crate) fn decide_eq(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            return Some(x == y);
        }
        let differ = match (self.op(a), self.op(b)) {
            (Op::Concat, Op::Concat) => {
                let (a, b) = (self.args(a), self.args(b));
                let parts = [(a[0], b[0]), (a[1], b[1])];
                parts.iter().any(|&(x, y)| self.sort(x) == self.sort(y) && self.surely_differ(x, y))
            }
            (Op::Concat, Op::Var(_)) if self.parts_apart => self.part_differs(a, b),
            (Op::Var(_), Op::Concat) if self.parts_apart => self.part_differs(b, a),
            _ => self.surely_differ(a, b),
        };
        differ.then_some(false)
    }

    /// Whether a part of a concatenation equals the same part of `whole` plus a nonzero constant.
    fn part_differs(&self, concat: Term, whole: Term) -> bool {
        let [high, low] = [self.args(concat)[0], self.args(concat)[1]];
        let below = self.width(low);
        [(low, 0), (high, below)].into_iter().any(|(part, at)| {
            let (base, offset) = self.base_and_offset(part);
            let own = Op::Extract { high: at + self.width(part) - 1, low: at };
            offset.is_some() && self.op(base) == own && self.args(base)[0] == whole
        })
    }

    /// Whether the two are different constants, or `x + c` and `x + d`, where `c` or `d` may be missing.
    fn surely_differ(&self, a: Term, b: Term) -> bool {
        if let (Some(x), Some(y)) = (self.as_bits(a), self.as_bits(b)) {
            return x != y;
        }
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        x == y && c != d
    }

    /// Splits off the constant summand: the remaining term, and the constant, or `None` if there is none or it is zero.
    pub(super) fn base_and_offset(&self, a: Term) -> (Term, Option<&Bits>) {
        if self.op(a) == Op::Add
            && let Some(offset) = self.as_bits(self.args(a)[1])
        {
            return (self.args(a)[0], Some(offset));
        }
        (a, None)
    }

    /// Rules for an equality that the shapes do not decide. A constant is on the right.
    fn split_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some(value) = self.as_bits(b).cloned() {
            return self.split_eq_constant(a, value);
        }
        match (self.op(a), self.op(b)) {
            (Op::ZExt(_), Op::ZExt(_)) | (Op::SExt(_), Op::SExt(_)) if self.op(a) == self.op(b) => {
                let (x, y) = (self.args(a)[0], self.args(b)[0]);
                (self.width(x) == self.width(y)).then(|| self.eq(x, y))
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                Some(self.eq(self.args(a)[0], self.args(b)[0]))
            }
            (Op::Concat, Op::Concat) => {
                let ([a1, a0], [b1, b0]) =
                    ([self.args(a)[0], self.args(a)[1]], [self.args(b)[0], self.args(b)[1]]);
                if self.width(a0) != self.width(b0) {
                    return None;
                }
                let (high, low) = (self.eq(a1, b1), self.eq(a0, b0));
                Some(self.and(high, low))
            }
            (Op::Add, Op::Add) => {
                let (a, b) = ([self.args(a)[0], self.args(a)[1]], [self.args(b)[0], self.args(b)[1]]);
                self.cancel(a, b)
            }
            (Op::Add, _) => self.cancel_sum(self.args(a)[0], self.args(a)[1], b),
            (_, Op::Add) => self.cancel_sum(self.args(b)[0], self.args(b)[1], a),
            _ => None,
        }
    }

    /// Simplifies `a0 + a1 == b0 + b1` if the sums share a summand.
    fn cancel(&mut self, a: [Term; 2], b: [Term; 2]) -> Option<Term> {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if a[i] == b[j] {
                return Some(self.eq(a[1 - i], b[1 - j]));
            }
        }
        None
    }

    /// Simplifies `x + y == z` if `z` is one of the summands.
    fn cancel_sum(&mut self, x: Term, y: Term, z: Term) -> Option<Term> {
        let other = if x == z {
            y
        } else if y == z {
            x
        } else {
            return None;
        };
        let zero = self.number(self.width(z), 0);
        Some(self.eq(other, zero))
    }

    fn split_eq_constant(&mut self, a: Term, value: Bits) -> Option<Term> {
        let args: Vec<Term> = self.args(a).to_vec();
        match self.op(a) {
            Op::Add => {
                let offset = self.as_bits(args[1])?.clone();
                let rest = self.constant(value.sub(&offset));
                Some(self.eq(args[0], rest))
            }
            Op::BvNot => Some(self.eq_constant(args[0], value.not())),
            Op::BvNeg => Some(self.eq_constant(args[0], value.neg())),
            Op::BvXor if value.is_zero() => Some(self.eq(args[0], args[1])),
            Op::BvXor => {
                let mask = self.as_bits(args[1])?.clone();
                Some(self.eq_constant(args[0], value.xor(&mask)))
            }
            Op::ZExt(width) | Op::SExt(width) => {
                let narrow = self.width(args[0]);
                let low = value.extract(narrow - 1, 0);
                let back = if self.op(a) == Op::ZExt(width) { low.zext(width) } else { low.sext(width) };
                Some(if back == value { self.eq_constant(args[0], low) } else { Terms::FALSE })
            }
            Op::Concat => {
                let low_width = self.width(args[1]);
                let high = self.eq_constant(args[0], value.extract(value.width() - 1, low_width));
                let low = self.eq_constant(args[1], value.extract(low_width - 1, 0));
                Some(self.and(high, low))
            }
            Op::Ite => {
                let equals = |arm: Term| self.as_bits(arm).map(|arm| *arm == value);
                match (equals(args[1]), equals(args[2])) {
                    (Some(x), Some(y)) => {
                        let (x, y) = (self.bool(x), self.bool(y));
                        Some(self.ite(args[0], x, y))
                    }
                    (Some(false), None) => {
                        let (other, not) = (self.eq_constant(args[2], value), self.not(args[0]));
                        Some(self.and(not, other))
                    }
                    (None, Some(false)) => {
                        let other = self.eq_constant(args[1], value);
                        Some(self.and(args[0], other))
                    }
                    _ => None,
                }
            }
            // At width 1, bits are truth values: both operands must be 1.
            Op::BvAnd if value.is_one() && value.width() == 1 => {
                let (x, y) = (self.eq_constant(args[0], value.clone()), self.eq_constant(args[1], value));
                Some(self.and(x, y))
            }
            Op::BvOr if value.is_one() && value.width() == 1 => {
                let (x, y) = (self.eq_constant(args[0], value.clone()), self.eq_constant(args[1], value));
                Some(self.or(x, y))
            }
            // A 1-bit vector has two values: `x == 0` becomes `not (x == 1)`, so that both forms share one term.
            _ if value.width() == 1 && value.is_zero() => {
                let is_one = self.eq_constant(a, Bits::new(1, 1));
                Some(self.not(is_one))
            }
            _ => None,
        }
    }

    fn eq_constant(&mut self, a: Term, value: Bits) -> Term {
        let value = self.constant(value);
        self.eq(a, value)
    }

    /// `then` if the condition holds, else `other`.
    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        self.assert_bool(condition);
        let sort = self.sort(then);
        assert_eq!(sort, self.sort(other), "{then:?} and {other:?} differ in sort");
        match self.op(condition) {
            Op::Bool(value) => return if value { then } else { other },
            Op::Not => return self.ite(self.args(condition)[0], other, then),
            _ => {}
        }
        if then == other {
            return then;
        }
        // An arm tests the same condition again.
        let then = if self.op(then) == Op::Ite && self.args(then)[0] == condition {
            self.args(then)[1]
        } else {
            then
        };
        let other = if self.op(other) == Op::Ite && self.args(other)[0] == condition {
            self.args(other)[2]
        } else {
            other
        };
        if then == other {
            return then;
        }
        if sort == Sort::Bool {
            return self.ite_bool(condition, then, other);
        }
        // A 1-bit vector selected by its own value.
        if self.op(condition) == Op::Eq
            && self.args(condition)[1] == then
            && self.sort(then) == Sort::BitVec(1)
            && self.as_bits(then).is_some()
            && self.as_bits(other).is_some()
        {
            return self.args(condition)[0];
        }
        self.intern(Op::Ite, &[condition, then, other], sort)
    }

    fn ite_bool(&mut self, condition: Term, then: Term, other: Term) -> Term {
        match (self.as_bool(then), self.as_bool(other)) {
            (Some(true), _) => return self.or(condition, other),
            (Some(false), _) => {
                let not = self.not(condition);
                return self.and(not, other);
            }
            (_, Some(true)) => return self.implies(condition, then),
            (_, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        if then == condition {
            return self.or(condition, other);
        }
        if other == condition {
            return self.and(condition, then);
        }
        if self.complementary(then, other) {
            let differ = self.xor(condition, then);
            return self.not(differ);
        }
        self.intern(Op::Ite, &[condition, then, other], Sort::Bool)
    }

    /// The 1-bit vector that is 1 if and only if `a` holds.
    pub fn bool_to_bit(&mut self, a: Term) -> Term {
        let (one, zero) = (self.number(1, 1), self.number(1, 0));
        self.ite(a, one, zero)
    }

    /// Whether the bit vector is not zero.
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let zero = self.number(self.width(a), 0);
        self.ne(a, zero)
    }
}
