//! The value of an add recurrence at a given header arrival.
//!
//! `{a0,+,a1,+,…}` at arrival n is the sum of `ak * binomial(n, k)`. The binomial modulo 2^w is the product of `n, n-1,
//! …, n-k+1` divided by k!. The odd part of k! has an inverse modulo 2^w; its power of two is divided out of the
//! product, which is computed with that many additional bits. Source: Knuth, The Art of Computer Programming 1, 1.2.6,
//! and Bachmann, Wang and Zima, "Chains of Recurrences", 1994.

use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;

impl ScalarEvolution<'_> {
    /// The value of `{operands…}` at header arrival `n`, counted from 0; `n` is an unsigned number of any width.
    /// [`crate::Node::CouldNotCompute`] if the computation takes more than 128 bits.
    pub fn evaluate_at(&mut self, operands: &[Expr], n: Expr) -> Expr {
        if self.is_could_not_compute(n) {
            return n;
        }
        let width = self.width(operands[0]);
        let mut terms = vec![operands[0]];
        for (k, operand) in operands.iter().enumerate().skip(1) {
            let Some(ways) = self.binomial(n, k as u32, width) else { return self.could_not_compute() };
            terms.push(self.mul(&[*operand, ways]));
        }
        self.add(&terms)
    }

    /// `expr` at header arrival `n` of `l`, counted from 0: evaluates its recurrences of `l`, and its leaves whose
    /// value at that arrival is known. All other parts count as unchanged. `None` if an add recurrence cannot be
    /// evaluated.
    pub fn at_arrival(&mut self, expr: Expr, l: LoopId, n: Expr) -> Option<Expr> {
        let mut known = true;
        let at = self.rewrite(expr, &mut |this, e| {
            if let Node::Unknown(Value::Inst(inst)) = *this.arena.node(e) {
                let is_inside =
                    this.at.body.block_of(inst).is_some_and(|b| this.loops.innermost(b) == Some(l));
                return if is_inside { this.leaf_at_arrival(inst, l, n) } else { None };
            }
            let (of, operands) = this.arena.as_add_rec(e)?;
            if of != l {
                return None;
            }
            let operands = operands.clone();
            let value = this.evaluate_at(&operands, n);
            known &= !this.is_could_not_compute(value);
            Some(if known { value } else { e })
        })?;
        known.then_some(at)
    }

    /// `binomial(n, k)` modulo 2^width; `k` is at least 1.
    fn binomial(&mut self, n: Expr, k: u32, width: u32) -> Option<Expr> {
        let mut odd = Int::one(width);
        let mut twos = 0;
        for factor in 2..=u128::from(k) {
            twos += factor.trailing_zeros();
            odd = odd.mul(Int::new(width, factor >> factor.trailing_zeros()));
        }
        let wide = width.checked_add(twos).filter(|w| *w <= 128)?;
        let n = self.trunc_or_zext(n, wide);
        let factors: Vec<Expr> = (0..i128::from(k))
            .map(|i| {
                let back = self.int(wide, -i);
                self.add(&[n, back])
            })
            .collect();
        let product = self.mul(&factors);
        let divisor = self.constant(Int::new(wide, 1 << twos));
        let quotient = self.udiv(product, divisor);
        let quotient = self.trunc(quotient, width);
        let inverse = self.constant(odd_inverse(odd));
        Some(self.mul(&[inverse, quotient]))
    }
}

/// The inverse of `odd` modulo 2^width, by Newton's iteration: each step doubles the number of correct bits.
fn odd_inverse(odd: Int) -> Int {
    let two = Int::new(odd.width(), 2);
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.mul(two.sub(odd.mul(inverse)));
    }
    inverse
}
