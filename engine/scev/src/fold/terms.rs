//! Terms of a sum: like terms, terms with a common factor, truncated terms.
//!
//! A term is a base with a constant coefficient. Terms with the same base are merged. A scaled sum `c * (x + y)` keeps
//! its form (and its wrap flags) unless a part of it is like another term. Terms with a common non-constant factor
//! become one product: `x * y + x * z` is `x * (y + z)`. A sum of truncated values is folded in the wide type, if a
//! single value remains there.

use super::add::Sum;
use super::{Claims, Operands};
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Bases with coefficients, in order of first appearance, and the number of terms merged into each.
#[derive(Default)]
struct Combination {
    terms: SmallVec<[(Expr, Int, u32); 8]>,
    /// The position of each base; used from [`FEW`] terms on.
    index: FxHashMap<Expr, usize>,
}

/// The number of terms up to which a linear search is used; with more, an index is built.
const FEW: usize = 16;

impl Combination {
    fn add(&mut self, base: Expr, coefficient: Int) {
        let found = if self.terms.len() < FEW {
            self.terms.iter().position(|(b, ..)| *b == base)
        } else {
            if self.index.is_empty() {
                self.index = self.terms.iter().enumerate().map(|(i, (b, ..))| (*b, i)).collect();
            }
            self.index.get(&base).copied()
        };
        match found {
            Some(at) => {
                let (_, sum, count) = &mut self.terms[at];
                (*sum, *count) = (sum.add(coefficient), *count + 1);
            }
            None => {
                if !self.index.is_empty() {
                    self.index.insert(base, self.terms.len());
                }
                self.terms.push((base, coefficient, 1));
            }
        }
    }
    fn has_like_terms(&self) -> bool {
        self.terms.iter().any(|(.., count)| *count > 1)
    }
}

