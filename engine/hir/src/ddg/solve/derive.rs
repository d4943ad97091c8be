//! Adds consequences of a system's constraints: eliminates unknowns with equations, and intersects the constraints on
//! one sum.

use super::linear::{Interval, Linear, Var};
use super::{Steps, System, Terms};

/// No constraints are derived beyond this many.
const MOST_CONSTRAINTS: usize = 48;

impl System {
    /// Adds the constraints that result from eliminating an unknown with an equation, and intersects the constraints
    /// on one sum.
    pub(in crate::ddg) fn derive(&mut self, steps: &mut Steps) {
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
}
