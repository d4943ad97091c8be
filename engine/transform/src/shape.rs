//! CFG, dominator tree and loops of a function, updated together.

use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::cfg::region::Change;
use std::sync::Arc;

/// CFG, dominator tree and loop forest of one CFG epoch.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The graph.
    pub cfg: Arc<Cfg>,
    /// Its dominator tree.
    pub dominators: Arc<Dominators>,
    /// Its loops.
    pub loops: Arc<LoopForest>,
}

impl Shape {
    /// The current shape of `body`.
    pub fn new(body: &Body) -> Self {
        Self::of_graph(body, Cfg::new(body))
    }
    fn of_graph(body: &Body, cfg: Cfg) -> Self {
        let dominators = Dominators::new(body, &cfg);
        let loops = LoopForest::new(&cfg, &dominators);
        Self { cfg: Arc::new(cfg), dominators: Arc::new(dominators), loops: Arc::new(loops) }
    }
    /// The current shape of `body`, computed incrementally from `self`, its shape at the body epoch `epoch`. If few
    /// blocks have new successors, the unaffected regions are reused.
    #[must_use]
    pub fn updated(&self, body: &Body, epoch: u64) -> Self {
        let depth = |b| self.loops.depth_of_block(b);
        match self.cfg.updated(body, epoch, &self.dominators, depth) {
            (cfg, Change::Nothing) => Self { cfg: Arc::new(cfg), ..self.clone() },
            (cfg, Change::Within(region)) => {
                let dominators = self.dominators.updated(&cfg, &region);
                let loops = self.loops.updated(&cfg, &dominators, &region);
                Self { cfg: Arc::new(cfg), dominators: Arc::new(dominators), loops: Arc::new(loops) }
            }
            (cfg, Change::Whole) => Self::of_graph(body, cfg),
        }
    }
    /// Whether all values defined in `l` are used only in it; see [`LoopForest::is_lcssa`].
    pub fn is_lcssa(&self, body: &Body, l: LoopId) -> bool {
        self.loops.is_lcssa(body, &self.cfg, l)
    }
}
