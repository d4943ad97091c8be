//! Builders for arithmetic, bitwise operations, shifts and comparisons of bit vectors.
//!
//! Rules: constants fold; neutral and absorbing operands disappear; sums collect their constants (`(x + c) + d`), and
//! differences cancel; division by a power of two becomes a shift or a mask; an operation on a choice between constants
//! moves into the arms. `a - b` is built as `a + -b`, and `a <= b` as `not (b < a)`: fewer operations exist, so more
//! equal formulas become one term.

use std::cmp::Ordering;

use super::{Bits, Op, Sort, Term, Terms, ordered};

impl Terms {
    fn intern_same(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = self.sort(args[0]);
        self.intern(op, args, sort)
    }

    /// The values of both operands, if both are constants.
    fn constants(&self, a: Term, b: Term) -> Option<(&Bits, &Bits)> {
        Some((self.as_bits(a)?, self.as_bits(b)?))
    }

    fn fold(&mut self, a: Term, b: Term, operation: fn(&Bits, &Bits) -> Bits) -> Option<Term> {
        let (x, y) = self.constants(a, b)?;
        let value = operation(x, y);
        Some(self.constant(value))
    }

    fn test(&self, a: Term, check: fn(&Bits) -> bool) -> bool {
        self.as_bits(a).is_some_and(check)
    }

    /// Folds a unary operation over a constant, or over both arms of a choice between constants.
    pub(super) fn fold_arms(&mut self, a: Term, operation: impl Fn(&Bits) -> Bits) -> Option<Term> {
        if let Some(bits) = self.as_bits(a) {
            let value = operation(bits);
            return Some(self.constant(value));
        }
        if self.op(a) != Op::Ite {
            return None;
        }
        let (condition, then, other) = (self.args(a)[0], self.args(a)[1], self.args(a)[2]);
        let (then, other) = (operation(self.as_bits(then)?), operation(self.as_bits(other)?));
        let (then, other) = (self.constant(then), self.constant(other));
        Some(self.ite(condition, then, other))
    }

    /// Complement of each bit.
    pub fn bv_not(&mut self, a: Term) -> Term {
        self.width(a);
        if self.op(a) == Op::BvNot {
            return self.args(a)[0];
        }
        match self.fold_arms(a, Bits::not) {
            Some(folded) => folded,
            None => self.intern_same(Op::BvNot, &[a]),
        }
    }

    /// Two's complement.
    pub fn bv_neg(&mut self, a: Term) -> Term {
        self.width(a);
        if self.op(a) == Op::BvNeg {
            return self.args(a)[0];
        }
        // -(x + c) becomes -x + -c, so that sums keep their constants outermost.
        if let (base, Some(offset)) = self.base_and_offset(a) {
            let offset = offset.neg();
            let (base, offset) = (self.bv_neg(base), self.constant(offset));
            return self.add(base, offset);
        }
        match self.fold_arms(a, Bits::neg) {
            Some(folded) => folded,
            None => self.intern_same(Op::BvNeg, &[a]),
        }
    }

    /// Whether the two terms are `x` and `-x`, so that their sum is zero.
    fn cancels(&self, a: Term, b: Term) -> bool {
        (self.op(a) == Op::BvNeg && self.args(a)[0] == b) || (self.op(b) == Op::BvNeg && self.args(b)[0] == a)
    }

