//! Removes redundant gotos (control falls through to their target anyway), unused labels, and ifs that decide
//! nothing: empty ifs, and ifs that compare constants, which are replaced by the list that executes.

use crate::CanonExpr;
use crate::node::{Compare, Hir, HlGoto, Kind, List, LoopKind, Node, Predicate, Target};
use rustc_hash::FxHashSet;

/// Tidies a region.
pub(super) fn tidy(hir: &mut Hir, region: Node) {
    leave_out(hir, region);
    while fold(hir, region) {
        leave_out(hir, region);
    }
    labels(hir, region);
}

/// Removes redundant gotos and ifs.
fn leave_out(hir: &mut Hir, region: Node) {
    loop {
        let mut changed = false;
        for node in hir.nodes_in(region).into_iter().rev() {
            match hir.kind(node) {
                Kind::Goto(goto) if falls_through_to(hir, node, goto.target) => hir.remove(node),
                Kind::If(_) => match [List::Then, List::Else].map(|list| hir.first(node, list)) {
                    [None, None] => hir.remove(node),
                    [None, Some(_)] if turn(hir, node) => {
                        hir.move_all((node, List::Else), (node, List::Then))
                    }
                    _ => continue,
                },
                _ => continue,
            }
            changed = true;
        }
        if !changed {
            break;
        }
    }
}

/// Removes unused labels.
fn labels(hir: &mut Hir, region: Node) {
    let mut used: FxHashSet<Node> = FxHashSet::default();
    let nodes = hir.nodes_in(region);
    for node in &nodes {
        match hir.kind(*node) {
            Kind::Goto(goto) => used.extend(goto.label()),
            Kind::Loop(l) => {
                if let LoopKind::Unknown(label) = l.kind {
                    used.insert(label);
                }
            }
            _ => {}
        }
    }
    for node in nodes {
        if matches!(hir.kind(node), Kind::Label(_)) && !used.contains(&node) {
            hir.remove(node);
        }
    }
}

/// Replaces ifs that compare constants and contain no goto out of them by the list that executes. Returns whether
/// there was one.
fn fold(hir: &mut Hir, region: Node) -> bool {
    let mut changed = false;
    // Innermost first.
    for node in hir.nodes_in(region).into_iter().rev() {
        let Kind::If(branch) = hir.kind(node) else { continue };
        let known: Vec<Option<bool>> = branch.conditions.iter().map(holds).collect();
        let list = if known.iter().all(|holds| *holds == Some(true)) {
            List::Then
        } else if known.contains(&Some(false)) {
            List::Else
        } else {
            continue;
        };
        changed |= decide(hir, node, list);
    }
    changed
}

/// Replaces an if by one of its lists, unless a goto leaves the if. Returns whether it was replaced.
pub(super) fn decide(hir: &mut Hir, node: Node, list: List) -> bool {
    let leaves = |inside: Node| match hir.kind(inside) {
        Kind::Goto(goto) => goto.label().is_none_or(|label| !hir.is_in(node, label)),
        _ => false,
    };
    if hir.nodes_in(node).into_iter().any(leaves) {
        return false;
    }
    for inside in hir.children(node, list).collect::<Vec<_>>() {
        hir.move_before(node, inside);
    }
    hir.remove(node);
    true
}

/// The result of a comparison of constants.
fn holds(condition: &Predicate) -> Option<bool> {
    let Compare::Int(pred) = condition.compare else { return None };
    let [left, right] = condition.refs.each_ref().map(|of| of.as_terminal().and_then(CanonExpr::as_constant));
    Some(pred.holds(left?, right?))
}

/// Inverts the condition of an if, if it is a single comparison of integers.
fn turn(hir: &mut Hir, node: Node) -> bool {
    hir.edit(node, |kind, _| {
        let Kind::If(branch) = kind else { return false };
        let [condition] = &mut branch.conditions[..] else { return false };
        let Compare::Int(pred) = condition.compare else { return false };
        condition.compare = Compare::Int(pred.inverse());
        condition.hints = condition.hints.turned();
        true
    })
}

/// Whether control reaches `target` from after `node` without executing anything.
fn falls_through_to(hir: &Hir, node: Node, target: Target) -> bool {
    let mut at = node;
    loop {
        if let Some(next) = hir.next(at) {
            match hir.kind(next) {
                Kind::Label(_) if target == Target::Label(next) => return true,
                Kind::Label(_) => at = next,
                Kind::Goto(HlGoto { target: there }) => return *there == target,
                _ => return false,
            }
            continue;
        }
        let Some(parent) = hir.parent(at) else { return false };
        at = match (hir.kind(parent), hir.list_of(at)) {
            (Kind::Region(_), _) => return target == Target::Exit(0),
            (Kind::If(_) | Kind::Switch(_), _) | (Kind::Loop(_), Some(List::Postexit)) => parent,
            (Kind::Loop(l), Some(List::Body)) => {
                let leaves =
                    matches!(l.kind, LoopKind::Unknown(_)) && hir.first(parent, List::Postexit).is_none();
                if !leaves {
                    return false;
                }
                parent
            }
            _ => return false,
        };
    }
}
