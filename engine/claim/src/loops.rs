//! Natural loops as the text of claims names them: by header. An analysis may have a better loop tree, but reading,
//! printing and checking claims does not need it.
//!
//! A natural loop is a header with at least one backedge, that is, an edge from a block that the header dominates (the
//! latch). Its blocks are the header and those that reach a latch without passing through the header. Loops that share
//! a header are one loop. Cycles without a dominating header are not loops. Source: LLVM's "Loop Terminology".

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet};
use rustc_hash::FxHashMap;

/// One natural loop.
#[derive(Clone, Debug)]
pub struct NaturalLoop {
    /// The header.
    pub header: Block,
    /// The blocks, including the header.
    pub blocks: EntitySet<Block>,
    /// The exiting blocks, in reverse post-order.
    pub exiting: Vec<Block>,
    /// The index in [`NaturalLoops::loops`] of the parent loop.
    pub parent: Option<usize>,
    /// The nesting depth; 1 for a top-level loop.
    pub depth: u32,
}

/// All natural loops of a body, outer loops before inner loops.
#[derive(Clone, Debug)]
pub struct NaturalLoops {
    /// The loops.
    pub loops: Vec<NaturalLoop>,
    by_header: FxHashMap<Block, usize>,
    innermost: FxHashMap<Block, usize>,
}

impl NaturalLoops {
    /// Finds the loops of `body`. Linear in the total size of the loops; no recursion.
    pub fn new(body: &Body) -> Self {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        Self::with(&cfg, &dominators)
    }
    /// Finds the loops from a given CFG and dominator tree.
    pub fn with(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut found =
            Self { loops: Vec::new(), by_header: FxHashMap::default(), innermost: FxHashMap::default() };
        // Reverse post-order visits the header of an outer loop before those of its inner loops.
        for &header in cfg.rpo() {
            let is_latch = |pred: &&Block| cfg.is_reachable(**pred) && dominators.dominates(header, **pred);
            let latches: Vec<Block> = cfg.preds(header).iter().filter(is_latch).copied().collect();
            if !latches.is_empty() {
                let blocks = blocks_of(cfg, header, latches);
                found.add(cfg, header, blocks);
            }
        }
        found
    }
    fn add(&mut self, cfg: &Cfg, header: Block, blocks: EntitySet<Block>) {
        let leaves = |b: &&Block| blocks.contains(**b) && cfg.succs(**b).iter().any(|s| !blocks.contains(*s));
        let exiting = cfg.rpo().iter().filter(leaves).copied().collect();
        let parent = self.innermost.get(&header).copied();
        let depth = parent.map_or(1, |p| self.loops[p].depth + 1);
        let index = self.loops.len();
        self.innermost.extend(blocks.iter().map(|b| (b, index)));
        self.by_header.insert(header, index);
        self.loops.push(NaturalLoop { header, blocks, exiting, parent, depth });
    }
    /// The index of the loop with this header.
    pub fn index_of(&self, header: Block) -> Option<usize> {
        self.by_header.get(&header).copied()
    }
    /// The loop with this header.
    pub fn of_header(&self, header: Block) -> Option<&NaturalLoop> {
        self.index_of(header).map(|i| &self.loops[i])
    }
    /// Whether `block` can execute several times in one iteration of loop `around`: it is on a cycle that avoids the
    /// header.
    pub fn repeats_within(&self, cfg: &Cfg, around: usize, block: Block) -> bool {
        let NaturalLoop { header, blocks, .. } = &self.loops[around];
        let mut seen: EntitySet<Block> = EntitySet::new();
        let mut work = vec![block];
        while let Some(from) = work.pop() {
            for &to in cfg.succs(from).iter().filter(|to| *to != header && blocks.contains(**to)) {
                if to == block {
                    return true;
                }
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        false
    }
    /// The index of the innermost loop that contains `block`.
    pub fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost.get(&block).copied()
    }
}

/// The header, and the blocks that reach `latches` without passing through `header`.
fn blocks_of(cfg: &Cfg, header: Block, latches: Vec<Block>) -> EntitySet<Block> {
    let mut blocks: EntitySet<Block> = EntitySet::new();
    blocks.insert(header);
    let mut stack = latches;
    while let Some(block) = stack.pop() {
        if blocks.insert(block) {
            stack.extend(cfg.preds(block).iter().filter(|p| cfg.is_reachable(**p)));
        }
    }
    blocks
}
