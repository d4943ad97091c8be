//! Sums.
//!
//! Collects the operands into one constant and a list of terms, and flattens nested sums. Then, until nothing changes:
//! merges like terms (in `terms`), and moves into an add recurrence the terms that are available at the entry of its
//! loop, and the other recurrences of its loop.

use super::{Claims, Operands};
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use smallvec::SmallVec;

/// Limit on the number of merge rounds. Each round reduces the number of terms, except for products that fold to sums.
const ROUNDS: u32 = 16;

/// A sum during folding.
pub(super) struct Sum {
    pub(super) constant: Int,
    pub(super) terms: Operands,
    pub(super) claims: Claims,
}

impl ScalarEvolution<'_> {
    pub(super) fn fold_sum(&mut self, operands: &[Expr], claims: Claims) -> Expr {
        let width = self.width(operands[0]);
        let mut sum = Sum { constant: Int::zero(width), terms: Operands::new(), claims };
        if self.too_large(operands) {
            self.gather_constants(&mut sum, operands);
            return self.finish_sum(sum, false);
        }
        let kept = self.kept_of_inner(operands);
        self.gather_sum(&mut sum, operands);
        if let Some(known) = self.known_sum(&sum) {
            self.learn_kept(known, kept);
            return known;
        }
        for _ in 0..ROUNDS {
            if sum.terms.is_empty() || sum.terms.len() == 1 && sum.constant.is_zero() {
                break;
            }
            let changed = self.merge_terms(&mut sum) || self.merge_add_recs(&mut sum);
            if !changed {
                break;
            }
        }
        let folded = self.finish_sum(sum, true);
        self.learn_kept(folded, kept);
        folded
    }

    /// Adds `operands` to the sum. Flattens nested sums while the number of terms is within the limit.
    pub(super) fn gather_sum(&mut self, sum: &mut Sum, operands: &[Expr]) {
        let mut work: Operands = operands.iter().rev().copied().collect();
        while let Some(expr) = work.pop() {
            if let Some(value) = self.as_constant(expr) {
                self.add_constant(sum, value);
                continue;
            }
            match self.arena.as_nary(NAry::Add, expr) {
                Some(inner) if sum.terms.len() + work.len() + inner.len() <= self.limits.operands => {
                    work.extend(inner.iter().rev().copied());
                    sum.claims.take_apart(self.flags(expr), self.flags_here(expr), true);
                }
                _ => sum.terms.push(expr),
            }
        }
    }
    fn gather_constants(&mut self, sum: &mut Sum, operands: &[Expr]) {
        for expr in operands {
            match self.as_constant(*expr) {
                Some(value) => self.add_constant(sum, value),
                None => sum.terms.push(*expr),
            }
        }
    }
    fn add_constant(&mut self, sum: &mut Sum, value: Int) {
        let wrapped =
            Flags::new(sum.constant.add_overflows_unsigned(value), sum.constant.add_overflows_signed(value));
        sum.claims.merge_constants(wrapped);
        sum.constant = sum.constant.add(value);
    }

    /// The operands in canonical order, the constant first.
    fn operands_of_sum(&mut self, sum: &Sum) -> Operands {
        let mut operands = Operands::new();
        if !sum.constant.is_zero() || sum.terms.is_empty() {
            operands.push(self.constant(sum.constant));
        }
        operands.extend(sum.terms.iter().copied());
        crate::expr::sort_operands(&self.arena, &mut operands);
        operands
    }
    /// The sum, if an earlier fold produced a sum of exactly these operands.
    fn known_sum(&mut self, sum: &Sum) -> Option<Expr> {
        let operands = self.operands_of_sum(sum);
        if let [one] = operands[..] {
            return Some(one);
        }
        let known = self.lookup_nary(NAry::Add, &operands)?;
        self.learn_claims(known, operands.len(), &sum.claims);
        Some(known)
    }
    fn finish_sum(&mut self, sum: Sum, folded: bool) -> Expr {
        let operands = self.operands_of_sum(&sum);
        if let [one] = operands[..] {
            return one;
        }
        let count = operands.len();
        if !folded {
            let expr = self.unfolded(NAry::Add, &operands);
            self.learn_claims(expr, count, &sum.claims);
            return expr;
        }
        let expr = self.intern_nary(NAry::Add, operands);
        self.learn_claims(expr, count, &sum.claims);
        self.strengthen_sum(expr);
        expr
    }

    /// For constants plus `(c + x + …)` with wrap flags: the inner sum, and those of its flags that still hold for the
    /// result because the constant moves towards 0.
    fn kept_of_inner(&mut self, operands: &[Expr]) -> Option<(Expr, Flags, Flags)> {
        let mut constant: Option<Int> = None;
        let mut inner = None;
        for expr in operands {
            match self.as_constant(*expr) {
                Some(value) => constant = Some(constant.map_or(value, |c| c.add(value))),
                None if inner.is_none() => inner = Some(*expr),
                None => return None,
            }
        }
        let (constant, inner) = (constant?, inner?);
        let first = *self.arena.as_nary(NAry::Add, inner)?.first()?;
        let before = self.as_constant(first)?;
        let after = before.add(constant);
        let same_sign = before.is_negative() == after.is_negative();
        let nearer = if before.is_negative() { before.sle(after) } else { after.sle(before) };
        let kept = Flags::new(after.ule(before), same_sign && nearer);
        Some((inner, self.flags(inner).and(kept), self.flags_here(inner).and(kept)))
    }
    fn learn_kept(&mut self, expr: Expr, kept: Option<(Expr, Flags, Flags)>) {
        let Some((inner, everywhere, here)) = kept else { return };
        let variable = |e: Expr| {
            let operands = self.arena.as_nary(NAry::Add, e)?;
            let constants = usize::from(self.as_constant(operands[0]).is_some());
            Some(&operands[constants..])
        };
        if variable(expr).is_some_and(|v| Some(v) == variable(inner)) {
            self.learn_both(expr, everywhere, Scope::Defining, here);
        }
    }

    /// Moves terms that are available at the entry of a loop into a recurrence of that loop, and adds the loop's
    /// recurrences together. Returns whether anything changed.
    fn merge_add_recs(&mut self, sum: &mut Sum) -> bool {
        let of = |e: &Expr| self.arena.as_add_rec(*e).map(|(l, _)| l);
        let mut loops: SmallVec<[LoopId; 4]> = sum.terms.iter().filter_map(of).collect();
        // Loop ids are in preorder. Process inner and later loops first, for which the others are invariant.
        loops.sort_unstable_by(|a, b| b.cmp(a));
        loops.dedup();
        loops.into_iter().any(|l| self.merge_into(sum, l))
    }
    fn merge_into(&mut self, sum: &mut Sum, l: LoopId) -> bool {
        let is_rec = |s: &Self, e: Expr| s.arena.as_add_rec(e).is_some_and(|(m, _)| m == l);
        let (mut recs, mut invariant, mut other) = (Operands::new(), Operands::new(), Operands::new());
        for term in sum.terms.clone() {
            if is_rec(self, term) {
                recs.push(term);
            } else if self.is_available_at_entry(term, l) {
                invariant.push(term);
            } else {
                other.push(term);
            }
        }
        if !sum.constant.is_zero() {
            invariant.push(self.constant(sum.constant));
        }
        if recs.len() == 1 && invariant.is_empty() {
            return false;
        }
        // A claim about all terms implies nothing, in its scope, for fewer terms, which may be defined in more places.
        let claims = if other.is_empty() { sum.claims } else { Claims::NONE };
        let merged = self.add_to_recs(l, &recs, invariant, &claims);
        sum.constant = Int::zero(sum.constant.width());
        sum.terms.clear();
        sum.claims.drop_all();
        other.push(merged);
        self.gather_sum(sum, &other);
        true
    }
    /// The sum of recurrences of one loop and of values available at its entry, with the `claims` of this sum.
    fn add_to_recs(&mut self, l: LoopId, recs: &[Expr], invariant: Operands, claims: &Claims) -> Expr {
        let columns: SmallVec<[_; 2]> = recs
            .iter()
            .map(|r| self.arena.as_add_rec(*r).map_or_else(|| [*r].into(), |(_, operands)| operands.clone()))
            .collect();
        let length = columns.iter().map(|c| c.len()).max().unwrap_or(0);
        let steps: SmallVec<[Operands; 2]> =
            (1..length).map(|k| columns.iter().filter_map(|c| c.get(k).copied()).collect()).collect();
        let (mut given, mut here) = claims.of_part(true);
        for rec in recs {
            given = given.and(self.flags(*rec));
            here = here.and(self.flags_here(*rec));
        }
        // Signed no-wrap requires that the sum was computed in each iteration.
        for (flags, scope) in [(&mut given, claims.scope()), (&mut here, self.scope_here())] {
            if !self.is_each_time(scope, l) {
                *flags = flags.without(Flags::NSW);
            }
        }
        if length > 2 {
            // Flags describe `start + i * step`.
            (given, here) = (Flags::NONE, Flags::NONE);
        } else if recs.len() > 1 && !self.adds_as_signed(&steps[0]) {
            (given, here) = (given.without(Flags::NSW), here.without(Flags::NSW));
        }
        let mut start = invariant;
        start.extend(columns.iter().map(|c| c[0]));
        // In the loop, and after it, the starts add up to the first value of the whole sum. If the step may be poison,
        // no claim about the whole sum exists.
        let defining = claims.scope() == Scope::Defining;
        let start_claims =
            if defining && length == 2 && !given.is_empty() && self.is_defined_with(&steps[0], &start) {
                claims.only_in(Scope::From(self.header(l)))
            } else {
                Claims::NONE
            };
        let mut operands: Operands = Operands::new();
        operands.push(if start.len() == 1 { start[0] } else { self.add_claimed(&start, start_claims) });
        for step in steps {
            operands.push(self.add(&step));
        }
        let rec = self.add_rec(l, &operands);
        if self.is_add_rec_of(rec, l, &operands) {
            if let [one] = recs {
                // The start does not affect the distance that the steps cover.
                let nw = |f: Flags| if f.nw() { Flags::NW } else { Flags::NONE };
                self.learn_both(rec, nw(self.flags(*one)), Scope::Defining, nw(self.flags_here(*one)));
            }
            if !given.with(here).is_empty() && self.keeps_leaves(&start, rec) {
                self.learn_both(rec, given, claims.scope(), here);
            }
            self.strengthen_add_rec(rec);
        }
        rec
    }
    /// Whether `steps` are neither poison nor undefined whenever `starts` are not.
    fn is_defined_with(&self, steps: &[Expr], starts: &[Expr]) -> bool {
        steps.iter().all(|step| {
            self.as_constant(*step).is_some()
                || starts.iter().any(|start| self.keeps_leaves(&[*step], *start))
        })
    }
    /// Whether `rec` is the recurrence of exactly these operands.
    pub(super) fn is_add_rec_of(&self, rec: Expr, l: LoopId, operands: &[Expr]) -> bool {
        self.arena.as_add_rec(rec).is_some_and(|(m, of)| m == l && **of == *operands)
    }
    /// Whether the signed sum of `operands` never overflows.
    fn adds_as_signed(&mut self, operands: &[Expr]) -> bool {
        let ranges: Operands = operands.into();
        ranges.len() < 2 || self.flags_of_operands(NAry::Add, &ranges).nsw()
    }
}
