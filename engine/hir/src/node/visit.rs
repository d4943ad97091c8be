//! Walks over a tree in lexical order, forward and backward. Not recursive.

use super::{Hir, List, Node};

/// What a walk comes to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A node, before what is in it.
    Enter(Node),
    /// The beginning of a list of a node; of a walk backward, its end.
    List(Node, List),
    /// A node, behind what is in it.
    Leave(Node),
}

/// How a walk goes on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Into the node.
    Into,
    /// Past the node; [`Visitor::leave`] is called for it all the same.
    Past,
    /// The walk ends.
    Stop,
}

/// What is done at each node of a walk.
pub trait Visitor {
    /// Before what is in `node`, in the direction of the walk.
    fn enter(&mut self, hir: &Hir, node: Node) -> Step;
    /// Behind it.
    fn leave(&mut self, hir: &Hir, node: Node) {
        let _ = (hir, node);
    }
}

impl Hir {
    /// All that a walk over `root` comes to, forward.
    pub fn events(&self, root: Node) -> Vec<Event> {
        let mut events = Vec::new();
        self.walk_events(root, false, |event| {
            events.push(event);
            Step::Into
        });
        events
    }
    /// The nodes in `root`, itself first, in the order in which they are entered.
    pub fn nodes_in(&self, root: Node) -> Vec<Node> {
        let entered = |event| if let Event::Enter(node) = event { Some(node) } else { None };
        self.events(root).into_iter().filter_map(entered).collect()
    }
    /// Walks over `root` and what is in it, from the first node to the last; whether it came to the end.
    pub fn walk_forward(&self, root: Node, visitor: &mut dyn Visitor) -> bool {
        self.walk(root, false, visitor)
    }
    /// Walks over `root` and what is in it, from the last node to the first; whether it came to the end.
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
            // What comes next is put on the stack last.
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
