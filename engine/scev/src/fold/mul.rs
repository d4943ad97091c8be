//! Products.
//!
//! Constants and nested products are collected first. A constant is distributed over a sum in which it meets another
//! constant, and -1 over a sum in which it cancels in an operand. A recurrence absorbs the factors that are available
//! at the entry of its loop, and the other recurrences of its loop: `{a0,+,a1,+,…}` is the sum of `a_m * C(i, m)`, and
//! `C(i, m) * C(i, n)` is the sum over `k` of `C(k, m) * C(m, m + n - k) * C(i, k)`.

use super::{Claims, Operands};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// A product during folding.
struct Product {
    constant: Int,
    factors: Operands,
    claims: Claims,
}

impl ScalarEvolution<'_> {
    pub(super) fn fold_product(&mut self, operands: &[Expr], claims: Claims) -> Expr {
        let one = Int::one(self.width(operands[0]));
        let mut product = Product { constant: one, factors: Operands::new(), claims };
        let small = !self.too_large(operands);
        self.gather_product(&mut product, operands, small);
        if product.constant.is_zero() || product.factors.is_empty() {
            return self.constant(product.constant);
        }
        if let Some(known) = self.known_product(&product) {
            return known;
        }
        if small {
            if let [factor] = product.factors[..]
                && let Some(folded) = self.distribute(product.constant, factor, &product.claims)
            {
                return folded;
            }
            if let Some(folded) = self.multiply_add_recs(&product) {
                return folded;
            }
        }
        let operands = self.operands_of_product(&product);
        let count = operands.len();
        let expr =
            if small { self.intern_nary(NAry::Mul, operands) } else { self.unfolded(NAry::Mul, &operands) };
        self.learn_claims(expr, count, &product.claims);
        if small {
            self.strengthen_product(expr);
        }
        expr
    }

    fn gather_product(&mut self, product: &mut Product, operands: &[Expr], take_apart: bool) {
        let mut work: Operands = operands.iter().rev().copied().collect();
        while let Some(expr) = work.pop() {
            if let Some(value) = self.as_constant(expr) {
                let (unsigned, signed) = (
                    product.constant.mul_overflows_unsigned(value),
                    product.constant.mul_overflows_signed(value),
                );
                product.claims.merge_constants(Flags::new(unsigned, signed));
                product.constant = product.constant.mul(value);
                continue;
            }
            let most = self.limits.operands;
            match self.arena.as_nary(NAry::Mul, expr).filter(|_| take_apart) {
                Some(inner) if product.factors.len() + work.len() + inner.len() <= most => {
                    work.extend(inner.iter().rev().copied());
                    product.claims.take_apart(self.flags(expr), self.flags_here(expr), false);
                }
                _ => product.factors.push(expr),
            }
        }
    }
    fn operands_of_product(&mut self, product: &Product) -> Operands {
        let mut operands = Operands::new();
        if !product.constant.is_one() || product.factors.is_empty() {
            operands.push(self.constant(product.constant));
        }
        operands.extend(product.factors.iter().copied());
        crate::expr::sort_operands(&self.arena, &mut operands);
        operands
    }
    /// The product, if an earlier fold produced a product of exactly these operands.
    fn known_product(&mut self, product: &Product) -> Option<Expr> {
        let operands = self.operands_of_product(product);
        if let [one] = operands[..] {
            return Some(one);
        }
        let known = self.lookup_nary(NAry::Mul, &operands)?;
        self.learn_claims(known, operands.len(), &product.claims);
        Some(known)
    }

    /// Distributes the constant in `constant * factor`, if the result has fewer or simpler operations.
    fn distribute(&mut self, constant: Int, factor: Expr, claims: &Claims) -> Option<Expr> {
        if let Some(narrow) = self.arena.as_cast(Cast::ZExt, factor) {
            return self.multiply_inside_zext(constant, narrow);
        }
        let terms = self.arena.as_nary(NAry::Add, factor)?.clone();
        let scale = self.constant(constant);
        if terms.len() == 2 && self.has_constant_inside(factor) {
            // As unsigned, each part is at most the whole.
            let (given, here) = claims.of_part(true);
            let flags = given.and(self.flags(factor)).and(Flags::NUW);
            let flags_here = here.and(self.flags_here(factor)).and(Flags::NUW);
            let defining = claims.scope() == crate::Scope::Defining;
            let given = if defining { flags } else { Flags::NONE };
            // Each part is defined wherever the whole is; the reverse is certain only if the other part is a constant.
            let of_parts = if self.as_constant(terms[0]).is_some() { given } else { Flags::NONE };
            let parts = [terms[0], terms[1]].map(|t| self.mul_flagged(&[scale, t], of_parts));
            let whole = self.add_flagged(&parts, given);
            if self.arena.as_nary(NAry::Add, whole).is_some_and(|of| of.len() == 2) {
                self.learn_here(whole, flags_here);
            }
            return Some(whole);
        }
        if constant.is_all_ones() {
            let negated: Operands = terms.iter().map(|t| self.mul(&[scale, *t])).collect();
            if negated.iter().any(|t| self.arena.as_nary(NAry::Mul, *t).is_none()) {
                return Some(self.add(&negated));
            }
        }
        None
    }
    /// Whether a constant is among the terms of `sum`, or nested in one of its terms.
    fn has_constant_inside(&self, sum: Expr) -> bool {
        let mut work: Operands = [sum].into_iter().collect();
        let mut steps = 0;
        while let Some(expr) = work.pop() {
            let Some(inner) = self.arena.as_nary(NAry::Add, expr).or(self.arena.as_nary(NAry::Mul, expr))
            else {
                continue;
            };
            steps += inner.len();
            if self.as_constant(inner[0]).is_some() || steps > self.limits.operands {
                return true;
            }
            work.extend(inner.iter().copied());
        }
        false
    }
    /// `constant * zext(c + x)` as `zext(constant * (c + x))`, if the narrow product does not wrap.
    fn multiply_inside_zext(&mut self, constant: Int, narrow: Expr) -> Option<Expr> {
        let first = *self.arena.as_nary(NAry::Add, narrow)?.first()?;
        self.as_constant(first)?;
        let (width, wide) = (self.width(narrow), constant.width());
        if constant.trunc_loses_unsigned(width) {
            return None;
        }
        let small = self.constant(constant.trunc(width));
        if !self.flags_of_operands(NAry::Mul, &[small, narrow]).nuw() {
            return None;
        }
        let product = self.mul_flagged(&[small, narrow], Flags::NUW);
        Some(self.zext(product, wide))
    }

    fn multiply_add_recs(&mut self, product: &Product) -> Option<Expr> {
        let of = |e: &Expr| self.arena.as_add_rec(*e).map(|(l, _)| l);
        let mut loops: SmallVec<[LoopId; 4]> = product.factors.iter().filter_map(of).collect();
        // Inner and later loops first, for which the others are invariant.
        loops.sort_unstable_by(|a, b| b.cmp(a));
        loops.dedup();
        loops.into_iter().find_map(|l| self.multiply_into(product, l))
    }
    fn multiply_into(&mut self, product: &Product, l: LoopId) -> Option<Expr> {
        let (mut recs, mut invariant, mut other) = (Operands::new(), Operands::new(), Operands::new());
        for factor in &product.factors {
            if self.arena.as_add_rec(*factor).is_some_and(|(m, _)| m == l) {
                recs.push(*factor);
            } else if self.is_available_at_entry(*factor, l) {
                invariant.push(*factor);
            } else {
                other.push(*factor);
            }
        }
        if !product.constant.is_one() {
            invariant.push(self.constant(product.constant));
        }
        if !invariant.is_empty() {
            let scale = self.mul(&invariant);
            let whole = recs.len() == 1 && other.is_empty();
            let claims = if whole { product.claims } else { Claims::NONE };
            other.extend(recs.drain(1..));
            let scaled = self.scale_add_rec(recs[0], scale, &claims);
            other.push(scaled);
            return Some(self.mul(&other));
        }
        if recs.len() < 2 {
            return None;
        }
        let multiplied = self.multiply_two(recs[0], recs[1])?;
        other.extend(recs.drain(2..));
        other.push(multiplied);
        Some(self.mul(&other))
    }
    /// `scale * rec`, with the `claims` of this product; `scale` is available at the entry of the recurrence's loop.
    fn scale_add_rec(&mut self, rec: Expr, scale: Expr, claims: &Claims) -> Expr {
        let Some((l, operands)) = self.arena.as_add_rec(rec) else { return self.mul(&[scale, rec]) };
        let operands = operands.clone();
        let scaled: Operands = operands.iter().map(|e| self.mul(&[scale, *e])).collect();
        let result = self.add_rec(l, &scaled);
        if operands.len() > 2 || !self.is_add_rec_of(result, l, &scaled) {
            return result;
        }
        // Without claims, the leaves do not matter, and the search through all recurrences is expensive.
        let (given, here) = claims.of_part(true);
        let is_said = !given.with(here).is_empty() && self.keeps_leaves(&[scale, rec], result);
        let claims = if is_said { claims } else { &Claims::NONE };
        let (given, here) = claims.of_part(true);
        let (mut given, mut here) = (given.and(self.flags(rec)), here.and(self.flags_here(rec)));
        if given.with(here).nsw() {
            // The start is exact at the first arrival if the product is computed there; the step must be exact by
            // itself.
            let [start, step] =
                [operands[0], operands[1]].map(|e| self.flags_of_operands(NAry::Mul, &[scale, e]).nsw());
            let is_exact = |scope| step && (start || self.is_each_time(scope, l));
            if !is_exact(claims.scope()) {
                given = given.without(Flags::NSW);
            }
            if !is_exact(self.scope_here()) {
                here = here.without(Flags::NSW);
            }
        }
        if self.as_constant(scale).is_some_and(Int::is_all_ones) && self.flags(rec).nw() {
            // Negation covers the same distance in the other direction.
            self.learn(result, Flags::NW, crate::Scope::Defining);
        }
        self.learn_both(result, given, claims.scope(), here);
        self.strengthen_add_rec(result);
        result
    }
    /// The product of two recurrences of one loop, unless the result has too many operands.
    fn multiply_two(&mut self, left: Expr, right: Expr) -> Option<Expr> {
        let (l, a) = self.arena.as_add_rec(left)?;
        let (_, b) = self.arena.as_add_rec(right)?;
        let (a, b) = (a.clone(), b.clone());
        let length = a.len() + b.len() - 1;
        if length > self.limits.add_rec_operands {
            return None;
        }
        let width = self.width(left);
        let mut operands = Operands::new();
        for k in 0..length {
            let mut terms = Operands::new();
            for m in 0..a.len().min(k + 1) {
                for n in (k - m)..b.len().min(k + 1) {
                    let times = choose(k, m) * choose(m, m + n - k);
                    let times = self.int(width, times);
                    terms.push(self.mul(&[times, a[m], b[n]]));
                }
            }
            operands.push(if terms.is_empty() { self.int(width, 0) } else { self.add(&terms) });
        }
        if self.too_large(&operands) {
            return None;
        }
        Some(self.add_rec(l, &operands))
    }
}

/// The binomial coefficient, for small `n`.
fn choose(n: usize, k: usize) -> i128 {
    (0..k).fold(1, |c, j| if j > n { 0 } else { c * (n as i128 - j as i128) / (j as i128 + 1) })
}
