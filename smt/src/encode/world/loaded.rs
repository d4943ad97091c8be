//! Origins of loaded pointers.

use crate::term::Term;

/// The origin of a loaded pointer.
#[derive(Clone, Debug)]
pub(crate) struct LoadedPointer {
    /// Condition under which bytes are poison or undef; the pointer's bits are then unrelated to the bytes.
    pub(in crate::encode) open: Term,
    /// A path on which `open` was excluded as UB.
    pub(in crate::encode) settled_on: Option<Term>,
    /// The bytes, in memory order.
    pub(in crate::encode) bytes: Vec<Term>,
}
