//! Natural loops of a function that must make progress, by `llvm.loop.mustprogress` on all their backedges. The
//! metadata has no meaning on other cycles.
//!
//! A run that stays in a loop forever also stays in the enclosing loops, so their requirements apply too.

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::loop_options::has_mustprogress;
use backedge_ir::module::Module;

/// The blocks of each natural loop that must make progress.
pub(super) struct Progress(Vec<EntitySet<Block>>);

impl Progress {
    pub(super) fn new(module: &Module, body: &Body, cfg: &Cfg) -> Self {
        let mut loops = Vec::new();
        let says_so = |latch: Block| has_mustprogress(&module.env, body, latch);
        if !cfg.rpo().iter().any(|b| says_so(*b)) {
            return Self(loops);
        }
        let dominators = Dominators::new(body, cfg);
        for &header in cfg.rpo() {
            let is_latch = |block: &Block| cfg.is_reachable(*block) && dominators.dominates(header, *block);
            let latches: Vec<Block> = cfg.preds(header).iter().copied().filter(is_latch).collect();
            if !latches.is_empty() && latches.iter().all(|latch| says_so(*latch)) {
                loops.push(natural_loop(cfg, header, latches));
            }
        }
        Self(loops)
    }
    /// Whether an edge that closes a cycle is in a loop that must make progress.
    pub(super) fn is_demanded(&self, from: Block, to: Block) -> bool {
        self.0.iter().any(|blocks| blocks.contains(from) && blocks.contains(to))
    }
}

/// The blocks that reach a latch without passing the header.
fn natural_loop(cfg: &Cfg, header: Block, mut work: Vec<Block>) -> EntitySet<Block> {
    let mut blocks = EntitySet::new();
    blocks.insert(header);
    while let Some(block) = work.pop() {
        if blocks.insert(block) {
            work.extend(cfg.preds(block).iter().copied().filter(|p| cfg.is_reachable(*p)));
        }
    }
    blocks
}
