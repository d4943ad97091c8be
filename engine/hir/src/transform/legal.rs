//! What several transforms ask of a loop or nest before they change it.

use super::Missed;
use crate::node::{Hir, HlLoop, Kind, LoopKind, Node};
use crate::{CanonExpr, Temp};
use rustc_hash::FxHashSet;

/// A loop that is counted.
pub(super) struct Counted<'h> {
    pub(super) of: &'h HlLoop,
    /// How often its backedge is taken.
    pub(super) upper: &'h CanonExpr,
}

/// The loop, if it is counted from 0 by 1.
pub(super) fn counted(hir: &Hir, l: Node) -> Result<Counted<'_>, Missed> {
    let Kind::Loop(of) = hir.kind(l) else { return Err(Missed::NotCounted) };
    let LoopKind::Do { upper, .. } = &of.kind else { return Err(Missed::NotCounted) };
    let upper = upper.as_terminal().filter(|_| of.is_normalized()).ok_or(Missed::NotCounted)?;
    Ok(Counted { of, upper })
}

/// The variables that are written in `root`.
pub(super) fn written_in(hir: &Hir, root: Node) -> FxHashSet<Temp> {
    hir.nodes_in(root).into_iter().filter_map(|node| hir.written(node)).collect()
}

/// The loops in `root` that have no loop in them, in lexical order.
pub(super) fn innermost(hir: &Hir, root: Node) -> Vec<Node> {
    let is_loop = |node: &Node| matches!(hir.kind(*node), Kind::Loop(_));
    let has_none = |l: &Node| hir.nodes_in(*l).iter().filter(|node| is_loop(node)).count() == 1;
    hir.nodes_in(root).into_iter().filter(is_loop).filter(has_none).collect()
}
