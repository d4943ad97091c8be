//! Shared legality checks of loops and nests.

use super::TransformMissed;
use crate::ddg::{Ddg, DepKind, Edge, End, EndPlace, Vector};
use crate::node::{Hir, HlLoop, Kind, List, LoopKind, Node, Predicate, Target};
use crate::{CanonExpr, RegDdRef, Temp};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A counted loop.
pub(super) struct Counted<'h> {
    pub(super) of: &'h HlLoop,
    /// The backedge-taken count.
    pub(super) upper: &'h CanonExpr,
}

/// The loop, if it is counted from 0 by 1.
pub(super) fn counted(hir: &Hir, l: Node) -> Result<Counted<'_>, TransformMissed> {
    let Kind::Loop(of) = hir.kind(l) else { return Err(TransformMissed::NotCounted) };
    let LoopKind::Do { upper, .. } = &of.kind else { return Err(TransformMissed::NotCounted) };
    let upper = upper.as_terminal().filter(|_| of.is_normalized()).ok_or(TransformMissed::NotCounted)?;
    Ok(Counted { of, upper })
}

/// The variables that are written in `root`.
pub(super) fn written_in(hir: &Hir, root: Node) -> FxHashSet<Temp> {
    hir.nodes_in(root).into_iter().filter_map(|node| hir.written(node)).collect()
}

/// The variables that are read in `root`.
pub(super) fn read_in(hir: &Hir, root: Node) -> FxHashSet<Temp> {
    hir.nodes_in(root).into_iter().flat_map(|node| hir.read(node)).collect()
}

pub(super) fn is_loop(hir: &Hir, node: Node) -> bool {
    matches!(hir.kind(node), Kind::Loop(_))
}

/// Whether `node` is before or after all iterations of `l`.
pub(super) fn is_beside(hir: &Hir, node: Node, l: Node) -> bool {
    hir.list_within(l, node).is_some_and(|list| list != List::Body)
}

/// The variables that a loop's zero-trip test reads.
pub(super) fn asked(hir: &Hir, of: &HlLoop) -> Vec<Temp> {
    of.ztt.iter().flat_map(|p| &p.refs).flat_map(|r| r.collect_temp_blobs(&hir.blobs)).collect()
}

/// Whether two zero-trip tests are equal.
pub(super) fn are_equal_tests(a: &[Predicate], b: &[Predicate]) -> bool {
    let same_ref = |(x, y): (&RegDdRef, &RegDdRef)| match (x.as_terminal(), y.as_terminal()) {
        (Some(x), Some(y)) => x.same_as(y),
        _ => x == y,
    };
    let same =
        |(x, y): (&Predicate, &Predicate)| x.compare == y.compare && x.refs.iter().zip(&y.refs).all(same_ref);
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// The loops in `root`, in lexical order.
pub(super) fn loops_in(hir: &Hir, root: Node) -> Vec<Node> {
    hir.nodes_in(root).into_iter().filter(|node| is_loop(hir, *node)).collect()
}

/// The innermost loops in `root`.
pub(super) fn innermost(hir: &Hir, root: Node) -> Vec<Node> {
    loops_in(hir, root).into_iter().filter(|l| loops_in(hir, *l).len() == 1).collect()
}

/// `l`, the loop that is its whole body, the loop that is that one's whole body, and so on.
pub(crate) fn chain(hir: &Hir, l: Node) -> Vec<Node> {
    let inner = |l: &Node| {
        let mut body = hir.children(*l, List::Body);
        body.next().filter(|child| body.next().is_none() && is_loop(hir, *child))
    };
    std::iter::successors(Some(l), inner).collect()
}

/// Checks that every execution of `l` executes all of its iterations, in an unobservable order: it has no exit but
/// its end, all loops in it terminate, and its instructions are reorderable.
pub(super) fn is_orderly(hir: &Hir, l: Node) -> Result<(), TransformMissed> {
    for node in hir.nodes_in(l) {
        match hir.kind(node) {
            Kind::Goto(goto) => {
                let in_body = |n: Node| hir.loops_around(n).any(|around| around == l);
                let stays = match goto.target {
                    Target::Label(label) => in_body(label) && in_body(node),
                    Target::Exit(_) => false,
                };
                if !stays {
                    return Err(TransformMissed::SeveralExits);
                }
            }
            Kind::Loop(of) if matches!(of.kind, LoopKind::Unknown(_)) => {
                return Err(if node == l { TransformMissed::NotCounted } else { TransformMissed::MayNotEnd });
            }
            Kind::Inst(inst) if !inst.reorderable => return Err(TransformMissed::Order),
            _ => {}
        }
    }
    Ok(())
}

/// Whether each goto in the body of `l` stays within its own node of the body's list.
pub(super) fn has_closed_parts(hir: &Hir, l: Node) -> bool {
    hir.children(l, List::Body).all(|part| {
        hir.nodes_in(part).into_iter().all(|node| match hir.kind(node) {
            Kind::Goto(goto) => goto.label().is_some_and(|label| label != part && hir.is_in(part, label)),
            _ => true,
        })
    })
}

/// The dependence graph of a loop.
pub(super) fn graph(hir: &Hir, l: Node) -> Result<Rc<Ddg>, TransformMissed> {
    hir.ddg(l).map_err(|_| TransformMissed::NoGraph)
}

/// Checks that each value of a variable that `counts` is read only in iterations that `stays` accepts.
pub(super) fn stay_in_iteration(
    hir: &Hir,
    graph: &Ddg,
    counts: &dyn Fn(Temp) -> bool,
    stays: &dyn Fn(&Vector) -> bool,
) -> Result<(), TransformMissed> {
    let flows = graph.edges().iter().filter(|e| e.kind == DepKind::Flow && is_of_variable(hir, e));
    // Writes affect whole variables.
    let written = |e: &Edge| e.source.reference(hir).and_then(|of| of.as_temp(&hir.blobs));
    let mut flows = flows.filter(|e| written(e).is_none_or(counts));
    if flows.all(|e| e.vectors.iter().all(stays)) { Ok(()) } else { Err(TransformMissed::Scalar) }
}

/// Checks that no memory dependence that `counts` is assumed, or has a vector that `breaks`.
pub(super) fn keeps(
    hir: &Hir,
    graph: &Ddg,
    counts: &dyn Fn(&Edge) -> bool,
    breaks: &dyn Fn(&Edge, &Vector) -> bool,
) -> Result<(), TransformMissed> {
    for edge in graph.edges().iter().filter(|e| !is_of_variable(hir, e) && counts(e)) {
        if edge.assumed {
            return Err(TransformMissed::Assumed);
        }
        if edge.vectors.iter().any(|vector| breaks(edge, vector)) {
            return Err(TransformMissed::Dependence);
        }
    }
    Ok(())
}

/// Whether the edge is a dependence of a variable rather than of memory.
pub(super) fn is_of_variable(hir: &Hir, edge: &Edge) -> bool {
    let is_variable = |end: End| match end.place {
        EndPlace::Ref(_) => end.reference(hir).is_some_and(|of| of.as_memory().is_none()),
        EndPlace::Blob(..) => true,
        EndPlace::Memory => false,
    };
    is_variable(edge.source) && is_variable(edge.sink)
}
