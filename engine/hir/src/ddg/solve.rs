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

use smallvec::SmallVec;

/// A variable of a system.
pub(super) type Var = usize;

/// Limit on the passes over all constraints in one narrowing.
const ROUNDS: usize = 12;
/// No constraints are derived beyond this many.
const MOST_CONSTRAINTS: usize = 48;

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
pub(super) struct Linear {
    pub(super) terms: Vec<(Var, i128)>,
    pub(super) constant: i128,
}

impl Linear {
    pub(super) fn constant(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }
    pub(super) fn of(var: Var) -> Self {
        Self { terms: vec![(var, 1)], constant: 0 }
    }
    /// Adds `by * other`; `None` on overflow.
    pub(super) fn add(&mut self, other: &Self, by: i128) -> Option<()> {
        self.add_terms(&other.terms, by)?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(by)?)?;
        Some(())
    }
    fn add_terms(&mut self, terms: &[(Var, i128)], by: i128) -> Option<()> {
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
    /// Narrows the intervals; returns whether the system may still have a solution.
    pub(super) fn narrow(&mut self, steps: &mut Steps) -> bool {
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
    /// Adds the constraints that result from eliminating an unknown with an equation, and intersects the constraints
    /// on one sum.
    pub(super) fn derive(&mut self, steps: &mut Steps) {
        self.replace_by_equations(steps);
        self.meet_on_sums(steps);
    }
    fn meet_on_sums(&mut self, steps: &mut Steps) {
        let mut sums: Vec<(Terms, Interval)> = Vec::new();
        for at in 0..self.constraints.len() {
            if steps.is_over() {
                return;
            }
            steps.take(1);
            let Some((mut terms, mut bounds)) = self.reduced(at).filter(|(terms, _)| terms.len() > 1) else {
                continue;
            };
            terms.sort_unstable();
            if terms[0].1 < 0 {
                let turned = terms.iter().map(|(var, coeff)| Some((*var, coeff.checked_neg()?)));
                let Some(turned) = turned.collect() else { continue };
                (terms, bounds) = (turned, bounds.negated());
            }
            match sums.iter_mut().find(|(of, _)| *of == terms) {
                Some((_, known)) => {
                    *known = known.meet(bounds);
                    if known.is_empty() {
                        self.empty = true;
                        return;
                    }
                }
                None => sums.push((terms, bounds)),
            }
        }
    }
    fn replace_by_equations(&mut self, steps: &mut Steps) {
        let count = self.constraints.len();
        for at in 0..count {
            let Some((equation, bounds)) = self.reduced(at) else { continue };
            let Some(value) = bounds.as_one() else { continue };
            for (var, unit) in equation.iter().filter(|(_, c)| c.unsigned_abs() == 1) {
                for other in (0..count).filter(|other| *other != at) {
                    if self.constraints.len() >= MOST_CONSTRAINTS || steps.is_over() {
                        return;
                    }
                    if let Some((terms, bounds)) = self.without(other, *var, *unit, &equation, value) {
                        steps.take(1);
                        self.add_constraint(&terms, bounds);
                    }
                }
            }
        }
    }
    fn terms_of(&self, at: usize) -> &[(Var, i128)] {
        &self.terms[self.constraints[at].from..self.constraints[at].to]
    }
    /// A constraint plus the multiple of an equation that eliminates `var`, which has the coefficient `unit` in the
    /// equation.
    fn without(
        &self,
        other: usize,
        var: Var,
        unit: i128,
        equation: &[(Var, i128)],
        value: i128,
    ) -> Option<(Vec<(Var, i128)>, Interval)> {
        let terms = self.terms_of(other);
        let (_, coeff) = terms.iter().find(|(v, _)| *v == var)?;
        let times = coeff.checked_mul(unit)?.checked_neg()?;
        let mut sum = Linear { terms: terms.to_vec(), constant: 0 };
        sum.add_terms(equation, times)?;
        let more = value.checked_mul(times)?;
        Some((sum.terms, self.constraints[other].bounds.plus(Interval::new(more, more))))
    }
    /// A constraint without its known variables, divided by the greatest common divisor, with bounds rounded inwards.
    /// `None` if no term is left, or on overflow.
    fn reduced(&self, at: usize) -> Option<(Terms, Interval)> {
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
    fn narrow_var(&mut self, var: Var, to: Interval) -> bool {
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

/// The greatest common divisor of all values; zero for no values.
fn common_divisor(all: impl IntoIterator<Item = i128>) -> u128 {
    let mut divisor = 0;
    for value in all {
        divisor = gcd(divisor, value.unsigned_abs());
        if divisor == 1 {
            break;
        }
    }
    divisor
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 1 {
        (a, b) = (b, a % b);
    }
    if b == 1 { 1 } else { a }
}

/// The quotient by a positive number, rounded up.
fn div_up(a: i128, by: i128) -> i128 {
    let floor = a.div_euclid(by);
    if a.rem_euclid(by) == 0 { floor } else { floor + 1 }
}

/// The integers whose product with `by` is in the interval. `by` is not zero.
fn divided(of: Interval, by: i128) -> Interval {
    let of = if by < 0 { of.negated() } else { of };
    if by.unsigned_abs() == 1 {
        return of;
    }
    match by.checked_abs() {
        Some(by) => Interval { lo: of.lo.map(|lo| div_up(lo, by)), hi: of.hi.map(|hi| hi.div_euclid(by)) },
        None => Interval::ALL,
    }
}

/// The product modulo a positive number; `None` on overflow, which cannot happen for a modulus up to 2^64.
fn product_modulo(a: i128, b: i128, modulus: i128) -> Option<i128> {
    // Residues around zero are smaller in magnitude.
    let near_zero = |value: i128| {
        let residue = value.rem_euclid(modulus);
        if residue > modulus / 2 { residue - modulus } else { residue }
    };
    near_zero(a).checked_mul(near_zero(b)).map(|product| product.rem_euclid(modulus))
}

/// The inverse of `a` modulo `modulus`, if both are coprime.
fn inverse(a: i128, modulus: i128) -> Option<i128> {
    let (mut old, mut rest) = (a, modulus);
    let (mut of_old, mut of_rest) = (1i128, 0i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (of_old, of_rest) = (of_rest, of_old.checked_sub(quotient.checked_mul(of_rest)?)?);
    }
    (old == 1).then(|| of_old.rem_euclid(modulus))
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_testkit::Dice;

    fn plenty() -> Steps {
        Steps(u32::MAX)
    }

    /// Random systems with small intervals, checked against all points.
    #[test]
    fn nothing_that_holds_is_lost() {
        let mut dice = Dice::new(12345);
        let mut random = |low, high| i128::from(dice.between(low, high));
        let (mut holds, mut proved) = (0, 0);
        for case in 0..4000 {
            let mut system = System::default();
            let boxes: Vec<(i128, i128)> = (0..3).map(|_| (random(-4, 4), random(0, 5))).collect();
            let vars: Vec<Var> =
                boxes.iter().map(|(lo, n)| system.add_var(Interval::new(*lo, lo + n))).collect();
            let mut all = Vec::new();
            for _ in 0..=random(0, 2) {
                let terms: Vec<(Var, i128)> = vars.iter().map(|v| (*v, random(-6, 6))).collect();
                let terms: Vec<(Var, i128)> = terms.into_iter().filter(|(_, c)| *c != 0).collect();
                let lo = random(-12, 12);
                let bounds = match random(0, 3) {
                    0 => Interval { lo: Some(lo), hi: None },
                    1 => Interval { lo: None, hi: Some(lo) },
                    2 => Interval::new(lo, lo),
                    _ => Interval::new(lo, lo + random(0, 3)),
                };
                let form = Linear { terms, constant: random(-2, 2) };
                system.require(&form, bounds);
                all.push((form, bounds));
            }
            let mut points = Vec::new();
            for x in 0..=boxes[0].1 {
                for y in 0..=boxes[1].1 {
                    for z in 0..=boxes[2].1 {
                        let at = [boxes[0].0 + x, boxes[1].0 + y, boxes[2].0 + z];
                        let value =
                            |f: &Linear| f.terms.iter().map(|(v, c)| at[*v] * c).sum::<i128>() + f.constant;
                        let inside =
                            |(f, b): &(Linear, Interval)| Interval::new(value(f), value(f)).is_in(*b);
                        if all.iter().all(inside) {
                            points.push(at);
                        }
                    }
                }
            }
            let mut narrowed = system.clone();
            let mut may = narrowed.narrow(&mut plenty());
            if may {
                narrowed.derive(&mut plenty());
                may = narrowed.narrow(&mut plenty());
            }
            for point in &points {
                assert!(may, "case {case}: {system:?} holds at {point:?}");
                for var in &vars {
                    let here = Interval::new(point[*var], point[*var]);
                    assert!(here.is_in(narrowed.domain(*var)), "case {case}: {system:?} lost {point:?}");
                }
            }
            // With enough halvings the answer is exact.
            assert_eq!(system.may_hold(10_000, &mut plenty()), !points.is_empty(), "case {case}");
            holds += usize::from(!points.is_empty());
            proved += usize::from(points.is_empty() && !may);
        }
        assert!(holds > 500 && proved > 500, "{holds} hold, {proved} do not without halving");
    }

    /// An upper bound that is an unknown interacts with an equation for that unknown.
    #[test]
    fn bounds_that_are_unknowns() {
        let mut system = System::default();
        let [n, d, i] = [1, 1, 0].map(|lo| system.add_var(Interval::new(lo, i128::from(i64::MAX))));
        let form = |terms: &[(Var, i128)]| Linear { terms: terms.to_vec(), constant: 0 };
        system.require(&form(&[(n, 4), (d, -4)]), Interval::new(-3, 3));
        system.require(&form(&[(n, 1), (d, -1), (i, -1)]), Interval { lo: Some(1), hi: None });
        assert!(system.clone().narrow(&mut plenty()), "not by intervals alone");
        system.derive(&mut plenty());
        assert!(!system.narrow(&mut plenty()));
    }

    /// One sum has a lower bound that exceeds its upper bound.
    #[test]
    fn bounds_on_one_sum() {
        let mut system = System::default();
        let [n, i] = [0, 0].map(|lo| system.add_var(Interval::new(lo, i128::from(i64::MAX))));
        let form = |terms: &[(Var, i128)]| Linear { terms: terms.to_vec(), constant: 0 };
        system.require(&form(&[(n, 2), (i, -2)]), Interval { lo: Some(-1), hi: None });
        let mut other = system.clone();
        system.require(&form(&[(i, 1), (n, -1)]), Interval { lo: Some(1), hi: None });
        assert!(system.clone().narrow(&mut plenty()), "not by intervals alone");
        system.derive(&mut plenty());
        assert!(!system.narrow(&mut plenty()));
        other.require(&form(&[(i, 1), (n, -1)]), Interval { lo: Some(0), hi: None });
        other.derive(&mut plenty());
        assert!(other.narrow(&mut plenty()), "both may be the same");
    }

    /// Coefficients with the bounds of their unknowns, the value of their sum, and whether the equation may hold.
    type Case<'c> = (&'c str, &'c [(i128, Interval)], i128, bool);

    /// The test classes of the literature, each decided without bisection.
    #[test]
    fn classes() {
        let upto = |n| Interval::new(0, n);
        let huge = Interval::new(0, i128::from(u64::MAX));
        let cases: [Case<'_>; 11] = [
            ("GCD", &[(2, huge), (-4, huge)], 1, false),
            ("Banerjee", &[(1, upto(9)), (1, upto(9))], 19, false),
            ("Banerjee, at the bound", &[(1, upto(9)), (1, upto(9))], 18, true),
            ("weak-zero, in bounds", &[(3, upto(9))], 27, true),
            ("weak-zero, beyond", &[(3, upto(9))], 30, false),
            ("weak-zero, between", &[(3, upto(9))], 28, false),
            ("exact, between", &[(7, upto(2)), (-5, upto(2))], 1, false),
            ("exact, one", &[(7, upto(3)), (-5, upto(4))], 1, true),
            ("exact, huge", &[(6, huge), (-9, huge)], 3, true),
            ("class, downwards", &[(-1, upto(9)), (1 << 64, Interval::ALL), (-(1 << 64), huge)], -9, true),
            ("class, beyond", &[(-1, upto(9)), (1 << 64, Interval::ALL), (-(1 << 64), huge)], -10, false),
        ];
        for (name, terms, value, may) in cases {
            let mut system = System::default();
            let terms = terms.iter().map(|(c, d)| (system.add_var(*d), *c)).collect();
            system.require(&Linear { terms, constant: 0 }, Interval::new(value, value));
            assert_eq!(system.narrow(&mut plenty()), may, "{name}: {system:?}");
        }
    }
}