    /// Sum.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::add) {
            return folded;
        }
        let (a, b) = ordered(self, a, b);
        if self.test(b, Bits::is_zero) {
            return a;
        }
        let ((x, c), (y, d)) = (self.base_and_offset(a), self.base_and_offset(b));
        let offset = match (c, d.or_else(|| self.as_bits(b))) {
            (Some(c), Some(d)) => Some(c.add(d)),
            (Some(c), None) => Some(c.clone()),
            (None, _) => d.cloned(),
        };
        if let Some(offset) = offset {
            let offset = self.constant(offset);
            if self.as_bits(b).is_some() {
                return self.add(x, offset);
            }
            let base = self.add(x, y);
            return self.add(base, offset);
        }
        if self.cancels(a, b) {
            return self.number(width, 0);
        }
        for (sum, other) in [(a, b), (b, a)] {
            if self.op(sum) == Op::Add {
                let (p, q) = (self.args(sum)[0], self.args(sum)[1]);
                if self.cancels(p, other) {
                    return q;
                }
                if self.cancels(q, other) {
                    return p;
                }
            }
        }
        self.intern_same(Op::Add, &[a, b])
    }

    /// Difference.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.number(self.width(a), 0);
        }
        let negated = self.bv_neg(b);
        self.add(a, negated)
    }

    /// Product.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::mul) {
            return folded;
        }
        let (a, b) = ordered(self, a, b);
        if self.test(b, Bits::is_zero) {
            return b;
        }
        if self.test(b, Bits::is_one) {
            return a;
        }
        if self.test(b, Bits::is_ones) {
            return self.bv_neg(a);
        }
        if self.op(a) == Op::Mul
            && let Some(product) = self.fold(self.args(a)[1], b, Bits::mul)
        {
            return self.mul(self.args(a)[0], product);
        }
        // Terms that differ by a constant have products that differ by a constant. This form makes that difference
        // visible.
        if let (x, Some(offset)) = self.base_and_offset(a)
            && let Some(factor) = self.as_bits(b)
        {
            let offset = offset.mul(factor);
            let (offset, base) = (self.constant(offset), self.mul(x, b));
            return self.add(base, offset);
        }
        self.intern_same(Op::Mul, &[a, b])
    }

    /// Unsigned quotient; all ones if the divisor is zero.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::udiv) {
            return folded;
        }
        match self.as_bits(b).and_then(Bits::exact_log2) {
            Some(shift) => {
                let shift = self.number(width, u128::from(shift));
                self.lshr(a, shift)
            }
            None => self.intern_same(Op::UDiv, &[a, b]),
        }
    }

    /// Unsigned remainder; the dividend if the divisor is zero.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::urem) {
            return folded;
        }
        if let Some(power) = self.as_bits(b).filter(|b| b.exact_log2().is_some()) {
            let mask = power.sub(&Bits::new(width, 1));
            let mask = self.constant(mask);
            return self.bv_and(a, mask);
        }
        self.intern_same(Op::URem, &[a, b])
    }

    /// Signed quotient, rounded toward zero. Division by zero yields 1 for a negative dividend and -1 otherwise.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::sdiv) {
            return folded;
        }
        // At width 1, the bit 1 is the number -1, and -1 / -1 wraps to -1.
        if self.test(b, Bits::is_one) {
            return a;
        }
        self.intern_same(Op::SDiv, &[a, b])
    }

    /// Signed remainder with the sign of the dividend; the dividend if the divisor is zero.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::srem) {
            return folded;
        }
        if self.test(b, Bits::is_one) || self.test(b, Bits::is_ones) {
            return self.number(width, 0);
        }
        self.intern_same(Op::SRem, &[a, b])
    }

    /// Bitwise and.
    pub fn bv_and(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::and) {
            return folded;
        }
        let (a, b) = ordered(self, a, b);
        if a == b || self.test(b, Bits::is_ones) {
            return a;
        }
        if self.test(b, Bits::is_zero) || self.complements(a, b) {
            return self.number(width, 0);
        }
        self.merge_constant(Op::BvAnd, a, b, Bits::and)
            .unwrap_or_else(|| self.intern_same(Op::BvAnd, &[a, b]))
    }

    /// Bitwise or.
    pub fn bv_or(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::or) {
            return folded;
        }
        let (a, b) = ordered(self, a, b);
        if a == b || self.test(b, Bits::is_zero) {
            return a;
        }
        if self.test(b, Bits::is_ones) || self.complements(a, b) {
            return self.constant(Bits::ones(width));
        }
        self.merge_constant(Op::BvOr, a, b, Bits::or).unwrap_or_else(|| self.intern_same(Op::BvOr, &[a, b]))
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold(a, b, Bits::xor) {
            return folded;
        }
        let (a, b) = ordered(self, a, b);
        if a == b {
            return self.number(width, 0);
        }
        if self.test(b, Bits::is_zero) {
            return a;
        }
        if self.test(b, Bits::is_ones) {
            return self.bv_not(a);
        }
        if self.complements(a, b) {
            return self.constant(Bits::ones(width));
        }
        self.merge_constant(Op::BvXor, a, b, Bits::xor)
            .unwrap_or_else(|| self.intern_same(Op::BvXor, &[a, b]))
    }

    fn complements(&self, a: Term, b: Term) -> bool {
        (self.op(a) == Op::BvNot && self.args(a)[0] == b) || (self.op(b) == Op::BvNot && self.args(b)[0] == a)
    }

    /// Merges `(x op c) op d` with constants `c` and `d`.
    fn merge_constant(&mut self, op: Op, a: Term, b: Term, fold: fn(&Bits, &Bits) -> Bits) -> Option<Term> {
        if self.op(a) != op {
            return None;
        }
        let (x, c) = (self.args(a)[0], self.args(a)[1]);
        let merged = self.fold(c, b, fold)?;
        Some(self.apply(op, &[x, merged]))
    }

    /// Shift left; zero if the amount is at least the width.
    pub fn shl(&mut self, a: Term, amount: Term) -> Term {
        self.shift(Op::Shl, a, amount, Bits::shl)
    }

    /// Logical shift right; zero if the amount is at least the width.
    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        self.shift(Op::LShr, a, amount, Bits::lshr)
    }

    /// Arithmetic shift right; copies of the sign bit if the amount is at least the width.
    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        self.shift(Op::AShr, a, amount, Bits::ashr)
    }

    fn shift(&mut self, op: Op, a: Term, amount: Term, fold: fn(&Bits, &Bits) -> Bits) -> Term {
        let width = self.same_width(a, amount);
        if let Some(folded) = self.fold(a, amount, fold) {
            return folded;
        }
        if self.test(amount, Bits::is_zero) || self.test(a, Bits::is_zero) {
            return a;
        }
        if op == Op::AShr && self.test(a, Bits::is_ones) {
            return a;
        }
        let all_out = |amount: &Bits| amount.to_u128().is_none_or(|amount| amount >= u128::from(width));
        if op != Op::AShr && self.as_bits(amount).is_some_and(all_out) {
            return self.number(width, 0);
        }
        self.intern_same(op, &[a, amount])
    }

    fn fold_order(&mut self, a: Term, b: Term, order: fn(&Bits, &Bits) -> Ordering) -> Option<Term> {
        let (x, y) = self.constants(a, b)?;
        let less = order(x, y) == Ordering::Less;
        Some(self.bool(less))
    }

    /// Unsigned less than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold_order(a, b, Bits::ucmp) {
            return folded;
        }
        if a == b || self.test(b, Bits::is_zero) || self.test(a, Bits::is_ones) {
            return Terms::FALSE;
        }
        if self.test(b, Bits::is_one) {
            let zero = self.number(width, 0);
            return self.eq(a, zero);
        }
        let largest = Bits::ones(width);
        if self.as_bits(a).is_some_and(|a| a.add(&Bits::new(width, 1)) == largest) {
            let largest = self.constant(largest);
            return self.eq(b, largest);
        }
        if self.test(a, Bits::is_zero) || self.test(b, Bits::is_ones) {
            return self.ne(a, b);
        }
        if let (Op::ZExt(_), Op::ZExt(_)) = (self.op(a), self.op(b)) {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if self.width(x) == self.width(y) {
                return self.ult(x, y);
            }
        }
        // A zero-extended term lies in the range of its narrower width.
        if self.by_width
            && let (Op::ZExt(_), Some(y)) = (self.op(a), self.as_bits(b))
            && Bits::ones(self.width(self.args(a)[0])).zext(width).ucmp(y) == Ordering::Less
        {
            return Terms::TRUE;
        }
        if self.by_width
            && let (Some(x), Op::ZExt(_)) = (self.as_bits(a), self.op(b))
            && Bits::ones(self.width(self.args(b)[0])).zext(width).ucmp(x) != Ordering::Greater
        {
            return Terms::FALSE;
        }
        self.intern(Op::Ult, &[a, b], Sort::Bool)
    }

    /// Signed less than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(folded) = self.fold_order(a, b, Bits::scmp) {
            return folded;
        }
        let (smallest, largest) = (Bits::signed_min(width), Bits::signed_max(width));
        let (x, y) = (self.as_bits(a), self.as_bits(b));
        if a == b || y == Some(&smallest) || x == Some(&largest) {
            return Terms::FALSE;
        }
        if x == Some(&smallest) || y == Some(&largest) {
            return self.ne(a, b);
        }
        let one = Bits::new(width, 1);
        if y.is_some_and(|y| y.sub(&one) == smallest) {
            let smallest = self.constant(smallest);
            return self.eq(a, smallest);
        }
        if x.is_some_and(|x| x.add(&one) == largest) {
            let largest = self.constant(largest);
            return self.eq(b, largest);
        }
        if let (Op::SExt(_), Op::SExt(_)) = (self.op(a), self.op(b)) {
            let (x, y) = (self.args(a)[0], self.args(b)[0]);
            if self.width(x) == self.width(y) {
                return self.slt(x, y);
            }
        }
        let decided = if self.by_width { self.slt_of_extended(a, b) } else { None };
        decided.unwrap_or_else(|| self.intern(Op::Slt, &[a, b], Sort::Bool))
    }

    /// `a < b` between a constant and an extended term, if the whole range of the narrower width lies on one side of
    /// the constant.
    fn slt_of_extended(&mut self, a: Term, b: Term) -> Option<Term> {
        let ends = |terms: &Terms, extended: Term| {
            let signed = match terms.op(extended) {
                Op::SExt(_) => true,
                Op::ZExt(_) => false,
                _ => return None,
            };
            let (width, narrow) = (terms.width(extended), terms.width(terms.args(extended)[0]));
            Some(if signed {
                (Bits::signed_min(narrow).sext(width), Bits::signed_max(narrow).sext(width))
            } else {
                (Bits::zero(width), Bits::ones(narrow).zext(width))
            })
        };
        let ((a_low, a_high), (b_low, b_high)) = match (self.as_bits(a).cloned(), self.as_bits(b).cloned()) {
            (Some(x), None) => ((x.clone(), x), ends(self, b)?),
            (None, Some(y)) => (ends(self, a)?, (y.clone(), y)),
            _ => return None,
        };
        if a_high.scmp(&b_low) == Ordering::Less {
            return Some(Terms::TRUE);
        }
        (a_low.scmp(&b_high) != Ordering::Less).then_some(Terms::FALSE)
    }

    /// Unsigned less than or equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less than or equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Whether the sign bit is set.
    pub fn is_negative(&mut self, a: Term) -> Term {
        let zero = self.number(self.width(a), 0);
        self.slt(a, zero)
    }
}