impl ScalarEvolution<'_> {
    /// Merges terms of `sum` where possible. Returns whether any were merged.
    pub(super) fn merge_terms(&mut self, sum: &mut Sum) -> bool {
        self.merge_like_terms(sum)
            || self.merge_remainder(sum)
            || self.fold_truncated(sum)
            || self.merge_common_factor(sum)
    }

    /// `expr` as a constant times a base.
    pub(super) fn split_coefficient(&mut self, expr: Expr) -> (Int, Expr) {
        let one = Int::one(self.width(expr));
        let Some(factors) = self.arena.as_nary(NAry::Mul, expr) else { return (one, expr) };
        let Some(coefficient) = self.as_constant(factors[0]) else { return (one, expr) };
        let base = match &factors[1..] {
            [base] => *base,
            rest => {
                let rest: Operands = rest.into();
                self.intern_nary(NAry::Mul, rest)
            }
        };
        (coefficient, base)
    }

    fn merge_like_terms(&mut self, sum: &mut Sum) -> bool {
        let mut combination = Combination::default();
        let mut scaled_sum = false;
        for term in sum.terms.clone() {
            let (coefficient, base) = self.split_coefficient(term);
            scaled_sum |= !coefficient.is_one() && self.arena.as_nary(NAry::Add, base).is_some();
            combination.add(base, coefficient);
        }
        if combination.has_like_terms() {
            self.rebuild(sum, &combination);
            return true;
        }
        scaled_sum && self.expand_scaled(sum)
    }
    /// Replaces the terms with `combination`, which merged some of them.
    fn rebuild(&mut self, sum: &mut Sum, combination: &Combination) {
        sum.terms.clear();
        sum.claims.merge_terms();
        let mut terms = Operands::new();
        for (base, coefficient, count) in &combination.terms {
            let term = self.scaled(*base, *coefficient);
            // If a leaf has disappeared, the claim's scope is not that of the remaining terms.
            let keeps_leaves = *count == 1 || self.split_coefficient(term) == (*coefficient, *base);
            if !keeps_leaves {
                sum.claims.drop_all();
            }
            terms.push(term);
        }
        self.gather_sum(sum, &terms);
    }
    fn scaled(&mut self, base: Expr, coefficient: Int) -> Expr {
        if coefficient.is_one() {
            return base;
        }
        let coefficient = self.constant(coefficient);
        self.mul(&[coefficient, base])
    }
    /// Flattens scaled sums if this merges terms or constants.
    fn expand_scaled(&mut self, sum: &mut Sum) -> bool {
        let mut combination = Combination::default();
        let mut constant = sum.constant;
        let mut steps = 0;
        let mut folded = false;
        let one = Int::one(constant.width());
        let mut work: SmallVec<[(Expr, Int); 8]> = sum.terms.iter().rev().map(|t| (*t, one)).collect();
        while let Some((expr, scale)) = work.pop() {
            steps += 1;
            if steps > 4 * self.limits.operands {
                return false;
            }
            let (coefficient, base) = self.split_coefficient(expr);
            let scale = scale.mul(coefficient);
            if let Some(value) = self.as_constant(base) {
                constant = constant.add(value.mul(scale));
                folded = true;
                continue;
            }
            match self.arena.as_nary(NAry::Add, base) {
                Some(inner) => work.extend(inner.iter().rev().map(|e| (*e, scale))),
                None => combination.add(base, scale),
            }
        }
        if !folded && !combination.has_like_terms() {
            return false;
        }
        sum.claims.drop_all();
        sum.constant = constant;
        self.rebuild(sum, &combination);
        true
    }

    /// Rewrites `x` without its low bits, `x - x urem 2^k`, and multiples of it as `2^k * (x /u 2^k)`.
    fn merge_remainder(&mut self, sum: &mut Sum) -> bool {
        let width = sum.constant.width();
        let mut split: SmallVec<[(Int, Expr); 8]> = SmallVec::new();
        for term in sum.terms.clone() {
            split.push(self.split_coefficient(term));
        }
        let low_bits = |base: Expr| {
            let low = self.arena.as_cast(Cast::ZExt, base)?;
            let whole = self.arena.as_cast(Cast::Trunc, low)?;
            (self.width(whole) == width).then(|| (whole, self.width(low)))
        };
        let found = split.iter().enumerate().find_map(|(at, (coefficient, base))| {
            let (whole, bits) = low_bits(*base)?;
            let other = split.iter().position(|(c, b)| *b == whole && *c == coefficient.neg())?;
            Some((at, other, whole, bits))
        });
        let Some((at, other, whole, bits)) = found else { return false };
        let unit = Int::new(width, 1 << bits);
        let by = self.constant(unit);
        let high = self.udiv(whole, by);
        let rounded = self.mul_flagged(&[by, high], crate::Flags::NUW);
        let merged = self.scaled(rounded, split[other].0);
        sum.terms[other] = merged;
        sum.terms.remove(at);
        sum.claims.merge_terms();
        let terms = std::mem::take(&mut sum.terms);
        self.gather_sum(sum, &terms);
        true
    }

    /// Folds truncated terms that have one wide type: the sum in that type, if it is a single value or a constant.
    fn fold_truncated(&mut self, sum: &mut Sum) -> bool {
        let source = |s: &Self, e: Expr| s.arena.as_cast(Cast::Trunc, e).map(|x| s.width(x));
        let mut wide = None;
        let mut truncated = 0;
        for term in sum.terms.clone() {
            let (_, base) = self.split_coefficient(term);
            let Some(width) = source(self, base) else { return false };
            if *wide.get_or_insert(width) != width {
                return false;
            }
            truncated += 1;
        }
        let Some(wide) = wide.filter(|_| truncated > 1) else { return false };
        let mut operands = Operands::new();
        for term in sum.terms.clone() {
            let (coefficient, base) = self.split_coefficient(term);
            let base = self.arena.as_cast(Cast::Trunc, base).unwrap_or(base);
            operands.push(self.scaled(base, coefficient.zext(wide)));
        }
        operands.push(self.constant(sum.constant.zext(wide)));
        let folded = self.add(&operands);
        if !matches!(self.arena.node(folded), Node::Constant(_) | Node::Unknown(_)) {
            return false;
        }
        let narrow = self.trunc(folded, sum.constant.width());
        sum.constant = Int::zero(sum.constant.width());
        sum.terms.clear();
        sum.claims.drop_all();
        self.gather_sum(sum, &[narrow]);
        true
    }

    /// Merges two terms, at least one of them a product, that have a common non-constant factor.
    fn merge_common_factor(&mut self, sum: &mut Sum) -> bool {
        let is_product = |s: &Self, e: &Expr| s.arena.as_nary(NAry::Mul, *e).is_some();
        if !sum.terms.iter().any(|e| is_product(self, e)) {
            return false;
        }
        crate::expr::sort_operands(&self.arena, &mut sum.terms);
        let mut with_factor: FxHashMap<Expr, usize> = FxHashMap::default();
        let mut found = None;
        'terms: for (at, term) in sum.terms.iter().enumerate() {
            let factors = self.arena.as_nary(NAry::Mul, *term);
            for factor in factors.map_or(std::slice::from_ref(term), |f| f) {
                if self.as_constant(*factor).is_none()
                    && let Some(first) = with_factor.insert(*factor, at)
                    && first != at
                {
                    found = Some((first, at, *factor));
                    break 'terms;
                }
            }
        }
        let Some((first, second, factor)) = found else { return false };
        let rests = [first, second].map(|at| self.without_factor(sum.terms[at], factor));
        let rest = self.add(&rests);
        let merged = self.mul(&[factor, rest]);
        sum.terms.remove(second);
        sum.terms[first] = merged;
        sum.claims = Claims::NONE;
        let terms = std::mem::take(&mut sum.terms);
        self.gather_sum(sum, &terms);
        true
    }
    /// `term / factor`; `factor` is one of the factors of `term`, or `term` itself.
    fn without_factor(&mut self, term: Expr, factor: Expr) -> Expr {
        let mut rest: Operands = match self.arena.as_nary(NAry::Mul, term) {
            Some(factors) if term != factor => factors.iter().copied().collect(),
            _ => return self.constant_like(term, 1),
        };
        if let Some(at) = rest.iter().position(|f| *f == factor) {
            rest.remove(at);
        }
        if let [one] = rest[..] { one } else { self.intern_nary(NAry::Mul, rest) }
    }
}
