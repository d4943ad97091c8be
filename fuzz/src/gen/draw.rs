//! Choices drawn from bytes. After the end of the bytes each choice is its first alternative, so callers list the
//! alternative first that is simple or ends the program.

use arbitrary::Unstructured;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};

/// Number of bytes for later decisions.
const LATER_BYTES: usize = 2048;

/// The bytes for decisions about the later knobs. They depend on the `early` bytes that decide about the early knobs, and on
/// nothing else, so that the bytes that a program has read recreate it. Without enough of those bytes there are none.
pub(super) fn later(bytes: &[u8], early: usize) -> Vec<u8> {
    let Some(first) = bytes.get(..early) else { return Vec::new() };
    // FNV-1a.
    let hash = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let seed = first.iter().fold(0xcbf2_9ce4_8422_2325, hash);
    let mut later = vec![0; LATER_BYTES];
    Xoshiro256PlusPlus::seed_from_u64(seed).fill_bytes(&mut later);
    later
}

/// Draws from `arbitrary`'s bytes and does not fail at their end.
pub(crate) struct Draw<'u, 'b> {
    bytes: &'u mut Unstructured<'b>,
}

impl<'u, 'b> Draw<'u, 'b> {
    pub(crate) fn new(bytes: &'u mut Unstructured<'b>) -> Self {
        Self { bytes }
    }
    /// A number less than `n`, which must be nonzero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.bytes.int_in_range(0..=n as u32 - 1).unwrap_or(0) as usize
    }
    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    pub(crate) fn bool(&mut self) -> bool {
        self.below(2) == 1
    }
    /// True with the given probability in percent; false at the end of the bytes.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
    /// A random 64-bit number.
    pub(crate) fn bits(&mut self) -> u64 {
        self.bytes.int_in_range(0..=u64::MAX).unwrap_or(0)
    }
}
