//! Flags that follow from the ranges of operands, from other flags and from loop counts.
//!
//! The current context may have narrower ranges of operands than the whole defining scope. So flags are derived twice,
//! once for each scope.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;

impl ScalarEvolution<'_> {
    /// Learns the flags of `expr`, a sum, product or add recurrence, that follow from ranges and other flags. Learns
    /// nothing about other expressions.
    pub fn strengthen(&mut self, expr: Expr) {
        match self.arena.node(expr) {
            Node::NAry(NAry::Add, _) => self.strengthen_sum(expr),
            Node::NAry(NAry::Mul, _) => self.strengthen_product(expr),
            Node::AddRec(..) => self.strengthen_add_rec(expr),
            _ => {}
        }
    }
    pub(super) fn strengthen_sum(&mut self, expr: Expr) {
        self.strengthen_nary(NAry::Add, expr);
    }
    pub(super) fn strengthen_product(&mut self, expr: Expr) {
        self.strengthen_nary(NAry::Mul, expr);
    }
    fn strengthen_nary(&mut self, op: NAry, expr: Expr) {
        self.in_each_scope(expr, |this| this.strengthen_nary_here(op, expr));
    }
    /// Runs `learn`, which learns flags of `expr` in the current context, first for the whole defining scope and then
    /// here.
    fn in_each_scope(&mut self, expr: Expr, learn: impl Fn(&mut Self)) {
        let context = self.context.take();
        learn(self);
        self.context = context;
        if self.has_context() && !self.flags(expr).contains(Flags::BOTH) {
            learn(self);
        }
    }
    fn strengthen_nary_here(&mut self, op: NAry, expr: Expr) {
        if self.flags_here(expr).contains(Flags::BOTH) {
            return;
        }
        let Some(operands) = self.arena.as_nary(op, expr) else { return };
        let operands: Operands = operands.iter().copied().collect();
        let known = self.flags_of_operands(op, &operands);
        self.learn_here(expr, known);
        // Non-negative operands whose signed result does not wrap stay below 2^width.
        let here = self.flags_here(expr);
        if here.nsw() && !here.nuw() && operands.iter().all(|e| self.is_never_negative(*e)) {
            self.learn_here(expr, Flags::NUW);
        }
        if op == NAry::Mul && !here.nuw() && self.is_rounded_down(&operands) {
            self.learn(expr, Flags::NUW, Scope::Defining);
        }
    }
    /// The scope of facts derived in the current context.
    pub(super) fn scope_here(&self) -> Scope {
        self.context.map_or(Scope::Defining, Scope::From)
    }
    /// Whether `operands` are `x / y` and `y`.
    fn is_rounded_down(&self, operands: &[Expr]) -> bool {
        let [a, b] = *operands else { return false };
        [(a, b), (b, a)]
            .iter()
            .any(|(q, d)| matches!(self.arena.node(*q), Node::UDiv([_, divisor]) if divisor == d))
    }
    /// The flags that the ranges of `operands` imply for their sum or product, in the strong form.
    pub(super) fn flags_of_operands(&mut self, op: NAry, operands: &[Expr]) -> Flags {
        let ranges = |s: &mut Self, signed: bool| -> Option<Vec<(Int, Int)>> {
            operands
                .iter()
                .map(|e| {
                    let range = if signed { s.signed_range(*e) } else { s.unsigned_range(*e) };
                    match signed {
                        true => Some((range.signed_min()?, range.signed_max()?)),
                        false => Some((range.unsigned_min()?, range.unsigned_max()?)),
                    }
                })
                .collect()
        };
        let (Some(unsigned), Some(signed)) = (ranges(self, false), ranges(self, true)) else {
            return Flags::NONE;
        };
        match op {
            NAry::Add => Flags::new(sum_fits(&unsigned), signed_sum_fits(&signed)),
            NAry::Mul => Flags::new(product_fits(&unsigned), signed_product_fits(&signed)),
            _ => Flags::NONE,
        }
    }
    /// Whether `expr` is non-negative as signed wherever it is defined.
    pub(crate) fn is_never_negative(&mut self, expr: Expr) -> bool {
        self.signed_range(expr).signed_min().is_some_and(|least| !least.is_negative())
    }
    /// Whether `expr` is negative as signed wherever it is defined.
    pub(super) fn is_always_negative(&mut self, expr: Expr) -> bool {
        self.signed_range(expr).signed_max().is_some_and(Int::is_negative)
    }

    /// Learns flags of an affine recurrence from its other flags, from the ranges of its operands, and from the count
    /// of its loop if that is already known.
    pub(super) fn strengthen_add_rec(&mut self, expr: Expr) {
        self.in_each_scope(expr, |this| this.strengthen_add_rec_here(expr));
    }
    fn strengthen_add_rec_here(&mut self, expr: Expr) {
        let Some((l, operands)) = self.arena.as_add_rec(expr) else { return };
        let [start, step] = **operands else { return };
        let known = self.flags_here(expr);
        if known.contains(Flags::BOTH) {
            return;
        }
        if known.nw() && !known.nuw() && self.is_never_negative(step) {
            // Counting up from 0, the distance is the value; as signed, an increasing value in range stays above the
            // start.
            let rises = self.is_zero(start) || known.nsw() && self.is_never_negative(start);
            if rises {
                self.learn_here(expr, Flags::NUW);
            }
        }
        let counted = self.flags_from_count(l, start, step);
        self.learn_here(expr, counted);
    }
    /// The flags of `{start,+,step}` that follow from the constant maximum of the backedge-taken count, if that is
    /// already known: whether `start + count * step` and all earlier values are in range.
    pub(crate) fn flags_from_count(&mut self, l: LoopId, start: Expr, step: Expr) -> Flags {
        let Some(most) = self.counts.of.get(&l).map(|c| c.constant_max) else { return Flags::NONE };
        let Some(most) = self.as_constant(most) else { return Flags::NONE };
        let width = self.width(step);
        let unsigned = (self.unsigned_range(start).unsigned_max(), self.unsigned_range(step).unsigned_max());
        let (start, step) = (self.signed_range(start), self.signed_range(step));
        let signed = (start.signed_min(), start.signed_max(), step.signed_min(), step.signed_max());
        let mut flags = Flags::NONE;
        if let (Some(start), Some(step)) = unsigned
            && distance_fits(start.bits(), most.bits(), step.bits(), Int::unsigned_max(width).bits())
        {
            flags = flags.with(Flags::NUW);
        }
        if let (Some(lowest), Some(highest), Some(least), Some(greatest)) = signed {
            // Distances to the ends of the range, as unsigned numbers.
            let (smin, smax) = (Int::signed_min(width), Int::signed_max(width));
            let up = if greatest.is_negative() { 0 } else { greatest.bits() };
            let down = if least.is_negative() { least.neg().bits() } else { 0 };
            if distance_fits(0, most.bits(), up, smax.sub(highest).bits())
                && distance_fits(0, most.bits(), down, lowest.sub(smin).bits())
            {
                flags = flags.with(Flags::NSW);
            }
            if distance_fits(0, most.bits(), up.max(down), Int::unsigned_max(width).bits()) {
                flags = flags.with(Flags::NW);
            }
        }
        flags
    }
}

