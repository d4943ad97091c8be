//! Where pointers can lead that the function did not make: those of its caller, of initial memory and of what calls leave.
//!
//! Block numbers tell: the globals come first, then the blocks with a name (allocas that escaped, and arguments with a block
//! of their own), from [`UNKNOWN_BLOCK`] on those of others, from [`LOCAL_BLOCK`] on those that only the function can reach.

use crate::encode::block_of;
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, UNKNOWN_BLOCK, World};
use crate::term::Term;

impl World {
    /// Whether the pointer leads to no block that only the function can reach.
    pub(crate) fn points_outside_own(&mut self, pointer: Term) -> Term {
        let block = block_of(&mut self.terms, pointer);
        let limit = self.terms.number(BLOCK_BITS, LOCAL_BLOCK.into());
        let outside = self.terms.ult(block, limit);
        let fits = self.has_wrapped_offset(pointer);
        self.terms.and(outside, fits)
    }
    /// Whether the pointer is null or points to a global or to a block that the caller or an external call made.
    pub(crate) fn points_outside(&mut self, pointer: Term) -> Term {
        self.points_among(pointer, self.global_count)
    }
    /// The same, or to a block with a name: an alloca that escaped by now, or the block of an argument alone.
    pub(crate) fn points_to_known(&mut self, pointer: Term) -> Term {
        self.points_among(pointer, self.blocks.len() as u32)
    }
    /// Whether the pointer is null or points to one of the first `named` blocks or to one without a name.
    fn points_among(&mut self, pointer: Term, named: u32) -> Term {
        let terms = &mut self.terms;
        let block = block_of(terms, pointer);
        let [first_free, low, high] =
            [named + 1, UNKNOWN_BLOCK, LOCAL_BLOCK].map(|n| terms.number(BLOCK_BITS, n.into()));
        let is_named = terms.ult(block, first_free);
        let above = terms.ule(low, block);
        let below = terms.ult(block, high);
        let unknown = terms.and(above, below);
        let outside = terms.or(is_named, unknown);
        let fits = self.has_wrapped_offset(pointer);
        self.terms.and(outside, fits)
    }
}
