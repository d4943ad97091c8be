//! Dominance frontiers: the blocks where the reach of a definition ends, and so where phis go.
//!
//! The frontier of `b` is the set of blocks that `b` does not strictly dominate but of whose predecessors it dominates
//! one. The iterated frontier of a set is the least set that contains the frontiers of the set and of itself. Both are
//! defined for post-dominators too, on reversed edges: they are the branches that a block is control dependent on. The
//! virtual exit is in no frontier.
//!
//! Only blocks that can be reached count. Neither result recurses.
//!
//! Algorithms: [`Frontiers`] by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); the sets may be
//! quadratic together (in a nest of rotated loops they are). [`IteratedFrontier`] by Sreedhar and Gao, "A Linear Time
//! Algorithm for Placing φ-Nodes" (1995), which needs no frontier of single blocks.

use crate::postdom::PostDominators;
use crate::{Cfg, Dominators};
use backedge_ir::entity::{Block, EntitySet, SecondaryMap};
use std::collections::BinaryHeap;

/// A tree of dominance in either direction.
pub trait DominanceTree {
    /// The immediate dominator; `None` for a root.
    fn parent(&self, block: Block) -> Option<Block>;
    /// The blocks whose parent is `block`.
    fn children(&self, block: Block) -> &[Block];
    /// The depth in the tree: 1 for a root, 0 for blocks that can't be reached.
    fn level(&self, block: Block) -> u32;
    /// Where control goes next in the tree's direction.
    fn forward(cfg: &Cfg, block: Block) -> &[Block];
    /// Where control comes from in the tree's direction.
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
    /// The frontiers in `tree`, which is of the graph `cfg`.
    pub fn new<T: DominanceTree>(cfg: &Cfg, tree: &T) -> Self {
        let mut sets: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let stop = tree.parent(block);
            for &from in T::backward(cfg, block).iter().filter(|b| cfg.is_reachable(**b)) {
                let mut at = Some(from);
                while at != stop {
                    let Some(runner) = at else { break };
                    // What is behind a runner that has `block` already has it too.
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
    /// The frontier of `block`, in reverse post-order of the graph. Empty for a block that can't be reached.
    pub fn of(&self, block: Block) -> &[Block] {
        &self.sets[block]
    }
}

/// Answers iterated frontiers of sets of blocks. A question costs at most time linear in the graph and, where the reach of
/// the set is small, only its reach (times a logarithm for the order).
#[derive(Debug)]
pub struct IteratedFrontier<'a, T> {
    cfg: &'a Cfg,
    tree: &'a T,
}

impl<'a, T: DominanceTree> IteratedFrontier<'a, T> {
    /// For `tree`, which is of the graph `cfg`.
    pub fn new(cfg: &'a Cfg, tree: &'a T) -> Self {
        Self { cfg, tree }
    }
    /// The iterated frontier of `blocks`, in reverse post-order of the graph.
    pub fn of(&self, blocks: &[Block]) -> Vec<Block> {
        self.of_where(blocks, |_| true)
    }
    /// The iterated frontier of `blocks` in the part of the graph where `wanted` holds: a block for which it does not
    /// hold is neither taken nor counted as a definition. With "the value is live in", that is where pruned phis go.
    pub fn of_where(&self, blocks: &[Block], mut wanted: impl FnMut(Block) -> bool) -> Vec<Block> {
        let start = blocks.iter().copied().filter(|b| self.tree.level(*b) > 0);
        let mut queued: EntitySet<Block> = EntitySet::new();
        let defs: EntitySet<Block> = start.collect();
        // Deepest first: the subtree below a block is seen before anything above it can be taken.
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
