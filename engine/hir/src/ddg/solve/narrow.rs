//! Narrows the intervals of a system by its constraints: by bounds, divisibility and congruence, and exactly by
//! equations in two unknowns.
//!
//! Guarantees: every solution within the old intervals is within the new ones.

use super::linear::{Interval, Var, divided};
use super::number_theory::{common_divisor, div_up, inverse, product_modulo};
use super::{Constraint, Steps, System, Terms, Unknown};
use smallvec::SmallVec;

/// Limit on the passes over all constraints in one narrowing.
const ROUNDS: usize = 12;

impl System {
    /// Narrows the intervals; returns whether the system may still have a solution.
    pub(in crate::ddg) fn narrow(&mut self, steps: &mut Steps) -> bool {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for at in 0..self.constraints.len() {
                if self.empty {
                    return false;
                }
                let Constraint { from, to, looked, .. } = self.constraints[at];
                // Unchanged unknowns cannot narrow anything again.
                let is_new = |(var, _): &(Var, i128)| self.unknowns[*var].changed > looked;
                if from != to && !self.terms[from..to].iter().any(is_new) {
                    continue;
                }
                if steps.is_over() {
                    return true;
                }
                steps.take(1);
                self.constraints[at].looked = self.now;
                changed |= self.narrow_by(at);
            }
            if !changed {
                break;
            }
        }
        !self.empty
    }
    /// A constraint without its known variables, divided by the greatest common divisor, with bounds rounded inwards.
    /// `None` if no term is left, or on overflow.
    pub(super) fn reduced(&self, at: usize) -> Option<(Terms, Interval)> {
        let (mut free, left) = self.free(at);
        let divisor = common_divisor(free.iter().map(|(_, coeff)| *coeff));
        let divisor = i128::try_from(divisor).ok().filter(|d| *d != 0)?;
        if divisor == 1 {
            return Some((free, left));
        }
        free.iter_mut().for_each(|(_, coeff)| *coeff /= divisor);
        let lo = left.lo.map(|lo| div_up(lo, divisor));
        Some((free, Interval { lo, hi: left.hi.map(|hi| hi.div_euclid(divisor)) }))
    }
    /// The terms of a constraint with unknown values, and its bounds minus the known terms.
    fn free(&self, at: usize) -> (Terms, Interval) {
        let mut known = Interval::ZERO;
        let mut free = Terms::new();
        for (var, coeff) in self.terms_of(at) {
            match self.domain(*var).as_one() {
                Some(value) => known = known.plus(Interval::new(value, value).times(*coeff)),
                None => free.push((*var, *coeff)),
            }
        }
        // A bound that overflows is open.
        (free, self.constraints[at].bounds.plus(known.negated()))
    }
    /// Narrows by one constraint; returns whether an interval changed.
    fn narrow_by(&mut self, at: usize) -> bool {
        let Some((free, left)) = self.reduced(at) else {
            let (free, left) = self.free(at);
            self.empty |= free.is_empty() && left.meet(Interval::ZERO).is_empty();
            return false;
        };
        if left.is_empty() {
            self.empty = true;
            return false;
        }
        let mut changed = false;
        // For each term, the range of the terms after it, and of those before it.
        let mut after: SmallVec<[Interval; 8]> = SmallVec::new();
        let mut sum = Interval::ZERO;
        for (var, coeff) in free.iter().rev() {
            after.push(sum);
            sum = sum.plus(self.domain(*var).times(*coeff));
        }
        let mut before = Interval::ZERO;
        for ((var, coeff), after) in free.iter().zip(after.into_iter().rev()) {
            let term = left.plus(before.plus(after).negated());
            changed |= self.narrow_var(*var, divided(term, *coeff));
            if self.empty {
                return true;
            }
            before = before.plus(self.domain(*var).times(*coeff));
        }
        if let Some(value) = left.as_one() {
            for at in 0..free.len() {
                changed |= self.narrow_to_class(&free, at, value);
            }
            if let [(x, a), (y, b)] = &free[..] {
                changed |= self.narrow_pair((*x, *a), (*y, *b), value);
            }
        }
        changed
    }
    pub(super) fn narrow_var(&mut self, var: Var, to: Interval) -> bool {
        let unknown = &mut self.unknowns[var];
        let met = unknown.domain.meet(to);
        if met == unknown.domain {
            return false;
        }
        self.now += 1;
        *unknown = Unknown { domain: met, changed: self.now, ..*unknown };
        self.empty |= met.is_empty();
        true
    }
    /// An equation with coprime coefficients determines each unknown modulo the greatest common divisor of the other
    /// coefficients: rounds the bounds of the unknown inwards to that residue class.
    fn narrow_to_class(&mut self, equation: &[(Var, i128)], at: usize, value: i128) -> bool {
        let (var, coeff) = equation[at];
        let others = equation.iter().enumerate().filter(|(i, _)| *i != at);
        let modulus = common_divisor(others.map(|(_, (_, c))| *c));
        let class = || {
            let modulus = i128::try_from(modulus).ok().filter(|m| *m > 1)?;
            let inverse = inverse(coeff.rem_euclid(modulus), modulus)?;
            let class = product_modulo(value, inverse, modulus)?;
            // Distances from a bound up and down to the residue class.
            let up = |lo: i128| lo.checked_add((class - lo.rem_euclid(modulus)).rem_euclid(modulus));
            let down = |hi: i128| hi.checked_sub((hi.rem_euclid(modulus) - class).rem_euclid(modulus));
            let Interval { lo, hi } = self.domain(var);
            Some(Interval { lo: lo.and_then(up), hi: hi.and_then(down) })
        };
        let Some(class) = class() else { return false };
        self.narrow_var(var, class)
    }
    /// `a*x + b*y = value` with coprime `a` and `b`.
    fn narrow_pair(&mut self, (x, a): (Var, i128), (y, b): (Var, i128), value: i128) -> bool {
        let solve = || {
            // One solution, small in x, using the inverse of a modulo |b|.
            let modulus = b.checked_abs()?;
            let inverse = inverse(a.rem_euclid(modulus), modulus)?;
            let x0 = product_modulo(value, inverse, modulus)?;
            let y0 = value.checked_sub(a.checked_mul(x0)?)?.checked_div(b)?;
            // All solutions: x0 + b*t, y0 - a*t.
            let t_of = |d: Interval, start: i128, step: i128| {
                divided(d.plus(Interval::new(start, start).negated()), step)
            };
            let t = t_of(self.domain(x), x0, b).meet(t_of(self.domain(y), y0, a.checked_neg()?));
            let back = |start: i128, step: i128| t.times(step).plus(Interval::new(start, start));
            Some((t.is_empty(), back(x0, b), back(y0, a.checked_neg()?)))
        };
        let Some((is_empty, of_x, of_y)) = solve() else { return false };
        if is_empty {
            self.empty = true;
            return true;
        }
        self.narrow_var(x, of_x) | self.narrow_var(y, of_y)
    }
}
