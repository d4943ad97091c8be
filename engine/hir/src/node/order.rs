//! Lexical order: node numbers, precedence and containment.
//!
//! A loop's own line is between its preheader and its body. The number of a node is the number of its line, counted
//! from 0 over all nodes of one region. Numbers are recomputed on demand after a change.

use super::{Event, Hir, Kind, List, LoopKind, Node};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The line numbers of all nodes of all regions.
#[derive(Debug, Default)]
pub(crate) struct Order {
    lines: FxHashMap<Node, u32>,
}

impl Hir {
    fn order(&self) -> Rc<Order> {
        let known = self.found().borrow().order.clone();
        known.unwrap_or_else(|| {
            let mut order = Order::default();
            for region in self.regions() {
                let mut line = 0;
                for event in self.events(*region) {
                    let at = match event {
                        Event::Enter(node) if !matches!(self.kind(node), Kind::Loop(_)) => node,
                        Event::List(node, List::Body) if matches!(self.kind(node), Kind::Loop(_)) => node,
                        _ => continue,
                    };
                    order.lines.insert(at, line);
                    line += 1;
                }
            }
            let order = Rc::new(order);
            self.found().borrow_mut().order = Some(Rc::clone(&order));
            order
        })
    }
    /// The number of `node`, if it is in a region.
    pub fn number(&self, node: Node) -> Option<u32> {
        self.order().lines.get(&node).copied()
    }
    /// Whether the line of `a` precedes that of `b`; both must be in one region.
    pub fn comes_before(&self, a: Node, b: Node) -> bool {
        let order = self.order();
        let same = || self.region(a).is_some() && self.region(a) == self.region(b);
        match (order.lines.get(&a), order.lines.get(&b)) {
            (Some(x), Some(y)) => x < y && same(),
            _ => false,
        }
    }
    /// Whether `inner` is `outer` or in its subtree.
    pub fn is_in(&self, outer: Node, inner: Node) -> bool {
        self.ancestors(inner).any(|n| n == outer)
    }
    /// Whether `node` is in the body of `l`, directly or in the body of a nested loop.
    pub(crate) fn is_in_body(&self, l: Node, node: Node) -> bool {
        self.loops_around(node).any(|around| around == l)
    }
    /// The list of `outer` that contains `inner`.
    pub(crate) fn list_within(&self, outer: Node, inner: Node) -> Option<List> {
        let part = self.ancestors(inner).find(|n| self.parent(*n) == Some(outer));
        part.and_then(|part| self.list_of(part))
    }
    /// The unknown loop whose iterations begin at `label`: a goto to it from within the loop is the backedge.
    pub(crate) fn begun_at(&self, label: Node) -> Option<Node> {
        let begins =
            |l: &Node| matches!(self.kind(*l), Kind::Loop(of) if of.kind == LoopKind::Unknown(label));
        self.parent(label).filter(begins)
    }
    /// Whether both are in the same list of the same node.
    pub fn have_same_list(&self, a: Node, b: Node) -> bool {
        self.parent(a).is_some() && self.parent(a) == self.parent(b) && self.list_of(a) == self.list_of(b)
    }
    /// The innermost node whose subtree contains both; it may be one of them.
    pub fn common_ancestor(&self, a: Node, b: Node) -> Option<Node> {
        let above: Vec<Node> = self.ancestors(a).collect();
        self.ancestors(b).find(|n| above.contains(n))
    }
    /// The innermost loop whose body contains both.
    pub fn common_loop(&self, a: Node, b: Node) -> Option<Node> {
        let around: Vec<Node> = self.loops_around(a).collect();
        self.loops_around(b).find(|l| around.contains(l))
    }
}
