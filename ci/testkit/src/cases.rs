//! Number and seeds of the cases of a random test, from `BACKEDGE_CASES` and `BACKEDGE_SEED`, and the sample that a test
//! takes from a long list, from `BACKEDGE_EVERY`.

use std::ops::Range;
use std::str::FromStr;

/// The number in the environment variable `variable`, or `default`.
///
/// # Panics
///
/// If the variable is not a number.
pub fn number<T: FromStr>(variable: &str, default: T) -> T {
    std::env::var(variable)
        .map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {v}")))
}

/// The distance between the inputs that a test takes from a list of many: `BACKEDGE_EVERY`, or `default`. With 1, the test
/// takes all; `ci/campaign` does so.
pub fn every(default: usize) -> usize {
    number("BACKEDGE_EVERY", default).max(1)
}

/// `BACKEDGE_CASES` seeds (default `cases`), beginning with `BACKEDGE_SEED` (default 0).
pub fn seeds(cases: u64) -> Range<u64> {
    let first: u64 = number("BACKEDGE_SEED", 0);
    first..first + number("BACKEDGE_CASES", cases)
}