/// Whether `start + times * step` is at most `most`, in ℤ.
fn distance_fits(start: u128, times: u128, step: u128, most: u128) -> bool {
    times.checked_mul(step).and_then(|way| way.checked_add(start)).is_some_and(|end| end <= most)
}

fn sum_fits(ranges: &[(Int, Int)]) -> bool {
    let mut sum = Int::zero(ranges[0].0.width());
    ranges.iter().all(|(_, most)| {
        let fits = !sum.add_overflows_unsigned(*most);
        sum = sum.add(*most);
        fits
    })
}

/// Whether the positive values sum to a value in range, and the negative values too.
fn signed_sum_fits(ranges: &[(Int, Int)]) -> bool {
    let zero = Int::zero(ranges[0].0.width());
    let (mut low, mut high) = (zero, zero);
    ranges.iter().all(|(least, most)| {
        let (down, up) = (least.smin(zero), most.smax(zero));
        let fits = !low.add_overflows_signed(down) && !high.add_overflows_signed(up);
        (low, high) = (low.add(down), high.add(up));
        fits
    })
}

/// Whether every product of a subset of the factors is in range: a factor of 0 does not excuse the others.
fn product_fits(ranges: &[(Int, Int)]) -> bool {
    let one = Int::one(ranges[0].0.width());
    let mut product = one;
    ranges.iter().all(|(_, most)| {
        let most = if ranges.len() == 2 { *most } else { most.umax(one) };
        let fits = !product.mul_overflows_unsigned(most);
        product = product.mul(most);
        fits
    })
}

fn signed_product_fits(ranges: &[(Int, Int)]) -> bool {
    if let [a, b] = *ranges {
        let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
        return ends.iter().all(|(x, y)| !x.mul_overflows_signed(*y));
    }
    // Compare magnitudes: all values but the minimum are in range with both signs.
    let width = ranges[0].0.width();
    let one = Int::one(width);
    let mut product = one;
    ranges.iter().all(|(least, most)| {
        let magnitude = least.abs().umax(most.abs()).umax(one);
        let fits = !product.mul_overflows_unsigned(magnitude)
            && !product.mul(magnitude).is_negative()
            && !magnitude.is_negative();
        product = product.mul(magnitude);
        fits
    })
}
