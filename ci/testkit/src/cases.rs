//! Number and seeds of the cases of a random test: from `BACKEDGE_CASES` and `BACKEDGE_SEED`.

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

/// `BACKEDGE_CASES` seeds (default `cases`), beginning with `BACKEDGE_SEED` (default 0).
pub fn seeds(cases: u64) -> Range<u64> {
    let first: u64 = number("BACKEDGE_SEED", 0);
    first..first + number("BACKEDGE_CASES", cases)
}
