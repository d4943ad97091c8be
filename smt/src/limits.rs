//! Limits on the work outside the solver: a deadline and a maximum number of terms.
//!
//! The solver's own limits cover only its search. Code that builds formulas checks these limits after every step of
//! bounded size, so that it gives up a formula beyond the solver's reach while the formula is still small in memory.

use std::time::{Duration, Instant};

/// A limit that was reached outside the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exhausted {
    /// The deadline has passed.
    Time,
    /// The arena holds more terms than allowed.
    Terms,
}

/// The limits of one check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// `None` if there is no deadline.
    deadline: Option<Instant>,
    terms: usize,
}

/// Upper bound on the number of terms of a formula, whatever the budget: bounds the memory of the arena.
const MANY_TERMS: u64 = 3_000_000;
/// A formula with fewer terms is always built: the term rules may decide it without the solver.
const FEW_TERMS: u64 = 50_000;
/// A formula is not built if the budget has fewer solver units per term. Formulas that the solver decides take at least
/// 30 units per term, mostly hundreds. Formulas decided within 20 million units have at most 140,000 terms, mostly
/// 10,000 (measured on the corpus and LLVM's loop tests).
const UNITS_PER_TERM: u64 = 20;

impl Limits {
    /// The limits of a check that started at `start`, may take `time`, and has `units` solver units.
    pub(crate) fn new(start: Instant, time: Duration, units: u64) -> Self {
        let terms = (units / UNITS_PER_TERM).clamp(FEW_TERMS, MANY_TERMS);
        Self { deadline: start.checked_add(time), terms: usize::try_from(terms).unwrap_or(usize::MAX) }
    }
    /// A limit on the number of terms, without a deadline.
    pub(crate) fn of_terms(terms: usize) -> Self {
        Self { deadline: None, terms }
    }

    /// The time left until the deadline; `None` if there is no deadline.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
    /// Whether the deadline has passed.
    pub(crate) fn late(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
    /// The limit that an arena with this many terms has reached. Reads the clock.
    pub(crate) fn reached(&self, terms: usize) -> Option<Exhausted> {
        if terms > self.terms {
            Some(Exhausted::Terms)
        } else if self.late() {
            Some(Exhausted::Time)
        } else {
            None
        }
    }
    /// Maximum number of terms after the formula is instantiated for choices and counterexamples.
    pub(crate) fn most_terms(&self) -> usize {
        self.terms.saturating_mul(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_units_allow_for_more_terms_within_fixed_ends() {
        let now = Instant::now();
        let most = |units| {
            let limits = Limits::new(now, Duration::MAX, units);
            let reached = |terms| limits.reached(terms) == Some(Exhausted::Terms);
            (1..=8).map(|n| n * 500_000).take_while(|n| !reached(*n)).count()
        };
        assert_eq!((most(0), most(20_000_000), most(u64::MAX)), (0, 2, 6));
        assert_eq!(Limits::new(now, Duration::MAX, 0).reached(FEW_TERMS as usize), None);
    }

    #[test]
    fn the_deadline_is_the_given_one() {
        let now = Instant::now();
        assert_eq!(Limits::new(now, Duration::ZERO, 0).reached(0), Some(Exhausted::Time));
        assert_eq!(Limits::new(now, Duration::from_secs(3600), 0).reached(0), None);
        assert_eq!(
            [9, 10, 11].map(|n| Limits::of_terms(10).reached(n)),
            [None, None, Some(Exhausted::Terms)]
        );
    }
}
