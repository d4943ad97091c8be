//! Reproducible random decisions: a seeded generator with specified output, equal on every machine.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// A source of decisions.
#[derive(Clone, Debug)]
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
    /// A number below `n`, which is not 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        // The bias does not matter for a test.
        (self.0.next_u64() % n as u64) as usize
    }
    /// A number from `low` to `high`, both included.
    pub(super) fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    /// True with a probability of `percent` percent.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// One of `options`.
    pub(super) fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }
    /// 128 random bits.
    pub(super) fn bits(&mut self) -> u128 {
        u128::from(self.0.next_u64()) << 64 | u128::from(self.0.next_u64())
    }
}
