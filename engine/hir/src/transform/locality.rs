//! Memory locality of loops, as weighed by several transforms.

use crate::canon::{CanonExpr, IvSum, Level, NoWrap};
use crate::ddref::Dimension;
use crate::node::{Hir, List, Node};
use crate::{MemRef, RegDdRef, ScalarType};

/// Bytes of a cache line: the usual size on current machines.
pub(super) const LINE: u128 = 64;

/// The memory accesses in the body of `l`.
pub(super) fn accesses(hir: &Hir, l: Node) -> Vec<RegDdRef> {
    let nodes = hir.children(l, List::Body).flat_map(|node| hir.nodes_in(node));
    let is_access = |of: &&RegDdRef| of.as_memory().is_some_and(|m| m.is_access());
    nodes
        .flat_map(|node| hir.kind(node).refs().into_iter().filter(is_access).cloned().collect::<Vec<_>>())
        .collect()
}

/// Bytes by which a reference advances in the loop at `level`, at most a cache line; unknown strides count as a cache
/// line.
pub(super) fn advance(hir: &mut Hir, of: &RegDdRef, level: Level) -> u128 {
    let stride = of.stride_at_level(level, &mut hir.blobs).ok().and_then(|form| form.as_constant());
    stride.map_or(LINE, |bytes| bytes.signed().unsigned_abs().min(LINE))
}

/// The distance between two references.
pub(super) struct Distance {
    pub(super) bytes: i128,
    /// The distance is measured at the beginning of inner loops, in which at least one of the references advances
    /// further.
    pub(super) within: bool,
}

/// The byte distance from `a` to `b` in one iteration of the loop at `level`, if it is a constant.
pub(super) fn distance(hir: &mut Hir, [a, b]: [&RegDdRef; 2], level: Level) -> Option<Distance> {
    let (a, b) = (a.as_memory()?, b.as_memory()?);
    if !a.base.same_as(&b.base) {
        return None;
    }
    // Common dimensions need not be known.
    let is_same =
        |(x, y): &(&Dimension, &Dimension)| x.subscript.same_as(&y.subscript) && x.stride.same_as(&y.stride);
    let same = if a.dims.len() == b.dims.len() {
        a.dims.iter().zip(&b.dims).rev().take_while(is_same).count()
    } else {
        0
    };
    let [from, to] = [a, b].map(|of| beyond_base(hir, of, of.dims.len() - same, level));
    let between = to?.sub(&from?, NoWrap::Unknown, &mut hir.blobs)?.as_constant()?;
    let advances =
        |of: &MemRef| of.dims.iter().any(|dim| dim.subscript.ivs().iter().any(|(inner, _)| *inner > level));
    Some(Distance { bytes: between.signed(), within: advances(a) || advances(b) })
}

/// The bytes that the first `dims` dimensions of a reference and its fields add to its base, at the beginning of all
/// loops inside the one at `level`.
fn beyond_base(hir: &mut Hir, of: &MemRef, dims: usize, level: Level) -> Option<CanonExpr> {
    let width = of.base.dest_type().width;
    let begin = |inner: Level| if inner > level { IvSum::default() } else { IvSum::of_level(inner) };
    let blobs = &mut hir.blobs;
    let mut sum = CanonExpr::zero(ScalarType::int(width)).add_constant(of.offset, NoWrap::Unknown, blobs)?;
    for dim in &of.dims[..dims] {
        let index = dim.subscript.with_ivs(&begin, blobs).low_bits(width, blobs)?;
        let bytes = index.mul(&dim.stride, NoWrap::Unknown, blobs)?;
        sum = sum.add(&bytes, NoWrap::Unknown, blobs)?;
    }
    Some(sum)
}
