//! Takes the place of `libz3` in a build without the feature `z3`: no query is answered, and each error says so.

use super::arrays::Without;
use super::{Answer, Budget, SolverError};
use crate::term::{Term, Terms};
use crate::version::UnusableZ3;
use std::time::Instant;

/// [`UnusableZ3::Absent`].
pub(super) fn run(
    _: &Terms,
    _: &[Term],
    _: Without,
    _: &Budget,
    _: Instant,
) -> Result<(Answer, u64), SolverError> {
    Err(SolverError::UnusableZ3(UnusableZ3::Absent))
}
