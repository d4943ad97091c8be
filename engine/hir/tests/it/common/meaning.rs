//! Small-step semantics of trees, as specified by the documentation of the node module.

use backedge_hir::node::{Kind, List, LoopKind};
use backedge_hir::{Hir, Node};

/// A position of control.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum At {
    /// Before a loop's zero-trip test.
    Entry(Node),
    /// The beginning of a loop's iteration; for other nodes, the node itself.
    Line(Node),
    /// The end of a list.
    EndOf(Node, List),
    Done,
}

/// The position where control enters a node.
pub(crate) fn start(hir: &Hir, node: Node) -> At {
    if matches!(hir.kind(node), Kind::Loop(_)) { At::Entry(node) } else { At::Line(node) }
}

/// The position where control enters a list.
pub(crate) fn list(hir: &Hir, node: Node, list: List) -> At {
    hir.first(node, list).map_or(At::EndOf(node, list), |first| start(hir, first))
}

/// The position after a node.
pub(crate) fn after(hir: &Hir, node: Node) -> At {
    match (hir.next(node), hir.parent(node), hir.list_of(node)) {
        (Some(next), ..) => start(hir, next),
        (None, Some(parent), Some(list)) => At::EndOf(parent, list),
        _ => At::Done,
    }
}

/// The possible next positions.
pub(crate) fn steps(hir: &Hir, at: At) -> Vec<At> {
    match at {
        At::Done => Vec::new(),
        At::Entry(node) => {
            let Kind::Loop(l) = hir.kind(node) else { unreachable!("a loop") };
            let skip = (!l.ztt.is_empty()).then(|| after(hir, node));
            skip.into_iter().chain([list(hir, node, List::Preheader)]).collect()
        }
        At::Line(node) => match hir.kind(node) {
            Kind::Region(_) | Kind::Loop(_) => vec![list(hir, node, List::Body)],
            Kind::If(_) | Kind::Switch(_) => hir.lists(node).map(|l| list(hir, node, l)).collect(),
            Kind::Goto(goto) => vec![goto.label().map_or(At::Done, At::Line)],
            Kind::Label(_) | Kind::Inst(_) => vec![after(hir, node)],
        },
        At::EndOf(node, which) => match (hir.kind(node), which) {
            (Kind::Loop(_), List::Preheader) => vec![At::Line(node)],
            (Kind::Loop(l), List::Body) => match l.kind {
                LoopKind::Do { .. } => vec![At::Line(node), list(hir, node, List::Postexit)],
                LoopKind::Unknown(_) => vec![list(hir, node, List::Postexit)],
            },
            (Kind::Region(_), _) => vec![At::Done],
            _ => vec![after(hir, node)],
        },
    }
}
