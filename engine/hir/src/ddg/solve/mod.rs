//! Decides whether integers within bounds can satisfy linear inequalities: the core of all subscript tests.
//!
//! A [`System`] has variables, each in an interval that may be open on either side, and constraints
//! `lo <= Σ a(v) * v <= hi`. [`System::narrow`] shrinks the intervals without losing a solution:
//!
//! - by bounds (Banerjee): the minimum and maximum of the other terms bound each term;
//! - by divisibility (GCD): the coefficients of the unknowns are divided by their greatest common divisor, and the
//!   bounds are rounded inwards;
//! - by congruence: an equation determines an unknown modulo the greatest common divisor of the other coefficients;
//! - exactly, if a constraint is an equation in two unknowns (exact SIV): all solutions are `x0 + b*t`, `y0 - a*t`.
//!
//! [`System::derive`] adds consequences of equations: constraints in which an unknown is replaced by the others of
//! its equation. So bounds that are sums of unknowns interact, as in `d <= n - 1` and `d = n`, which intervals alone
//! cannot express. Several constraints on one sum are intersected too: `n + 1 <= i` and `i <= n` have no solution,
//! however large both may be.
//!
//! [`System::may_hold`] also bisects intervals, up to a given number of times, unless a solution is found at once.
//! "No" is a proof in ℤ; "maybe" proves nothing. All arithmetic is checked: on overflow a bound becomes open or a
//! constraint is dropped, which only adds solutions.
//!
//! The work is counted in [`Steps`]: one step narrows by one constraint. A constraint is visited again only if an
//! interval of one of its unknowns has changed. Without steps left, the answer is "maybe".
//!
//! A system is extended tentatively and restored ([`System::mark`], [`System::undo`]) rather than copied.

mod derive;
mod linear;
mod narrow;
mod number_theory;
#[cfg(test)]
mod tests;

use smallvec::SmallVec;

pub(crate) use linear::Interval;
pub(super) use linear::{Linear, Var};

/// The number of steps left.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Steps(pub(super) u32);

impl Steps {
    pub(super) fn is_over(self) -> bool {
        self.0 == 0
    }
    /// Takes `count` steps, or all that are left.
    pub(super) fn take(&mut self, count: u32) {
        self.0 = self.0.saturating_sub(count);
    }
}

/// The terms of one constraint, usually few.
type Terms = SmallVec<[(Var, i128); 8]>;

/// `bounds.lo <= Σ terms <= bounds.hi`.
#[derive(Clone, Debug)]
struct Constraint {
    /// The range of its terms in the list of all terms.
    from: usize,
    to: usize,
    bounds: Interval,
    /// The time of its last visit.
    looked: u32,
}

/// The state of a variable.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    domain: Interval,
    /// The time of the last change of `domain`.
    changed: u32,
    /// Whether it occurs in a constraint; other variables do not affect the result.
    counts: bool,
}

/// Variables with their intervals, and constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    unknowns: Vec<Unknown>,
    constraints: Vec<Constraint>,
    /// The terms of all constraints, concatenated.
    terms: Vec<(Var, i128)>,
    /// The system is unsatisfiable.
    empty: bool,
    /// The number of interval changes so far.
    now: u32,
    /// Variable states saved by marks that are not undone yet.
    kept: Vec<Unknown>,
    kept_looked: Vec<u32>,
}

/// A saved state of a system.
#[derive(Debug)]
pub(super) struct Mark {
    unknowns: usize,
    looked: usize,
    terms: usize,
    empty: bool,
}

