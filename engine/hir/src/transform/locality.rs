//! How much of memory loops go through: what several transforms weigh.

use crate::RegDdRef;
use crate::canon::Level;
use crate::node::{Hir, List, Node};

/// Bytes of a cache line.
pub(super) const LINE: u128 = 64;

/// The accesses to memory in the body of `l`.
pub(super) fn accesses(hir: &Hir, l: Node) -> Vec<RegDdRef> {
    let nodes = hir.children(l, List::Body).flat_map(|node| hir.nodes_in(node));
    let is_access = |of: &&RegDdRef| of.as_memory().is_some_and(|m| m.is_access());
    nodes
        .flat_map(|node| hir.kind(node).refs().into_iter().filter(is_access).cloned().collect::<Vec<_>>())
        .collect()
}

/// Bytes by which a reference advances in the loop at `level`, up to a cache line, which is what is not known counts for.
pub(super) fn advance(hir: &mut Hir, of: &RegDdRef, level: Level) -> u128 {
    let stride = of.stride_at_level(level, &mut hir.blobs).ok().and_then(|form| form.as_constant());
    stride.map_or(LINE, |bytes| bytes.signed().unsigned_abs().min(LINE))
}
