//! Predicates that the exact result of an operation does not fit its width, as IR's wrap flags need them.
//!
//! Sums and differences need only comparisons. Products have operations of their own, because the solver has a smaller
//! circuit for them than for a product of twice the width; a product with a constant needs only comparisons again.
//! Every predicate is true when the operation **overflows**.

use super::{Bits, Op, Sort, Term, Terms};

impl Terms {
    /// Whether the unsigned sum overflows.
    pub fn uadd_overflows(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let (a, b) = super::ordered(self, a, b);
        if let Some(c) = self.as_bits(b) {
            let room = c.not();
            let room = self.constant(room);
            return self.ult(room, a);
        }
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// Whether the signed sum overflows.
    pub fn sadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = super::ordered(self, a, b);
        if let Some(c) = self.as_bits(b) {
            if c.is_negative() {
                let bound = Bits::signed_min(width).sub(c);
                let bound = self.constant(bound);
                return self.slt(a, bound);
            }
            let bound = Bits::signed_max(width).sub(c);
            let bound = self.constant(bound);
            return self.slt(bound, a);
        }
        // The summands have the same sign and the sum has the opposite sign.
        let sum = self.add(a, b);
        let (p, q) = (self.bv_xor(a, sum), self.bv_xor(b, sum));
        let both = self.bv_and(p, q);
        self.is_negative(both)
    }

    /// Whether the unsigned difference is below zero.
    pub fn usub_overflows(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// Whether the signed difference overflows.
    pub fn ssub_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(c) = self.as_bits(b) {
            // a - c overflows upward for c < 0 if a > max + c, and downward for c >= 0 if a < min + c.
            if c.is_negative() {
                let bound = Bits::signed_max(width).add(c);
                let bound = self.constant(bound);
                return self.slt(bound, a);
            }
            let bound = Bits::signed_min(width).add(c);
            let bound = self.constant(bound);
            return self.slt(a, bound);
        }
        // The operands differ in sign, and the sign of the difference is not that of the first operand.
        let difference = self.sub(a, b);
        let (p, q) = (self.bv_xor(a, b), self.bv_xor(a, difference));
        let both = self.bv_and(p, q);
        self.is_negative(both)
    }

    /// Whether the unsigned product overflows.
    pub fn umul_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = super::ordered(self, a, b);
        if let Some(c) = self.as_bits(b) {
            if c.is_zero() {
                return Terms::FALSE;
            }
            let bound = Bits::ones(width).udiv(c);
            let bound = self.constant(bound);
            return self.ult(bound, a);
        }
        self.intern(Op::UMulOverflows, &[a, b], Sort::Bool)
    }

    /// Whether the signed product overflows.
    pub fn smul_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = super::ordered(self, a, b);
        let Some(c) = self.as_bits(b).cloned() else {
            return self.intern(Op::SMulOverflows, &[a, b], Sort::Bool);
        };
        let (smallest, largest) = (Bits::signed_min(width), Bits::signed_max(width));
        if c.is_zero() {
            return Terms::FALSE;
        }
        if c.is_ones() {
            let smallest = self.constant(smallest);
            return self.eq(a, smallest);
        }
        // min / c and max / c, rounded toward zero, bound the values of a that do not overflow; a negative c swaps the
        // bounds.
        let (mut least, mut most) = (smallest.sdiv(&c), largest.sdiv(&c));
        if c.is_negative() {
            std::mem::swap(&mut least, &mut most);
        }
        let (least, most) = (self.constant(least), self.constant(most));
        let (below, above) = (self.slt(a, least), self.slt(most, a));
        self.or(below, above)
    }

    /// Whether the signed quotient overflows: the minimum divided by -1.
    pub fn sdiv_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (smallest, minus_one) =
            (self.constant(Bits::signed_min(width)), self.constant(Bits::ones(width)));
        let (p, q) = (self.eq(a, smallest), self.eq(b, minus_one));
        self.and(p, q)
    }

    /// Whether a left shift by less than the width shifts out a bit that is set.
    pub fn ushl_overflows(&mut self, a: Term, amount: Term) -> Term {
        let shifted = self.shl(a, amount);
        let back = self.lshr(shifted, amount);
        self.ne(back, a)
    }

    /// Whether a left shift by less than the width shifts out a bit that differs from the sign of the result.
    pub fn sshl_overflows(&mut self, a: Term, amount: Term) -> Term {
        let shifted = self.shl(a, amount);
        let back = self.ashr(shifted, amount);
        self.ne(back, a)
    }
}
