//! Strongly connected components of a part of a graph.
//!
//! Algorithm: Tarjan, "Depth-first Search and Linear Graph Algorithms" (1972), without recursion.

use backedge_ir::entity::{Block, SecondaryMap};

/// The strongly connected components of the subgraph induced by `blocks`. The order of blocks in a component is
/// unspecified; components are in reverse topological order.
pub(crate) fn components<'a>(
    blocks: &[Block],
    succs: impl Fn(Block) -> &'a [Block],
    number: &mut Numbering,
) -> Vec<Vec<Block>> {
    number.assign(blocks);
    let mut search =
        Search { low: vec![NONE; blocks.len()], order: vec![NONE; blocks.len()], found: Vec::new() };
    for root in 0..blocks.len() as u32 {
        if search.order[root as usize] == NONE {
            search.run(root, blocks, &succs, number);
        }
    }
    number.clear(blocks);
    search.found
}

/// The order and low link of a node that the search has not reached.
const NONE: u32 = u32::MAX;

/// Positions of blocks in the current slice; reused across calls so that a call costs only its part of the graph.
#[derive(Debug)]
pub(crate) struct Numbering {
    position: SecondaryMap<Block, u32>,
}

impl Numbering {
    pub(crate) fn new() -> Self {
        Self { position: SecondaryMap::with_default(NONE) }
    }
    fn assign(&mut self, blocks: &[Block]) {
        for (i, &block) in blocks.iter().enumerate() {
            self.position[block] = i as u32;
        }
    }
    fn clear(&mut self, blocks: &[Block]) {
        for &block in blocks {
            self.position[block] = NONE;
        }
    }
}

struct Search {
    low: Vec<u32>,
    /// Discovery time of each node; [`DONE`] for nodes of finished components.
    order: Vec<u32>,
    found: Vec<Vec<Block>>,
}

/// The order of a node whose component is finished: larger than every low link, so no low link takes it.
const DONE: u32 = NONE - 1;

impl Search {
    fn run<'a>(
        &mut self,
        root: u32,
        blocks: &[Block],
        succs: &impl Fn(Block) -> &'a [Block],
        number: &Numbering,
    ) {
        let mut clock = 0;
        let mut open = Vec::new();
        let mut stack = vec![(root, 0)];
        while let Some(&mut (node, ref mut next)) = stack.last_mut() {
            let at = node as usize;
            if *next == 0 {
                self.order[at] = clock;
                self.low[at] = clock;
                clock += 1;
                open.push(node);
            }
            let block = blocks[at];
            if let Some(&target) = succs(block).get(*next) {
                *next += 1;
                let to = number.position[target];
                if to == NONE {
                    continue;
                }
                match self.order[to as usize] {
                    NONE => stack.push((to, 0)),
                    DONE => {}
                    met => self.low[at] = self.low[at].min(met),
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[at]);
            }
            if self.low[at] == self.order[at] {
                self.close(node, &mut open, blocks);
            }
        }
    }

    fn close(&mut self, node: u32, open: &mut Vec<u32>, blocks: &[Block]) {
        let mut component = Vec::new();
        while let Some(member) = open.pop() {
            self.order[member as usize] = DONE;
            component.push(blocks[member as usize]);
            if member == node {
                break;
            }
        }
        self.found.push(component);
    }
}
