//! Fuel: the limit on the instructions of a run.

use crate::outcome::{Limit, Step, Stop};
use std::sync::atomic::{AtomicBool, Ordering};

/// Fuel, in instructions, that is burnt between two checks of the stop flag: an atomic load for each block would slow
/// down runs.
const SLICE: u64 = 1 << 20;

/// Remaining instruction budget. Handed out in slices, so that checks of the stop flag cost nothing within a slice.
pub(super) struct Fuel<'r> {
    slice: u64,
    reserve: u64,
    stop: Option<&'r AtomicBool>,
}

impl<'r> Fuel<'r> {
    /// Creates a budget of `all` instructions; `stop` ends the run early.
    pub(super) fn new(all: u64, stop: Option<&'r AtomicBool>) -> Self {
        let slice = if stop.is_some() { all.min(SLICE) } else { all };
        Self { slice, reserve: all - slice, stop }
    }
    /// The remaining budget.
    pub(super) fn rest(&self) -> u64 {
        self.slice + self.reserve
    }
    #[inline]
    pub(super) fn burn(&mut self, cost: u64) -> Step<()> {
        match self.slice.checked_sub(cost) {
            Some(rest) => {
                self.slice = rest;
                Ok(())
            }
            None => self.refill(cost),
        }
    }
    /// Takes `cost` from the current slice; returns false and changes nothing if the slice is too small.
    #[inline]
    pub(super) fn try_burn(&mut self, cost: u64) -> bool {
        let rest = self.slice.checked_sub(cost);
        self.slice = rest.unwrap_or(self.slice);
        rest.is_some()
    }
    #[cold]
    fn refill(&mut self, cost: u64) -> Step<()> {
        if self.stop.is_some_and(|s| s.load(Ordering::Relaxed)) {
            return Err(Stop::Limit(Limit::Stopped));
        }
        let all = self.rest().checked_sub(cost).ok_or(Stop::Fuel)?;
        self.slice = all.min(SLICE);
        self.reserve = all - self.slice;
        Ok(())
    }
}
