//! Guards: conditions that hold where a node executes. They are the zero-trip tests of the loops whose bodies contain
//! the node, and the conditions of the ifs whose lists contain it.
//!
//! A list has no guard if a goto may enter it past its beginning. No goto enters a loop body from outside, so labels
//! in loops within the list do not count.

use super::pair::Guard;
use crate::node::{Compare, Hir, Kind, List, Node, Predicate};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Limit on the guards of one node, each of which becomes an inequality of every system of the node; the innermost ones
/// are the most useful.
const MOST: usize = 8;

/// Cached guards of the lists of one tree.
pub(super) struct Guards<'h> {
    hir: &'h Hir,
    known: FxHashMap<(Node, List), Rc<[Guard<'h>]>>,
    nothing: Rc<[Guard<'h>]>,
}

impl<'h> Guards<'h> {
    pub(super) fn new(hir: &'h Hir) -> Self {
        Self { hir, known: FxHashMap::default(), nothing: Rc::new([]) }
    }
    /// The guards that hold wherever `node` executes, innermost first.
    pub(super) fn around(&mut self, node: Node) -> Rc<[Guard<'h>]> {
        let hir = self.hir;
        let (Some(parent), Some(list)) = (hir.parent(node), hir.list_of(node)) else {
            return Rc::clone(&self.nothing);
        };
        if let Some(known) = self.known.get(&(parent, list)) {
            return Rc::clone(known);
        }
        let mut all = self.of_list(parent, list);
        all.extend_from_slice(&self.around(parent));
        all.truncate(MOST);
        let all: Rc<[Guard<'h>]> = all.into();
        self.known.insert((parent, list), Rc::clone(&all));
        all
    }
    fn of_list(&self, parent: Node, list: List) -> Vec<Guard<'h>> {
        let hir = self.hir;
        let holding = |all: &'h [Predicate]| {
            let of = |one: &'h Predicate| match one.compare {
                Compare::Int(pred) => Some((pred, &one.refs)),
                Compare::Float(_) => None,
            };
            all.iter().filter_map(of).collect()
        };
        match (hir.kind(parent), list) {
            (Kind::Loop(l), List::Body) if self.is_entered_first(parent, List::Preheader) => holding(&l.ztt),
            (Kind::If(of), List::Then) if self.is_entered_first(parent, list) => holding(&of.conditions),
            (Kind::If(of), List::Else) if self.is_entered_first(parent, list) => match &of.conditions[..] {
                [Predicate { compare: Compare::Int(pred), refs, .. }] => vec![(pred.inverse(), refs)],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
    /// Whether control enters a list only at its beginning.
    fn is_entered_first(&self, parent: Node, list: List) -> bool {
        let hir = self.hir;
        let level = hir.level(parent);
        let is_label = |node: Node| matches!(hir.kind(node), Kind::Label(_)) && hir.level(node) == level;
        !hir.children(parent, list).any(|child| hir.nodes_in(child).into_iter().any(is_label))
    }
}
