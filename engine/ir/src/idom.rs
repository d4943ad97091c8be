//! Immediate dominators of a rooted graph whose nodes are small integers: for the dominator tree of a body and, on
//! reversed edges, for its post-dominator tree.
//!
//! Algorithm: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), the simple version:
//! O(m log n) for any graph, including deep nests and chains. No recursion.

use crate::entity::{EntityId, SecondaryMap};

/// The number of a node that the search has not reached.
const NONE: u32 = u32::MAX;

/// A graph with successor and predecessor edges.
pub trait FlowGraph {
    /// The number of nodes; nodes are the numbers below it.
    fn len(&self) -> usize;
    /// The target of edge `index` of `node`; `None` if there are no more edges.
    fn succ(&self, node: u32, index: usize) -> Option<u32>;
    /// The predecessors of `node`.
    fn preds(&self, node: u32) -> impl Iterator<Item = u32>;
    /// Whether the graph has no nodes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The immediate dominator of each node in the graph rooted at `root`; `None` for the root and for unreachable nodes.
pub fn immediate_dominators(graph: &impl FlowGraph, root: u32) -> Vec<Option<u32>> {
    let mut idom = vec![None; graph.len()];
    let tree = DepthFirst::new(graph, root);
    let by_number = Search::new(&tree).run(graph, &tree);
    for (number, &node) in tree.nodes.iter().enumerate().skip(1) {
        idom[node as usize] = Some(tree.nodes[by_number[number] as usize]);
    }
    idom
}

/// A preorder numbering of a forest: for each node its own number and the largest number in its subtree. Node `a`
/// equals `b` or is an ancestor of `b` exactly if `b`'s number lies in `a`'s interval. `None` for nodes outside the
/// forest.
pub fn preorder_intervals<'a, E: EntityId + 'a>(
    roots: impl IntoIterator<Item = E>,
    children: impl Fn(E) -> &'a [E],
) -> SecondaryMap<E, Option<(u32, u32)>> {
    let mut interval = SecondaryMap::new();
    let mut clock = 0;
    for root in roots {
        let mut stack = vec![(root, 0)];
        interval[root] = Some((clock, clock));
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if let Some(&child) = children(node).get(*next) {
                *next += 1;
                clock += 1;
                interval[child] = Some((clock, clock));
                stack.push((child, 0));
            } else {
                if let Some((_, last)) = &mut interval[node] {
                    *last = clock;
                }
                stack.pop();
            }
        }
        clock += 1;
    }
    interval
}

/// A depth-first spanning tree, numbered in preorder.
struct DepthFirst {
    nodes: Vec<u32>,
    number: Vec<u32>,
    parent: Vec<u32>,
}

impl DepthFirst {
    fn new(graph: &impl FlowGraph, root: u32) -> Self {
        let mut this = Self { nodes: vec![root], number: vec![NONE; graph.len()], parent: vec![0] };
        this.number[root as usize] = 0;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let Some(target) = graph.succ(*node, *next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            if this.number[target as usize] == NONE {
                this.parent.push(this.number[*node as usize]);
                this.number[target as usize] = this.nodes.len() as u32;
                this.nodes.push(target);
                stack.push((target, 0));
            }
        }
        this
    }
}

/// The state of the algorithm; all fields use preorder numbers.
struct Search {
    semi: Vec<u32>,
    /// The node with the smallest semidominator on the compressed path to the root of its tree in the forest.
    label: Vec<u32>,
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Search {
    fn new(tree: &DepthFirst) -> Self {
        let count = tree.nodes.len();
        let identity: Vec<u32> = (0..count as u32).collect();
        Self { semi: identity.clone(), label: identity, ancestor: vec![NONE; count], path: Vec::new() }
    }

    fn run(mut self, graph: &impl FlowGraph, tree: &DepthFirst) -> Vec<u32> {
        let count = tree.nodes.len();
        let mut idom = vec![0; count];
        // Linked lists (buckets): the nodes whose semidominator is the index.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        for w in (1..count).rev() {
            for pred in graph.preds(tree.nodes[w]) {
                let v = tree.number[pred as usize];
                if v != NONE {
                    let best = self.eval(v);
                    self.semi[w] = self.semi[w].min(self.semi[best as usize]);
                }
            }
            let semi = self.semi[w] as usize;
            next[w] = std::mem::replace(&mut first[semi], w as u32);
            let parent = tree.parent[w];
            self.ancestor[w] = parent;
            let mut v = std::mem::replace(&mut first[parent as usize], NONE);
            while v != NONE {
                let best = self.eval(v);
                let lower = self.semi[best as usize] < self.semi[v as usize];
                idom[v as usize] = if lower { best } else { parent };
                v = std::mem::replace(&mut next[v as usize], NONE);
            }
        }
        for w in 1..count {
            if idom[w] != self.semi[w] {
                idom[w] = idom[idom[w] as usize];
            }
        }
        idom
    }

    fn eval(&mut self, v: u32) -> u32 {
        if self.ancestor[v as usize] == NONE {
            return v;
        }
        let mut at = v;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        let mut above = at;
        while let Some(below) = self.path.pop() {
            let (a, b) = (self.label[above as usize], self.label[below as usize]);
            if self.semi[a as usize] < self.semi[b as usize] {
                self.label[below as usize] = a;
            }
            self.ancestor[below as usize] = self.ancestor[above as usize];
            above = below;
        }
        self.label[v as usize]
    }
}
