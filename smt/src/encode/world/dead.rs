//! Memory whose contents nobody reads after a function ends: copies for `byval` parameters, and memory of
//! `dead_on_return` parameters.

use super::{OFFSET_BITS, World};
use crate::encode::{block_of, offset_of};
use crate::term::Term;

/// A range of a block.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Dead {
    /// Pointer to the first byte.
    pub(crate) from: Term,
    /// Number of bytes; `None` for all bytes up to the end of the block.
    pub(crate) bytes: Option<u64>,
}

impl World {
    /// Whether nobody reads the byte at `place` after the function ends.
    pub(crate) fn is_dead(&mut self, place: Term) -> Term {
        let terms = &mut self.terms;
        let (block, offset) = (block_of(terms, place), offset_of(terms, place));
        let mut dead = terms.bool(false);
        for Dead { from, bytes } in self.dead.clone() {
            let (own, first) = (block_of(terms, from), offset_of(terms, from));
            let (same, after) = (terms.eq(block, own), terms.ule(first, offset));
            let mut inside = terms.and(same, after);
            if let Some(bytes) = bytes {
                let at = terms.sub(offset, first);
                let size = terms.number(OFFSET_BITS, bytes.into());
                let near = terms.ult(at, size);
                inside = terms.and(inside, near);
            }
            dead = terms.or(dead, inside);
        }
        dead
    }
}
