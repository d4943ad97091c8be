//! Intervals of integers, and linear forms over variables.
//!
//! All arithmetic is checked: on overflow a bound becomes open, and an operation on forms fails.

use super::number_theory::div_up;

/// A variable of a system.
pub(in crate::ddg) type Var = usize;

/// An interval; a bound of `None` is open.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Interval {
    pub(crate) lo: Option<i128>,
    pub(crate) hi: Option<i128>,
}

impl Interval {
    pub(crate) const ALL: Self = Self { lo: None, hi: None };
    pub(crate) const ZERO: Self = Self { lo: Some(0), hi: Some(0) };

    pub(crate) fn new(lo: i128, hi: i128) -> Self {
        Self { lo: Some(lo), hi: Some(hi) }
    }
    pub(crate) fn is_empty(self) -> bool {
        self.lo.zip(self.hi).is_some_and(|(lo, hi)| lo > hi)
    }
    pub(crate) fn as_one(self) -> Option<i128> {
        self.lo.filter(|lo| self.hi == Some(*lo))
    }
    pub(crate) fn meet(self, other: Self) -> Self {
        let lo = match (self.lo, other.lo) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let hi = match (self.hi, other.hi) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { lo, hi }
    }
    /// The smallest interval that contains both.
    pub(crate) fn hull(self, other: Self) -> Self {
        let lo = self.lo.zip(other.lo).map(|(a, b)| a.min(b));
        let hi = self.hi.zip(other.hi).map(|(a, b)| a.max(b));
        Self { lo, hi }
    }
    /// Whether `other` contains it.
    pub(crate) fn is_in(self, other: Self) -> bool {
        other.lo.is_none_or(|lo| self.lo.is_some_and(|own| own >= lo))
            && other.hi.is_none_or(|hi| self.hi.is_some_and(|own| own <= hi))
    }
    pub(crate) fn plus(self, other: Self) -> Self {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Self { lo: sum(self.lo, other.lo), hi: sum(self.hi, other.hi) }
    }
    pub(crate) fn negated(self) -> Self {
        let neg = |a: Option<i128>| a.and_then(i128::checked_neg);
        Self { lo: neg(self.hi), hi: neg(self.lo) }
    }
    pub(crate) fn times(self, by: i128) -> Self {
        if by == 0 {
            return Self::ZERO;
        }
        let scaled = |a: Option<i128>| a.and_then(|a| a.checked_mul(by));
        if by > 0 {
            Self { lo: scaled(self.lo), hi: scaled(self.hi) }
        } else {
            Self { lo: scaled(self.hi), hi: scaled(self.lo) }
        }
    }
}

/// A linear form: a sum of terms and a constant.
#[derive(Clone, Debug)]
pub(in crate::ddg) struct Linear {
    pub(in crate::ddg) terms: Vec<(Var, i128)>,
    pub(in crate::ddg) constant: i128,
}

impl Linear {
    pub(in crate::ddg) fn constant(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }
    pub(in crate::ddg) fn of(var: Var) -> Self {
        Self { terms: vec![(var, 1)], constant: 0 }
    }
    /// Adds `by * other`; `None` on overflow.
    pub(in crate::ddg) fn add(&mut self, other: &Self, by: i128) -> Option<()> {
        self.add_terms(&other.terms, by)?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(by)?)?;
        Some(())
    }
    pub(super) fn add_terms(&mut self, terms: &[(Var, i128)], by: i128) -> Option<()> {
        for (var, coeff) in terms {
            let more = coeff.checked_mul(by)?;
            match self.terms.iter_mut().find(|(v, _)| v == var) {
                Some((_, own)) => *own = own.checked_add(more)?,
                None => self.terms.push((*var, more)),
            }
        }
        self.terms.retain(|(_, coeff)| *coeff != 0);
        Some(())
    }
}

/// The integers whose product with `by` is in the interval. `by` is not zero.
pub(super) fn divided(of: Interval, by: i128) -> Interval {
    let of = if by < 0 { of.negated() } else { of };
    if by.unsigned_abs() == 1 {
        return of;
    }
    match by.checked_abs() {
        Some(by) => Interval { lo: of.lo.map(|lo| div_up(lo, by)), hi: of.hi.map(|hi| hi.div_euclid(by)) },
        None => Interval::ALL,
    }
}
