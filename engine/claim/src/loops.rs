//! Natural loops as the text of claims names them: by header. An analysis may have a better loop tree; claims are
//! read, printed and checked without it.
//!
//! A natural loop is a header with at least one backedge, an edge from a block that the header dominates (the latch);
//! its blocks are those that reach a latch without passing the header. Loops of one header are one loop. Cycles
//! without a dominating header are no loops. Source: LLVM's "Loop Terminology".

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
    /// The blocks, the header among them.
    pub blocks: EntitySet<Block>,
    /// The blocks with an edge out of the loop, in reverse post-order.
    pub exiting: Vec<Block>,
    /// Which loop of [`NaturalLoops::loops`] is the innermost one around it.
    pub parent: Option<usize>,
    /// How many loops there are around it, itself included.
    pub depth: u32,
}

/// All natural loops of a body, outer loops before those inside them.
#[derive(Clone, Debug)]
pub struct NaturalLoops {
    /// The loops.
    pub loops: Vec<NaturalLoop>,
    by_header: FxHashMap<Block, usize>,
    innermost: FxHashMap<Block, usize>,
}

impl NaturalLoops {
    /// The loops of `body`. Linear in the sizes of the loops, without recursion.
    pub fn new(body: &Body) -> Self {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(body, &cfg);
        Self::with(&cfg, &dominators)
    }
    /// The loops of the body whose graph and dominators are given.
    pub fn with(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut found =
            Self { loops: Vec::new(), by_header: FxHashMap::default(), innermost: FxHashMap::default() };
        // Reverse post-order has the header of an outer loop before those of loops inside it.
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
    /// The index of the loop with that header.
    pub fn index_of(&self, header: Block) -> Option<usize> {
        self.by_header.get(&header).copied()
    }
    /// The loop with that header.
    pub fn of_header(&self, header: Block) -> Option<&NaturalLoop> {
        self.index_of(header).map(|i| &self.loops[i])
    }
    /// Whether control can pass `block` of the loop number `around` several times in one of its iterations: the block is
    /// in a cycle that does not pass the header.
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
    /// The index of the innermost loop around `block`.
    pub fn innermost(&self, block: Block) -> Option<usize> {
        self.innermost.get(&block).copied()
    }
}

/// What reaches `latches` without passing `header`, and the header.
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
