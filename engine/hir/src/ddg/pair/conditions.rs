//! Iterations, loop bounds and guards as inequalities.
//!
//! A comparison of integers is required only where it means the same in ℤ: neither side may wrap. Otherwise it is
//! omitted, which only adds solutions.

use super::{Guard, Making, PairPlace, PairSide, WIDEST};
use crate::canon::{CanonExpr, Extension};
use crate::ddg::facts::{signed, unsigned};
use crate::ddg::solve::{Interval, Linear, Var};
use crate::ddref::RegDdRef;
use crate::node::{Kind, LoopKind, Node};
use backedge_ir::inst::IntPredicate;
use backedge_ir::int::Int;

impl<P: PairPlace> Making<'_, '_, P> {
    pub(super) fn most(&self, l: Node) -> Interval {
        let Kind::Loop(of) = self.of.hir.kind(l) else { return Interval::ALL };
        let most = of.most.and_then(|most| i128::try_from(most).ok());
        let of_bound = match &of.kind {
            LoopKind::Do { upper, .. } => {
                // The range of the type, unless the bound is constant.
                let width = upper.as_terminal().map_or(128, |f| f.dest_type().width);
                let any = (width <= WIDEST).then(|| unsigned(width).hi).flatten();
                constant(upper).and_then(|c| i128::try_from(c.bits()).ok()).or(any)
            }
            LoopKind::Unknown(_) => None,
        };
        Interval { lo: Some(0), hi: most }.meet(Interval { lo: None, hi: of_bound })
    }
    /// Creates the unknowns for iterations and distances.
    pub(super) fn iterations(&mut self) {
        let of = self.of;
        for l in of.a.loops {
            let domain = self.most(*l);
            let var = self.system.add_var(domain);
            self.first.push(var);
        }
        for (at, l) in of.b.loops.iter().enumerate() {
            let domain = self.most(*l);
            let iteration = match at {
                _ if at < self.equal => {
                    self.distances.push(None);
                    Linear::of(self.first[at])
                }
                _ if at < of.common => {
                    let distance = self.system.add_var(domain.plus(domain.negated()));
                    self.distances.push(Some(distance));
                    let sum = Linear { terms: vec![(self.first[at], 1), (distance, 1)], constant: 0 };
                    self.system.require(&sum, domain);
                    sum
                }
                _ => Linear::of(self.system.add_var(domain)),
            };
            self.second.push(iteration);
        }
    }
    /// Adds guards, and loop bounds that depend on outer iterations or on variables that the region does not write.
    pub(super) fn bounds(&mut self) {
        let of = self.of;
        for (side, guards) in [(PairSide::A, of.a.guards), (PairSide::B, of.b.guards)] {
            for guard in guards {
                let _ = self.guard(side, *guard);
            }
        }
        for (side, loops) in [(PairSide::A, of.a.loops), (PairSide::B, of.b.loops)] {
            for (at, l) in loops.iter().enumerate() {
                let Kind::Loop(l) = of.hir.kind(*l) else { continue };
                let LoopKind::Do { upper, .. } = &l.kind else { continue };
                if let Some(upper) = upper.as_terminal() {
                    // On overflow the bound is omitted.
                    let _ = self.bound(side, at, upper);
                }
            }
        }
    }
    /// Requires a comparison of integers to hold, as far as it can be expressed in ℤ.
    fn guard(&mut self, side: PairSide, (pred, refs): Guard<'_>) -> Option<()> {
        let of = self.of;
        let mut sums = [Linear::constant(0), Linear::constant(0)];
        let mut width = 0;
        for (sum, operand) in sums.iter_mut().zip(refs) {
            let form = operand.as_terminal().filter(|form| form.dest_type().is_int())?;
            width = form.dest_type().width;
            let is_plain = form.src_type().width == width && form.denominator().is_one();
            let temps = form.collect_temp_blobs(&of.hir.blobs);
            if !is_plain || width > WIDEST || !temps.into_iter().all(|t| of.place.is_invariant(t)) {
                return None;
            }
            *sum = self.numerator(form, side)?;
        }
        let [mut left, right] = sums;
        let ranges = [self.value_range(&left, side), self.value_range(&right, side)];
        let all = [signed(width), unsigned(width)];
        let are_in = |all: &Interval| ranges.iter().all(|range| range.is_in(*all));
        let is_meant = match pred {
            IntPredicate::Eq | IntPredicate::Ne => all.iter().any(are_in),
            _ if pred.is_signed() => are_in(&all[0]),
            _ => are_in(&all[1]),
        };
        if is_meant {
            left.add(&right, -1)?;
            match difference(pred) {
                Some(bounds) => self.system.require(&left, bounds),
                // A value different from an end of its interval is beyond that end.
                None if let [(var, coeff @ (1 | -1))] = left.terms[..] => {
                    self.is_not(var, left.constant.checked_mul(-coeff)?);
                }
                None => {}
            }
            return Some(());
        }
        // One side is a variable of unknown sign, the other a constant.
        let (number, bound, pred) = match (&left, &right) {
            (number, Linear { terms, constant }) if terms.is_empty() => (number, *constant, pred),
            (Linear { terms, constant }, number) if terms.is_empty() => (number, *constant, pred.swapped()),
            _ => return None,
        };
        let ([(var, 1)], 0) = (&number.terms[..], number.constant) else { return None };
        // The unsigned value equals the signed value if all values that satisfy the comparison are nonnegative.
        let holding = difference(pred)?.plus(Interval::new(bound, bound)).meet(signed(width));
        let is_same = pred.is_signed() && self.system.domain(*var).is_in(unsigned(width));
        if is_same && holding.is_in(unsigned(width)) {
            self.system.restrict(*var, holding);
        }
        Some(())
    }
    fn is_not(&mut self, var: Var, value: i128) {
        let Interval { lo, hi } = self.system.domain(var);
        let lo = if lo == Some(value) { value.checked_add(1) } else { lo };
        let hi = if hi == Some(value) { value.checked_sub(1) } else { hi };
        self.system.restrict(var, Interval { lo, hi });
    }
    /// Requires `iteration <= upper`, if the form has that value in ℤ.
    fn bound(&mut self, side: PairSide, at: usize, upper: &CanonExpr) -> Option<()> {
        let of = self.of;
        if upper.as_constant().is_some() || upper.src_type().width > WIDEST {
            return None;
        }
        // A truncated form may be less in ℤ than its operand.
        let width = upper.src_type().width;
        let range = match upper.extension() {
            Some(Extension::Sign) => Interval { lo: Some(0), hi: signed(width).hi },
            None if upper.dest_type().width < width => return None,
            Some(Extension::Zero) | None => unsigned(width),
        };
        let temps = upper.collect_temp_blobs(&of.hir.blobs);
        if !temps.into_iter().all(|t| of.place.is_invariant(t)) {
            return None;
        }
        let numerator = self.numerator(upper, side)?;
        if !self.value_range(&numerator, side).is_in(range) {
            return None;
        }
        let denominator = i128::try_from(upper.denominator().bits()).ok()?;
        let mut left = numerator;
        let iteration = self.iteration(side, at);
        left.add(&iteration, denominator.checked_neg()?)?;
        self.system.require(&left, Interval { lo: Some(0), hi: None });
        Some(())
    }
}

/// The interval of the left operand minus the right one if the comparison holds; `None` for `ne`.
fn difference(pred: IntPredicate) -> Option<Interval> {
    let (lo, hi) = match pred {
        IntPredicate::Eq => (Some(0), Some(0)),
        IntPredicate::Ne => return None,
        IntPredicate::Ugt | IntPredicate::Sgt => (Some(1), None),
        IntPredicate::Uge | IntPredicate::Sge => (Some(0), None),
        IntPredicate::Ult | IntPredicate::Slt => (None, Some(-1)),
        IntPredicate::Ule | IntPredicate::Sle => (None, Some(0)),
    };
    Some(Interval { lo, hi })
}

/// The value of a terminal reference, if it is constant.
fn constant(of: &RegDdRef) -> Option<Int> {
    of.as_terminal()?.as_constant()
}
