//! The body of a loop or region as an acyclic graph, with its dominator tree: see the header of [`super`].

use super::values::Values;
use crate::node::Graph;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::idom::immediate_dominators;
use rustc_hash::FxHashMap;

/// A node of the graph of a loop's body, or of a region's.
#[derive(Copy, Clone, Debug)]
pub(super) enum Unit {
    Block(Block),
    Loop(LoopId),
}

/// The body of a loop without its backedges, or of a region; each inner loop is one node. Node 0 is the entry.
pub(super) struct Units {
    /// The loop, or the loop around the region.
    pub(super) around: Option<LoopId>,
    pub(super) list: Vec<Unit>,
    pub(super) of: FxHashMap<Block, usize>,
    graph: Graph,
    /// The immediately dominated nodes of each node, in topological order.
    pub(super) children: Vec<Vec<usize>>,
}

impl Units {
    /// Builds the graph of `blocks`, given in reverse post-order: the blocks of the loop `around`, or blocks that
    /// control can leave and reach again only through the first one.
    pub(super) fn new(values: &Values<'_>, around: Option<LoopId>, blocks: &[Block]) -> Self {
        let loops = &values.loops;
        let mut units = Self {
            around,
            list: Vec::new(),
            of: FxHashMap::default(),
            graph: Graph::default(),
            children: Vec::new(),
        };
        let mut of_loop: FxHashMap<LoopId, usize> = FxHashMap::default();
        // In reverse post-order the header of an inner loop precedes its other blocks.
        for block in blocks {
            let innermost = loops.innermost(*block);
            let child = innermost.into_iter().flat_map(|l| loops.ancestors(l));
            let child = child.take_while(|a| Some(*a) != around).last();
            let next = units.list.len();
            let at = match child {
                Some(child) => *of_loop.entry(child).or_insert(next),
                None => next,
            };
            if at == next {
                units.list.push(child.map_or(Unit::Block(*block), Unit::Loop));
            }
            units.of.insert(*block, at);
        }
        units.graph = Graph::of_points(units.list.len());
        for block in blocks {
            let from = units.of[block];
            for to in values.at.body.successors(*block) {
                let Some(to) = units.of.get(to).copied().filter(|to| *to != 0 && *to != from) else {
                    continue;
                };
                units.graph.edge(from as u32, to as u32);
            }
        }
        units.children = vec![Vec::new(); units.list.len()];
        for (node, above) in immediate_dominators(&units.graph, 0).into_iter().enumerate() {
            if let Some(above) = above {
                units.children[above as usize].push(node);
            }
        }
        units
    }
    /// Whether `node` is placed inside a branch of `from`: `from` is its only predecessor and ends in a branch.
    pub(super) fn is_inside(&self, values: &Values<'_>, from: usize, node: usize) -> bool {
        let branches = match self.list[from] {
            Unit::Block(block) => values.at.body.successors(block).len() > 1,
            Unit::Loop(_) => false,
        };
        branches && self.graph.preds[node].as_slice() == [from as u32]
    }
}
