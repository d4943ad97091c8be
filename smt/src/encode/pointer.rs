//! The parts of an encoded pointer.

use super::world::{OFFSET_BITS, POINTER_BITS};
use crate::term::{Term, Terms};

/// The block number of a pointer.
pub(crate) fn block_of(terms: &mut Terms, pointer: Term) -> Term {
    terms.extract(pointer, POINTER_BITS - 1, OFFSET_BITS)
}

/// The offset of a pointer.
pub(crate) fn offset_of(terms: &mut Terms, pointer: Term) -> Term {
    terms.extract(pointer, OFFSET_BITS - 1, 0)
}
