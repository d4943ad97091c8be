//! How many cases a random test tries, and which: what `BACKEDGE_CASES` and `BACKEDGE_SEED` say.

use std::ops::Range;
use std::str::FromStr;

/// The number that `variable` says, or `default`.
///
/// # Panics
///
/// If it says something else.
pub fn number<T: FromStr>(variable: &str, default: T) -> T {
    std::env::var(variable)
        .map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {v}")))
}

/// `BACKEDGE_CASES` seeds, or `cases`, from `BACKEDGE_SEED` on, or from 0.
pub fn seeds(cases: u64) -> Range<u64> {
    let first: u64 = number("BACKEDGE_SEED", 0);
    first..first + number("BACKEDGE_CASES", cases)
}
