//! Equality: the distance of a recurrence from zero.
//!
//! `{S,+,X}` is zero in iteration `n` if `X * n = -S` modulo 2^w; the count is the least such `n` as unsigned. Let the
//! distance `D` in the direction of the step be `-S` (counting up) or `S` (counting down). Then:
//!
//! - with a step of 1 or -1 the recurrence reaches zero after `D` iterations;
//! - with a constant step `2^k * odd` it reaches zero if `2^k` divides the distance, after `D * odd^-1 / 2^k`
//!   iterations;
//! - if the step divides the distance, the count is `D / |X|`: in earlier iterations, `|X| * i < D`;
//! - the same count holds if the recurrence has no self-wrap and the exit must be taken: a recurrence that stepped over
//!   zero would wrap around itself before it reached zero.

use super::Limit;
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;

impl ScalarEvolution<'_> {
    /// Whether `expr`, evaluated on entry to `l`, is certainly nonzero.
    pub(super) fn is_entry_nonzero(&mut self, expr: Expr, l: LoopId) -> bool {
        let zero = Int::zero(self.width(expr));
        let guarded = self.apply_guards(expr, l);
        if !self.unsigned_range(expr).contains(zero) || !self.unsigned_range(guarded).contains(zero) {
            return true;
        }
        let zero = self.constant(zero);
        self.is_entry_guarded(l, P::Ne, expr, zero)
    }
    /// Whether `expr`, evaluated on entry to `l`, is negative; `None` if not known.
    pub(super) fn entry_sign(&mut self, expr: Expr, l: LoopId) -> Option<bool> {
        let zero = self.int(self.width(expr), 0);
        if !self.entry_bound(expr, l, true, false).is_negative()
            || self.is_entry_guarded(l, P::Sge, expr, zero)
        {
            return Some(false);
        }
        let negative = self.entry_bound(expr, l, true, true).is_negative()
            || self.is_entry_guarded(l, P::Slt, expr, zero);
        negative.then_some(true)
    }

    /// A value that is zero exactly if `expr` is: strips injective casts.
    fn without_injections(&self, mut expr: Expr) -> Expr {
        while let Node::Cast(Cast::ZExt | Cast::SExt | Cast::PtrToInt, of) = self.arena.node(expr) {
            if self.ty(*of).is_pointer() {
                break;
            }
            expr = *of;
        }
        expr
    }

    /// The limit of an exit that stays while `expr` is nonzero. `no_wrap`: `expr` has no self-wrap if the exit is
    /// reached.
    pub(super) fn until_zero(&mut self, l: LoopId, expr: Expr, no_wrap: bool, controls: bool) -> Limit {
        let expr = self.without_injections(expr);
        if let Some(constant) = self.as_constant(expr) {
            return if constant.is_zero() { self.at_once(constant.width()) } else { Limit::NEVER };
        }
        let Some((of, operands)) = self.arena.as_add_rec(expr) else { return Limit::UNKNOWN };
        if of != l {
            return Limit::UNKNOWN;
        }
        if operands.len() > 2 {
            let constants = operands.iter().map(|e| self.arena.as_constant(*e)).collect::<Option<Vec<_>>>();
            return match constants.map(|c| super::solve::first_root(&c)) {
                Some(Ok(Some(root))) => Limit::exact(self.constant(root), root),
                Some(Ok(None)) => Limit::NEVER,
                Some(Err(())) | None => Limit::UNKNOWN,
            };
        }
        let scope = self.loops.parent(l);
        let [start, step] = [operands[0], operands[1]].map(|e| self.compared_at_scope(l, e, scope));
        if self.is_could_not_compute(start) || self.is_could_not_compute(step) {
            return Limit::UNKNOWN;
        }
        let always = self.flags_here(expr).nw();
        let limit = self.affine_until_zero(l, [start, step], no_wrap || always, controls);
        if always { limit.or(self.before_wrapping(l, step)) } else { limit }
    }
    /// The maximum that a recurrence without self-wrap implies for any loop: `|step| * arrivals` is in range.
    fn before_wrapping(&mut self, l: LoopId, step: Expr) -> Limit {
        let Some(negative) = self.entry_sign(step, l) else { return Limit::UNKNOWN };
        let magnitude = if negative { self.neg(step) } else { step };
        let least = self.entry_bound(magnitude, l, false, false);
        Int::all_ones(least.width()).udiv(least).map_or(Limit::UNKNOWN, Limit::max)
    }

    fn affine_until_zero(
        &mut self,
        l: LoopId,
        [start, step]: [Expr; 2],
        no_wrap: bool,
        controls: bool,
    ) -> Limit {
        let Some(negative) = self.entry_sign(step, l) else {
            return self.divided(l, start, step, controls);
        };
        let (distance, magnitude) = if negative { (start, self.neg(step)) } else { (self.neg(start), step) };
        if self.as_constant(magnitude).is_some_and(Int::is_one) {
            return self.unit_steps(l, distance);
        }
        if no_wrap && controls && self.progress(l).leaves_by_exits {
            // With a step of zero, the exit leaves in the first iteration or never.
            let magnitude = if self.is_entry_nonzero(magnitude, l) {
                Some(magnitude)
            } else if self.must_fire(l, controls) {
                Some(self.one_if_zero(magnitude))
            } else {
                None
            };
            if let Some(magnitude) = magnitude {
                let count = self.udiv(distance, magnitude);
                let count =
                    self.guarded_against_poison_step(l, [distance, count], step, [start, start], controls);
                return count.map_or(Limit::UNKNOWN, |count| self.exact_limit(l, count));
            }
        }
        match self.as_constant(step) {
            Some(constant) => self.linear(l, start, constant),
            None => self.divided(l, start, step, controls),
        }
    }
    /// `max(expr, 1)`.
    pub(super) fn one_if_zero(&mut self, expr: Expr) -> Expr {
        let one = self.int(self.width(expr), 1);
        self.min_max(NAry::UMax, &[expr, one])
    }
    fn unit_steps(&mut self, l: LoopId, distance: Expr) -> Limit {
        let mut limit = self.exact_limit(l, distance);
        let width = self.width(distance);
        let one = self.int(width, 1);
        let next = self.add(&[distance, one]);
        // In a rotated loop, the distance is one less than the value that the guard bounds.
        if self.is_entry_nonzero(next, l) {
            let most = self.entry_umax(next, l);
            if !most.is_zero() {
                let most = most.sub(Int::one(width));
                limit.constant_max = limit.constant_max.map(|known| known.umin(most));
            }
        }
        limit
    }
    /// Solves `step * n = -start` modulo 2^w for a constant step.
    fn linear(&mut self, l: LoopId, start: Expr, step: Int) -> Limit {
        let width = step.width();
        if step.is_zero() {
            return Limit::UNKNOWN;
        }
        let zeros = step.trailing_zeros();
        let target = self.neg(start);
        if zeros > 0 && !self.is_entry_multiple(target, zeros, l) {
            return Limit::UNKNOWN;
        }
        let odd = Int::new(width, step.bits() >> zeros);
        let inverse = self.constant(inverse(odd));
        let product = self.mul(&[inverse, target]);
        let power = self.constant(Int::new(width, 1 << zeros));
        let count = self.udiv(product, power);
        self.exact_limit(l, count)
    }
    /// Whether `expr`, evaluated on entry to `l`, is a multiple of 2^zeros.
    pub(super) fn is_entry_multiple(&mut self, expr: Expr, zeros: u32, l: LoopId) -> bool {
        if self.trailing_zeros(expr) >= zeros {
            return true;
        }
        let guarded = self.apply_guards(expr, l);
        if self.trailing_zeros(guarded) >= zeros {
            return true;
        }
        if zeros >= self.width(expr) {
            return false;
        }
        let power = self.constant(Int::new(self.width(expr), 1 << zeros));
        let rest = self.urem(expr, power);
        let zero = self.int(self.width(expr), 0);
        let guarded = self.apply_guards(rest, l);
        self.is_known(P::Eq, guarded, zero) || self.is_entry_guarded(l, P::Eq, rest, zero)
    }
    /// The limit if the step divides the distance, as an unsigned step upwards or as a negated step downwards.
    fn divided(&mut self, l: LoopId, start: Expr, step: Expr, controls: bool) -> Limit {
        if !self.is_entry_nonzero(step, l) {
            return Limit::UNKNOWN;
        }
        let (up, back) = (self.neg(start), self.neg(step));
        for (distance, magnitude) in [(up, step), (start, back)] {
            let rest = self.urem(distance, magnitude);
            if self.as_constant(rest).is_some_and(Int::is_zero) {
                let count = self.udiv(distance, magnitude);
                let count =
                    self.guarded_against_poison_step(l, [distance, count], step, [start, start], controls);
                return count.map_or(Limit::UNKNOWN, |count| self.exact_limit(l, count));
            }
        }
        Limit::UNKNOWN
    }

    /// The limit of an exit that stays while `expr` is zero.
    pub(super) fn while_zero(&mut self, l: LoopId, expr: Expr) -> Limit {
        let expr = self.without_injections(expr);
        let width = self.width(expr);
        let Some((of, operands)) = self.arena.as_add_rec(expr) else { return Limit::UNKNOWN };
        if of != l || operands.len() > 2 {
            return Limit::UNKNOWN;
        }
        let (start, step) = (operands[0], operands[1]);
        if self.is_entry_nonzero(start, l) {
            return self.at_once(width);
        }
        if !self.is_entry_nonzero(step, l) {
            return Limit::UNKNOWN;
        }
        // Leaves in the first iteration if the start is nonzero, otherwise in the second.
        let one = self.int(width, 1);
        let started = self.min_max(NAry::UMin, &[start, one]);
        let count = self.sub(one, started);
        let exact = self.exact_limit(l, count);
        let most = Limit { max_or_zero: true, ..Limit::max(Int::one(width)) };
        exact.or(most)
    }
}

/// The inverse of an odd number modulo 2^w (Newton's iteration: each round doubles the number of correct bits).
fn inverse(odd: Int) -> Int {
    let two = Int::from_i128(odd.width(), 2);
    (0..7).fold(odd, |x, _| x.mul(two.sub(odd.mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_numbers_have_inverses() {
        for width in [1, 2, 3, 8, 64, 127, 128] {
            for bits in
                (0..64u128).map(|i| (2 * i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_1234_5678_9abc_def1))
            {
                let odd = Int::new(width, bits);
                assert!(odd.mul(inverse(odd)).is_one(), "{odd}");
            }
        }
    }
}
