//! Reproducible random decisions: a seeded generator with specified output, equal on every machine.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng, TryRng};
use std::convert::Infallible;

/// A source of random decisions. Nearby seeds give unrelated sequences. Numbers below a limit have a small bias, which
/// does not matter for a test. The methods of `rand` for ranges and slices work too; the output of `rand`'s own
/// `StdRng` and `SmallRng` may change with the version and the machine.
#[derive(Clone, Debug)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
    /// 128 random bits.
    pub fn bits(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }
    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }
    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    /// A signed number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
    /// True with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// True with a probability of 1 in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// One of `options`.
    pub fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }
}

impl TryRng for Dice {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}
