//! Choices, drawn from bytes. Where the bytes are used up, each choice is its first: whoever draws puts first what ends
//! or is simple.

use arbitrary::Unstructured;

/// Draws from `arbitrary`'s bytes, without an error at their end.
pub(crate) struct Draw<'u, 'b> {
    bytes: &'u mut Unstructured<'b>,
}

impl<'u, 'b> Draw<'u, 'b> {
    pub(crate) fn new(bytes: &'u mut Unstructured<'b>) -> Self {
        Self { bytes }
    }
    /// A number less than `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.bytes.int_in_range(0..=n as u32 - 1).unwrap_or(0) as usize
    }
    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
    pub(crate) fn bool(&mut self) -> bool {
        self.below(2) == 1
    }
    /// True in that many cases of 100; false at the end of the bytes.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
    /// Any bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.bytes.int_in_range(0..=u64::MAX).unwrap_or(0)
    }
}