impl System {
    pub(super) fn add_var(&mut self, domain: Interval) -> Var {
        self.empty |= domain.is_empty();
        self.now += 1;
        self.unknowns.push(Unknown { domain, changed: self.now, counts: false });
        self.unknowns.len() - 1
    }
    pub(super) fn domain(&self, var: Var) -> Interval {
        self.unknowns[var].domain
    }
    /// Restricts the variable to that interval too.
    pub(super) fn restrict(&mut self, var: Var, to: Interval) {
        self.narrow_var(var, to);
    }
    /// Requires the value of `of` to be in that interval.
    pub(super) fn require(&mut self, of: &Linear, bounds: Interval) {
        let shifted = bounds.plus(Interval::new(of.constant, of.constant).negated());
        self.add_constraint(&of.terms, shifted);
    }
    fn add_constraint(&mut self, terms: &[(Var, i128)], bounds: Interval) {
        let from = self.terms.len();
        self.terms.extend_from_slice(terms);
        terms.iter().for_each(|(var, _)| self.unknowns[*var].counts = true);
        self.constraints.push(Constraint { from, to: self.terms.len(), bounds, looked: 0 });
    }
    /// Saves the system for [`Self::undo`]. No variables may be added in between.
    pub(super) fn mark(&mut self) -> Mark {
        let mark = Mark {
            unknowns: self.kept.len(),
            looked: self.kept_looked.len(),
            terms: self.terms.len(),
            empty: self.empty,
        };
        self.kept.extend_from_slice(&self.unknowns);
        self.kept_looked.extend(self.constraints.iter().map(|c| c.looked));
        mark
    }
    /// Restores the system to a mark, the most recent one that is not undone.
    pub(super) fn undo(&mut self, mark: &Mark) {
        let kept = &self.kept[mark.unknowns..];
        self.unknowns.clear();
        self.unknowns.extend_from_slice(kept);
        self.kept.truncate(mark.unknowns);
        self.constraints.truncate(self.kept_looked.len() - mark.looked);
        let looked = &self.kept_looked[mark.looked..];
        self.constraints.iter_mut().zip(looked).for_each(|(c, looked)| c.looked = *looked);
        self.kept_looked.truncate(mark.looked);
        self.terms.truncate(mark.terms);
        self.empty = mark.empty;
    }
    /// The range of a form, computed term by term.
    pub(super) fn range(&self, of: &Linear) -> Interval {
        let start = Interval::new(of.constant, of.constant);
        of.terms.iter().fold(start, |sum, (var, coeff)| sum.plus(self.domain(*var).times(*coeff)))
    }
    /// Whether the system may have a solution, with at most this many bisections.
    pub(super) fn may_hold(&mut self, halvings: u32, steps: &mut Steps) -> bool {
        self.narrow(steps) && (self.holds_near_zero(steps) || self.halve(&mut { halvings }, steps))
    }
    /// The unknown with the smallest interval of more than one value, and that interval's size minus one.
    fn smallest(&self) -> Option<(i128, Var)> {
        let size = |d: Interval| d.lo.zip(d.hi).and_then(|(lo, hi)| hi.checked_sub(lo)).filter(|n| *n > 0);
        let counting = self.unknowns.iter().enumerate().filter(|(_, u)| u.counts);
        counting.filter_map(|(var, u)| Some((size(u.domain)?, var))).min()
    }
    /// Whether the system may hold if each unknown in turn is fixed to the value nearest to zero.
    fn holds_near_zero(&mut self, steps: &mut Steps) -> bool {
        let mark = self.mark();
        let mut may = true;
        while let Some((_, var)) = self.smallest().filter(|_| may) {
            let Interval { lo, hi } = self.domain(var);
            let value = 0.max(lo.unwrap_or(0)).min(hi.unwrap_or(0));
            self.restrict(var, Interval::new(value, value));
            may = self.narrow(steps);
        }
        self.undo(&mark);
        may
    }
    fn halve(&mut self, halvings: &mut u32, steps: &mut Steps) -> bool {
        if !self.narrow(steps) {
            return false;
        }
        let Some((size, var)) = self.smallest() else { return true };
        if *halvings == 0 || steps.is_over() {
            return true;
        }
        *halvings -= 1;
        let middle = self.domain(var).lo.unwrap_or_default() + size / 2;
        let mark = self.mark();
        self.restrict(var, Interval { lo: None, hi: Some(middle) });
        let is_below = self.halve(halvings, steps);
        self.undo(&mark);
        if is_below {
            return true;
        }
        let mark = self.mark();
        self.restrict(var, Interval { lo: Some(middle + 1), hi: None });
        let is_above = self.halve(halvings, steps);
        self.undo(&mark);
        is_above
    }
    fn terms_of(&self, at: usize) -> &[(Var, i128)] {
        &self.terms[self.constraints[at].from..self.constraints[at].to]
    }
}
