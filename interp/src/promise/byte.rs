//! The state of one byte of memory, for promises that memory does not change.

use crate::memory::{Contents, Fragment, Memory};
use crate::value::{Pointer, Prov};
use backedge_ir::entity::{FuncId, Inst};

/// A byte that must not change: its state, the pointer, the promise, and the place of the load that makes the
/// promise.
pub(super) type Fixed = (Held, Pointer, &'static str, (FuncId, Inst));

/// State of a byte: its value, its poison and undefined bits, and the pointer that it is a fragment of.
pub(super) type Held = ([u8; 3], Option<Fragment>);

/// State of the byte at a pointer, if its object exists, with the object's base address.
pub(super) fn byte(memory: &Memory, ptr: Pointer) -> Option<(u64, Held)> {
    let alloc = memory.allocation(memory.object_of(ptr)?);
    let at = usize::try_from(ptr.addr.checked_sub(alloc.base)?).ok()?;
    Some((alloc.base, held(&alloc.contents, at)?))
}

/// State of one byte of an object.
pub(super) fn held(contents: &Contents, at: usize) -> Option<Held> {
    let plane = |plane: &[u8]| plane.get(at).copied().unwrap_or(0);
    let bits = [contents.bytes.get(at).copied()?, plane(&contents.poison), plane(&contents.undef)];
    let piece = contents.fragments.get(at).copied().filter(|piece| piece.prov != Prov::NONE);
    Some((bits, piece))
}
