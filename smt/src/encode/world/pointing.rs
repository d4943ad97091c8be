//! Possible targets of pointers that the function did not create: pointers from the caller, from initial memory, and
//! from calls.
//!
//! Block numbers decide: globals come first, then named blocks (escaped allocas, and arguments with a block of their
//! own). Blocks of others start at [`UNKNOWN_BLOCK`], and blocks that only the function can reach start at
//! [`LOCAL_BLOCK`].

use crate::encode::block_of;
use crate::encode::world::{BLOCK_BITS, LOCAL_BLOCK, UNKNOWN_BLOCK, World};
use crate::term::Term;

impl World {
    /// Whether the pointer does not point to a block that only the function can reach.
    pub(crate) fn points_outside_own(&mut self, pointer: Term) -> Term {
        let block = block_of(&mut self.terms, pointer);
        let limit = self.terms.number(BLOCK_BITS, LOCAL_BLOCK.into());
        let outside = self.terms.ult(block, limit);
        let fits = self.has_wrapped_offset(pointer);
        self.terms.and(outside, fits)
    }
    /// Whether the pointer is null, or points to a global or to a block created by the caller or an external call.
    pub(crate) fn points_outside(&mut self, pointer: Term) -> Term {
        self.points_among(pointer, self.global_count)
    }
    /// Like [`Self::points_outside`], but also allows named blocks: an alloca that has escaped, or the own block of an
    /// argument.
    pub(crate) fn points_to_known(&mut self, pointer: Term) -> Term {
        self.points_among(pointer, self.blocks.len() as u32)
    }
    /// Whether the pointer is null, or points to one of the first `named` blocks or to an unnamed block.
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
