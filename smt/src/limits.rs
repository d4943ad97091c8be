//! How far the work outside the solver may go: a moment that it must end by, and a number of terms.
//!
//! The solver's own limits bind its search alone. Whoever builds formulas asks here at every step of bounded size, so
//! that a formula beyond what the solver could decide is given up while it is still small in memory.

use std::time::{Duration, Instant};

/// A limit that was reached outside the solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exhausted {
    /// The moment has passed.
    Time,
    /// There are more terms than allowed.
    Terms,
}

/// What may be used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// `None` if it never comes.
    deadline: Option<Instant>,
    terms: usize,
}

/// Formulas with more terms than this are not built, whatever the budget.
const MANY_TERMS: u64 = 3_000_000;
/// Formulas with fewer terms are always built: the rules of the terms may decide them without the solver.
const FEW_TERMS: u64 = 50_000;
/// With fewer of the solver's units per term, a formula is not built. What the solver decides takes 30 units per term
/// and more, mostly hundreds; formulas decided within 20 million units have at most 140,000 terms, mostly 10,000 (the
/// corpus and LLVM's loop tests).
const UNITS_PER_TERM: u64 = 20;

impl Limits {
    /// The limits of a check that started at `start`, may take `time`, and has that many units for the solver.
    pub(crate) fn new(start: Instant, time: Duration, units: u64) -> Self {
        let terms = (units / UNITS_PER_TERM).clamp(FEW_TERMS, MANY_TERMS);
        Self { deadline: start.checked_add(time), terms: usize::try_from(terms).unwrap_or(usize::MAX) }
    }
    /// So many terms, and no end in time.
    pub(crate) fn of_terms(terms: usize) -> Self {
        Self { deadline: None, terms }
    }

    /// What is left of the time; `None` if there is no end.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
    /// Whether the time is over.
    pub(crate) fn late(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
    /// The limit that an arena of so many terms has reached. Costs a look at the clock.
    pub(crate) fn reached(&self, terms: usize) -> Option<Exhausted> {
        if terms > self.terms {
            Some(Exhausted::Terms)
        } else if self.late() {
            Some(Exhausted::Time)
        } else {
            None
        }
    }
    /// How many terms the formula may grow to when it is instantiated for choices and counterexamples.
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
    fn the_time_ends_where_it_is_told_to() {
        let now = Instant::now();
        assert_eq!(Limits::new(now, Duration::ZERO, 0).reached(0), Some(Exhausted::Time));
        assert_eq!(Limits::new(now, Duration::from_secs(3600), 0).reached(0), None);
        assert_eq!(
            [9, 10, 11].map(|n| Limits::of_terms(10).reached(n)),
            [None, None, Some(Exhausted::Terms)]
        );
    }
}
