//! Which blocks control can come back to, by reachability: cycles of any form, natural loops or not.

use backedge_ir::cfg::Cfg;
use backedge_ir::entity::Block;
use std::collections::BTreeSet;

/// Whether control can come from `from` to `to`, over any number of edges or none.
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

/// Whether control can come back to `block`.
pub(crate) fn is_in_cycle(cfg: &Cfg, block: Block) -> bool {
    cfg.succs(block).iter().any(|to| reaches(cfg, *to, block))
}

/// Whether the edge leaves a cycle.
pub(crate) fn is_exit(cfg: &Cfg, from: Block, to: Block) -> bool {
    is_in_cycle(cfg, from) && !reaches(cfg, to, from)
}
