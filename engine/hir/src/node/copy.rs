//! Copies of trees.

use super::{Event, Hir, Kind, LoopKind, Node, Target};
use rustc_hash::FxHashMap;

impl Hir {
    /// Copies `root` and its subtree; the copy is in no list. Gotos to labels in the subtree go to the copied labels;
    /// other gotos keep their targets. The copy uses the same variables.
    pub fn copy(&mut self, root: Node) -> Node {
        let mut copies: FxHashMap<Node, Node> = FxHashMap::default();
        let mut into = Vec::new();
        for event in self.events(root) {
            match event {
                Event::Enter(node) => {
                    let copy = self.create(self.kind(node).clone());
                    if let Some((parent, list)) = into.last().copied().filter(|_| node != root) {
                        self.insert_last(parent, list, copy);
                    }
                    copies.insert(node, copy);
                }
                Event::List(node, list) => {
                    into.truncate(self.depth_below(root, node));
                    into.push((copies[&node], list));
                }
                Event::Leave(node) => into.truncate(self.depth_below(root, node)),
            }
        }
        for copy in copies.values() {
            let target = match self.kind(*copy) {
                Kind::Goto(goto) => goto.label(),
                Kind::Loop(l) => match l.kind {
                    LoopKind::Unknown(label) => Some(label),
                    LoopKind::Do { .. } => None,
                },
                _ => None,
            };
            let Some(copied) = target.and_then(|label| copies.get(&label).copied()) else { continue };
            self.edit(*copy, |kind, _| match kind {
                Kind::Goto(goto) => goto.target = Target::Label(copied),
                Kind::Loop(l) => l.kind = LoopKind::Unknown(copied),
                _ => {}
            });
        }
        copies[&root]
    }
    fn depth_below(&self, root: Node, node: Node) -> usize {
        self.ancestors(node).take_while(|n| *n != root).count()
    }
}
