//! Dominance frontiers: the blocks where a definition stops dominating, and so where phis are placed.
//!
//! The frontier of `b` is the set of blocks that `b` does not strictly dominate but that have a predecessor dominated
//! by `b`. The iterated frontier of a set is the least set that contains the frontiers of the given set and of itself.
//! Both are defined for post-dominators too, on reversed edges: there they are the branches that a block is control
//! dependent on. The virtual exit is in no frontier.
//!
//! Only reachable blocks count. Neither algorithm recurses.
//!
//! Algorithms: [`Frontiers`] by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); the total size of
//! the sets may be quadratic (it is in a nest of rotated loops). [`IteratedFrontier`] by Sreedhar and Gao, "A Linear
//! Time Algorithm for Placing φ-Nodes" (1995), which does not need the frontiers of single blocks.

use crate::postdom::PostDominators;
use crate::{Cfg, Dominators};
use backedge_ir::entity::{Block, EntitySet, SecondaryMap};
use std::collections::BinaryHeap;

/// A dominator or post-dominator tree.
pub trait DominanceTree {
    /// The immediate dominator; `None` for a root.
    fn parent(&self, block: Block) -> Option<Block>;
    /// The blocks whose parent is `block`.
    fn children(&self, block: Block) -> &[Block];
    /// The depth in the tree: 1 for a root, 0 for unreachable blocks.
    fn level(&self, block: Block) -> u32;
    /// The successors of `block` in the tree's direction.
    fn forward(cfg: &Cfg, block: Block) -> &[Block];
    /// The predecessors of `block` in the tree's direction.
    fn backward(cfg: &Cfg, block: Block) -> &[Block];
}

impl DominanceTree for Dominators {
    fn parent(&self, block: Block) -> Option<Block> {
        self.idom(block)
    }
    fn children(&self, block: Block) -> &[Block] {
        Dominators::children(self, block)
    }
    fn level(&self, block: Block) -> u32 {
        Dominators::level(self, block)
    }
    fn forward(cfg: &Cfg, block: Block) -> &[Block] {
        cfg.succs(block)
    }
    fn backward(cfg: &Cfg, block: Block) -> &[Block] {
        cfg.preds(block)
    }
}

impl DominanceTree for PostDominators {
    fn parent(&self, block: Block) -> Option<Block> {
        self.ipdom(block)
    }
    fn children(&self, block: Block) -> &[Block] {
        PostDominators::children(self, block)
    }
    fn level(&self, block: Block) -> u32 {
        PostDominators::level(self, block)
    }
    fn forward(cfg: &Cfg, block: Block) -> &[Block] {
        cfg.preds(block)
    }
    fn backward(cfg: &Cfg, block: Block) -> &[Block] {
        cfg.succs(block)
    }
}

/// The frontier of every block.
#[derive(Clone, Debug)]
pub struct Frontiers {
    sets: SecondaryMap<Block, Vec<Block>>,
}

impl Frontiers {
    /// The frontiers in `tree`, a tree of the graph `cfg`.
    pub fn new<T: DominanceTree>(cfg: &Cfg, tree: &T) -> Self {
        let mut sets: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let stop = tree.parent(block);
            for &from in T::backward(cfg, block).iter().filter(|b| cfg.is_reachable(**b)) {
                let mut at = Some(from);
                while at != stop {
                    let Some(runner) = at else { break };
                    // The ancestors of such a runner already contain `block` too.
                    if sets[runner].last() == Some(&block) {
                        break;
                    }
                    sets[runner].push(block);
                    at = tree.parent(runner);
                }
            }
        }
        Self { sets }
    }
    /// The frontier of `block`, in reverse post-order of the graph. Empty for an unreachable block.
    pub fn of(&self, block: Block) -> &[Block] {
        &self.sets[block]
    }
}

/// Computes iterated frontiers of sets of blocks. A query costs at most time linear in the graph; if the set dominates
/// few blocks, only time linear in their number (times a logarithm for the priority queue).
#[derive(Debug)]
pub struct IteratedFrontier<'a, T> {
    cfg: &'a Cfg,
    tree: &'a T,
}

impl<'a, T: DominanceTree> IteratedFrontier<'a, T> {
    /// Queries on `tree`, a tree of the graph `cfg`.
    pub fn new(cfg: &'a Cfg, tree: &'a T) -> Self {
        Self { cfg, tree }
    }
    /// The iterated frontier of `blocks`, in reverse post-order of the graph.
    pub fn of(&self, blocks: &[Block]) -> Vec<Block> {
        self.of_where(blocks, |_| true)
    }
    /// The iterated frontier of `blocks` in the part of the graph where `wanted` holds: other blocks are neither added
    /// nor counted as definitions. With "the value is live in" as `wanted`, the result is where pruned SSA places phis.
    pub fn of_where(&self, blocks: &[Block], mut wanted: impl FnMut(Block) -> bool) -> Vec<Block> {
        let start = blocks.iter().copied().filter(|b| self.tree.level(*b) > 0);
        let mut queued: EntitySet<Block> = EntitySet::new();
        let defs: EntitySet<Block> = start.collect();
        // Deepest first: visit the subtree of a block before any block above it can be added.
        let mut queue: BinaryHeap<(u32, Block)> = defs.iter().map(|b| (self.tree.level(b), b)).collect();
        let mut seen = defs.clone();
        let mut frontier = Vec::new();
        let mut subtree = Vec::new();
        while let Some((root_level, root)) = queue.pop() {
            subtree.push(root);
            while let Some(block) = subtree.pop() {
                for &to in T::forward(self.cfg, block) {
                    let level = self.tree.level(to);
                    if level == 0 || level > root_level || queued.contains(to) || !wanted(to) {
                        continue;
                    }
                    queued.insert(to);
                    frontier.push(to);
                    if !defs.contains(to) {
                        queue.push((level, to));
                        seen.insert(to);
                    }
                }
                subtree.extend(self.tree.children(block).iter().copied().filter(|c| seen.insert(*c)));
            }
        }
        frontier.sort_unstable_by_key(|b| self.cfg.position(*b));
        frontier
    }
}
