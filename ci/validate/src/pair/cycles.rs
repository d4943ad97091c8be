//! Blocks on cycles, by reachability: cycles of any form, not only natural loops.

use super::Side;
use backedge_ir::cfg::Cfg;
use backedge_ir::entity::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Backedges to each header since the run entered its loop.
#[derive(Default)]
pub(crate) struct Rounds {
    last: Option<Block>,
    counts: BTreeMap<Block, u32>,
}

impl Rounds {
    /// The state of a run at the entry block.
    pub(crate) fn at_entry(cfg: &Cfg) -> Self {
        Self { last: cfg.rpo().first().copied(), counts: BTreeMap::new() }
    }
    /// Moves control to `block`. Returns the predecessor, and the number of backedges to `block` since its loop was
    /// entered.
    pub(crate) fn enter(&mut self, cfg: &Cfg, block: Block) -> Option<(Block, u32)> {
        let from = self.last.replace(block)?;
        let count = self.counts.entry(block).or_insert(0);
        let is_back = cfg.position(block) <= cfg.position(from);
        *count = if is_back { count.saturating_add(1) } else { 0 };
        Some((from, *count))
    }
}

/// Whether control can get from `from` to `to` over zero or more edges.
fn reaches(cfg: &Cfg, from: Block, to: Block) -> bool {
    let (mut seen, mut work) = (BTreeSet::from([from]), vec![from]);
    while let Some(block) = work.pop() {
        if block == to {
            return true;
        }
        work.extend(cfg.succs(block).iter().copied().filter(|b| seen.insert(*b)));
    }
    false
}

/// Whether `block` is on a cycle.
pub(crate) fn is_in_cycle(cfg: &Cfg, block: Block) -> bool {
    cfg.succs(block).iter().any(|to| reaches(cfg, *to, block))
}

/// Whether the edge exits a cycle.
pub(crate) fn is_exit(cfg: &Cfg, from: Block, to: Block) -> bool {
    is_in_cycle(cfg, from) && !reaches(cfg, to, from)
}

/// Whether control can return to a block that it has passed, in linear time: whether an edge leads backwards in reverse
/// post-order.
pub(crate) fn has_backedge(side: Side<'_>) -> bool {
    side.module.body(side.func).is_some_and(|body| {
        let cfg = Cfg::new(body);
        let is_back = |from: Block, to: Block| cfg.position(to) <= cfg.position(from);
        cfg.rpo().iter().any(|from| cfg.succs(*from).iter().any(|to| is_back(*from, *to)))
    })
}

/// Whether the function's runs can be long.
pub(crate) fn has_loop(side: Side<'_>) -> bool {
    side.module.body(side.func).is_some_and(|body| {
        let cfg = Cfg::new(body);
        body.blocks().any(|b| is_in_cycle(&cfg, b))
    })
}
