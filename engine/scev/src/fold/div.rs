//! Unsigned quotients and remainders.
//!
//! A division moves into operands that do not wrap and are divisible without remainder; common factors cancel. All
//! rules assume a nonzero divisor, since division by zero is UB.

use super::{Claims, Operands};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_ir::int::Int;

impl ScalarEvolution<'_> {
    /// The unsigned quotient.
    pub fn udiv(&mut self, left: Expr, right: Expr) -> Expr {
        if let Some(unknown) = [left, right].into_iter().find(|e| self.is_could_not_compute(*e)) {
            return unknown;
        }
        self.guarded(|s| s.fold_udiv(left, right), |s| s.plain_udiv(left, right))
    }
    fn plain_udiv(&mut self, left: Expr, right: Expr) -> Expr {
        let ty = self.ty(left);
        self.arena.intern(Node::UDiv([left, right]), ty)
    }
    fn fold_udiv(&mut self, left: Expr, right: Expr) -> Expr {
        let divisor = self.as_constant(right);
        if divisor.is_some_and(Int::is_zero) {
            return self.plain_udiv(left, right);
        }
        if divisor.is_some_and(Int::is_one) || self.is_zero(left) {
            return left;
        }
        if left == right {
            return self.constant_like(left, 1);
        }
        if self.is_below(left, right) || self.is_excess_over(left, right) {
            return self.constant_like(left, 0);
        }
        let folded = match divisor {
            _ if self.too_large(&[left, right]) => None,
            Some(divisor) => self.divide_by_constant(left, right, divisor),
            None => self.cancel_factors(left, right),
        };
        folded.unwrap_or_else(|| self.plain_udiv(left, right))
    }
    /// Whether the ranges imply that `left` is less than `right`.
    fn is_below(&mut self, left: Expr, right: Expr) -> bool {
        match (self.unsigned_range(left).unsigned_max(), self.unsigned_range(right).unsigned_min()) {
            (Some(most), Some(least)) => most.ult(least),
            _ => false,
        }
    }
    /// Whether `left` is `(c smax x) - c` with a positive `c` and `right` is `x`: then `left` is less than `x`, or `x`
    /// is zero.
    fn is_excess_over(&self, left: Expr, right: Expr) -> bool {
        let excess = || {
            let [c, max] = **self.arena.as_nary(NAry::Add, left)? else { return None };
            let [least, x] = **self.arena.as_nary(NAry::SMax, max)? else { return None };
            let (c, least) = (self.as_constant(c)?, self.as_constant(least)?);
            let positive = !least.is_negative() && !least.is_zero();
            (positive && c == least.neg() && x == right).then_some(())
        };
        excess().is_some()
    }

    fn divide_by_constant(&mut self, left: Expr, right: Expr, divisor: Int) -> Option<Expr> {
        match self.node(left) {
            Node::Constant(value) => Some(self.constant(value.udiv(divisor)?)),
            Node::UDiv([inner, by]) => {
                let by = self.as_constant(by).filter(|by| !by.is_zero())?;
                if by.mul_overflows_unsigned(divisor) {
                    return Some(self.constant_like(left, 0));
                }
                let by = self.constant(by.mul(divisor));
                Some(self.udiv(inner, by))
            }
            Node::AddRec(l, operands) if self.flags_here(left).nuw() && operands.len() == 2 => {
                self.divide_add_rec(l, left, [operands[0], operands[1]], divisor)
            }
            Node::NAry(NAry::Mul, factors) if self.flags_here(left).nuw() => {
                self.divide_product(left, &factors, divisor)
            }
            Node::NAry(NAry::Add, terms) if self.flags_here(left).nuw() => {
                let divided: Option<Operands> =
                    terms.iter().map(|t| self.divide_exactly(*t, right)).collect();
                let divided = divided?;
                let claims = Claims::new(Flags::NUW, self.scope_of_nuw(left));
                Some(self.add_claimed(&divided, claims))
            }
            _ => None,
        }
    }
    /// The scope in which `expr` is known not to wrap as unsigned, given that this is known in the current context.
    fn scope_of_nuw(&self, expr: Expr) -> crate::Scope {
        if self.flags(expr).nuw() { crate::Scope::Defining } else { self.scope_here() }
    }
    fn divide_add_rec(
        &mut self,
        l: LoopId,
        rec: Expr,
        [start, step]: [Expr; 2],
        divisor: Int,
    ) -> Option<Expr> {
        let by = self.as_constant(step)?;
        let scope = self.scope_of_nuw(rec);
        let divided = self.constant(divisor);
        if by.urem(divisor)?.is_zero() {
            let start = self.udiv(start, divided);
            let step = self.constant(by.udiv(divisor)?);
            let result = self.add_rec(l, &[start, step]);
            if self.is_add_rec_of(result, l, &[start, step]) {
                self.learn(result, Flags::NUW, scope);
            }
            return Some(result);
        }
        // If the divisor is a multiple of the step, the residue of the start modulo the step has no effect.
        let first = self.as_constant(start)?;
        let excess = first.urem(by)?;
        if !divisor.urem(by)?.is_zero() || excess.is_zero() {
            return None;
        }
        let lower = self.constant(first.sub(excess));
        let lowered = self.add_rec(l, &[lower, step]);
        self.learn(lowered, Flags::NUW, scope);
        Some(self.udiv(lowered, divided))
    }
    /// `product / divisor` for a product that does not wrap.
    fn divide_product(&mut self, product: Expr, factors: &[Expr], divisor: Int) -> Option<Expr> {
        let claims = Claims::new(Flags::NUW, self.scope_of_nuw(product));
        let right = self.constant(divisor);
        for (at, factor) in factors.iter().enumerate() {
            if let Some(quotient) = self.divide_exactly(*factor, right) {
                let mut rest: Operands = factors.into();
                rest[at] = quotient;
                return Some(self.mul_claimed(&rest, claims));
            }
        }
        let common = gcd(self.as_constant(factors[0])?, divisor);
        if common.is_one() {
            return None;
        }
        let mut rest: Operands = factors.into();
        rest[0] = self.constant(self.as_constant(factors[0])?.udiv(common)?);
        let rest = self.mul_claimed(&rest, claims);
        let right = self.constant(divisor.udiv(common)?);
        Some(self.udiv(rest, right))
    }
    /// `expr / divisor`, if that folds and leaves no remainder.
    fn divide_exactly(&mut self, expr: Expr, divisor: Expr) -> Option<Expr> {
        let quotient = self.udiv(expr, divisor);
        if matches!(self.arena.node(quotient), Node::UDiv(_)) {
            return None;
        }
        (self.mul(&[quotient, divisor]) == expr).then_some(quotient)
    }
    /// Cancels common factors of `left`, a product that does not wrap, and `right`, which is a single factor or such a
    /// product.
    fn cancel_factors(&mut self, left: Expr, right: Expr) -> Option<Expr> {
        let factors = self.arena.as_nary(NAry::Mul, left).filter(|_| self.flags_here(left).nuw())?;
        let mut above: Operands = factors.iter().copied().collect();
        let mut below: Operands = match self.arena.as_nary(NAry::Mul, right) {
            Some(factors) if self.flags_here(right).nuw() => factors.iter().copied().collect(),
            _ => [right].into_iter().collect(),
        };
        let before = below.len();
        below.retain(|factor| match above.iter().position(|f| f == factor) {
            Some(at) => {
                above.remove(at);
                false
            }
            None => true,
        });
        if below.len() == before {
            return None;
        }
        let [above, below] = [above, below].map(|rest| match rest[..] {
            [] => self.constant_like(left, 1),
            _ => self.mul(&rest),
        });
        Some(self.udiv(above, below))
    }

    /// The unsigned remainder.
    pub fn urem(&mut self, left: Expr, right: Expr) -> Expr {
        if let Some(unknown) = [left, right].into_iter().find(|e| self.is_could_not_compute(*e)) {
            return unknown;
        }
        if let Some(bits) = self.as_constant(right).and_then(Int::exact_log2) {
            let width = self.width(left);
            if bits == 0 {
                return self.int(width, 0);
            }
            let low = self.trunc(left, bits);
            return self.zext(low, width);
        }
        let quotient = self.udiv(left, right);
        // Facts of the current context may have simplified the quotient.
        let product = self.mul_flagged_here(&[quotient, right], Flags::NUW);
        self.sub(left, product)
    }
    /// `x` and `y`, if `expr` has the form in which [`Self::urem`] writes `x urem y`.
    pub fn as_urem(&mut self, expr: Expr) -> Option<(Expr, Expr)> {
        if let Some(low) = self.arena.as_cast(Cast::ZExt, expr) {
            let inner = self.arena.as_cast(Cast::Trunc, low)?;
            let (bits, width) = (self.width(low), self.width(expr));
            let whole = self.trunc_or_zext(inner, width);
            return Some((whole, self.constant(Int::new(width, 1 << bits))));
        }
        let [a, b] = **self.arena.as_nary(NAry::Add, expr)? else { return None };
        for (left, negated) in [(a, b), (b, a)] {
            let factors: Operands = match self.arena.as_nary(NAry::Mul, negated) {
                Some(factors) => factors.iter().copied().collect(),
                None => continue,
            };
            let quotients = factors.iter().filter_map(|f| match *self.arena.node(*f) {
                Node::UDiv([of, by]) if of == left => Some(by),
                _ => None,
            });
            let divisors: Operands = quotients.collect();
            for divisor in divisors {
                if self.urem(left, divisor) == expr {
                    return Some((left, divisor));
                }
            }
        }
        None
    }
}

/// The greatest common divisor of two nonzero values, as unsigned.
fn gcd(a: Int, b: Int) -> Int {
    let (mut a, mut b) = (a, b);
    while let Some(rest) = a.urem(b) {
        (a, b) = (b, rest);
    }
    a
}
