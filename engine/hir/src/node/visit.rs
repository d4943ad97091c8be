//! Walks over a tree in lexical order, forward and backward. Not recursive.

use super::{Hir, List, Node};

/// A step of a walk.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A node, before its children.
    Enter(Node),
    /// The beginning of a node's list; in a backward walk, its end.
    List(Node, List),
    /// A node, after its children.
    Leave(Node),
}

/// How a walk continues after an event.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Visit the children of the node.
    Into,
    /// Skip the children of the node; [`Visitor::leave`] is still called for the node.
    Past,
    /// Stop the walk.
    Stop,
}

/// Callbacks of a walk.
pub trait Visitor {
    /// Called before the children of `node`, in the direction of the walk.
    fn enter(&mut self, hir: &Hir, node: Node) -> Step;
    /// Called after the children of `node`.
    fn leave(&mut self, hir: &Hir, node: Node) {
        let _ = (hir, node);
    }
}

impl Hir {
    /// All events of a forward walk over `root`.
    pub fn events(&self, root: Node) -> Vec<Event> {
        let mut events = Vec::new();
        self.walk_events(root, false, |event| {
            events.push(event);
            Step::Into
        });
        events
    }
    /// The nodes in `root`, itself first, in preorder.
    pub fn nodes_in(&self, root: Node) -> Vec<Node> {
        let entered = |event| if let Event::Enter(node) = event { Some(node) } else { None };
        self.events(root).into_iter().filter_map(entered).collect()
    }
    /// Walks over `root` and its subtree, from the first node to the last. Returns whether the walk was completed.
    pub fn walk_forward(&self, root: Node, visitor: &mut dyn Visitor) -> bool {
        self.walk(root, false, visitor)
    }
    /// Walks over `root` and its subtree, from the last node to the first. Returns whether the walk was completed.
    pub fn walk_backward(&self, root: Node, visitor: &mut dyn Visitor) -> bool {
        self.walk(root, true, visitor)
    }
    fn walk(&self, root: Node, backward: bool, visitor: &mut dyn Visitor) -> bool {
        self.walk_events(root, backward, |event| match event {
            Event::Enter(node) => visitor.enter(self, node),
            Event::List(..) => Step::Into,
            Event::Leave(node) => {
                visitor.leave(self, node);
                Step::Into
            }
        })
    }
    fn walk_events(&self, root: Node, backward: bool, mut visit: impl FnMut(Event) -> Step) -> bool {
        let mut work = vec![Event::Enter(root)];
        while let Some(event) = work.pop() {
            let step = visit(event);
            if step == Step::Stop {
                return false;
            }
            // Push the next event last.
            match event {
                Event::Enter(node) => {
                    work.push(Event::Leave(node));
                    if step == Step::Into {
                        let lists = self.lists(node).map(|list| Event::List(node, list));
                        if backward { work.extend(lists) } else { work.extend(lists.rev()) }
                    }
                }
                Event::List(node, list) => {
                    let from = work.len();
                    work.extend(self.children(node, list).map(Event::Enter));
                    if !backward {
                        work[from..].reverse();
                    }
                }
                Event::Leave(_) => {}
            }
        }
        true
    }
}
