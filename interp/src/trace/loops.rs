//! Iteration counters: the number of arrivals at each loop header since its loop was entered.
//!
//! This module finds loops itself, using only dominators, because the interpreter must not depend on the analyses
//! that it judges. A header is the target of a retreating edge in reverse post-order. If it dominates the sources,
//! its loop is the natural loop (Aho, Lam, Sethi, Ullman, "Compilers", section 9.6.6). Targets of retreating edges in
//! irreducible cycles are counted too: their loop is the set of blocks on a cycle through them within the enclosing
//! natural loops.

use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, SecondaryMap};

#[derive(Clone, Debug)]
struct Cycle {
    header: Block,
    members: EntitySet<Block>,
}

/// The loops of a body, for counting.
#[derive(Clone, Debug)]
pub(crate) struct LoopMap {
    cycles: Vec<Cycle>,
    by_header: SecondaryMap<Block, Option<usize>>,
}

impl LoopMap {
    /// Finds the loops of `body`. Linear in blocks and edges for each loop.
    pub(crate) fn new(body: &Body) -> Self {
        let cfg = Cfg::new(body);
        let doms = Dominators::new(body, &cfg);
        let mut position: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
        for (i, &block) in cfg.rpo().iter().enumerate() {
            position[block] = i as u32;
        }
        let mut cycles: Vec<Cycle> = Vec::new();
        let mut irreducible = Vec::new();
        for &header in cfg.rpo() {
            let retreats = |p: &&Block| cfg.is_reachable(**p) && position[**p] >= position[header];
            let latches: Vec<Block> = cfg.preds(header).iter().filter(retreats).copied().collect();
            if latches.is_empty() {
                continue;
            }
            if latches.iter().all(|l| doms.dominates(header, *l)) {
                cycles.push(Cycle { header, members: backwards(&cfg, header, &latches, &|_| true) });
            } else {
                irreducible.push((header, latches));
            }
        }
        let natural = cycles.clone();
        for (header, latches) in irreducible {
            let around: Vec<&Cycle> =
                natural.iter().filter(|c| c.header != header && c.members.contains(header)).collect();
            let inside = |b: Block| around.iter().all(|c| b != c.header && c.members.contains(b));
            let ahead = forwards(&cfg, header, &inside);
            let members = backwards(&cfg, header, &latches, &|b| ahead.contains(b));
            cycles.push(Cycle { header, members });
        }
        cycles.sort_by_key(|c| std::cmp::Reverse(c.members.len()));
        let mut by_header = SecondaryMap::new();
        for (i, cycle) in cycles.iter().enumerate() {
            by_header[cycle.header] = Some(i);
        }
        Self { cycles, by_header }
    }
    /// Whether `block` is the header of a loop.
    pub(crate) fn is_header(&self, block: Block) -> bool {
        self.by_header[block].is_some()
    }
}

/// `header` and the allowed blocks that reach one of `latches` without passing it.
fn backwards(
    cfg: &Cfg,
    header: Block,
    latches: &[Block],
    allowed: &dyn Fn(Block) -> bool,
) -> EntitySet<Block> {
    let mut members = EntitySet::new();
    members.insert(header);
    let mut pending: Vec<Block> = latches.iter().copied().filter(|b| allowed(*b)).collect();
    while let Some(block) = pending.pop() {
        if members.insert(block) {
            pending.extend(cfg.preds(block).iter().filter(|p| cfg.is_reachable(**p) && allowed(**p)));
        }
    }
    members
}

fn forwards(cfg: &Cfg, from: Block, allowed: &dyn Fn(Block) -> bool) -> EntitySet<Block> {
    let mut members = EntitySet::new();
    let mut pending = vec![from];
    while let Some(block) = pending.pop() {
        if members.insert(block) {
            pending.extend(cfg.succs(block).iter().copied().filter(|b| allowed(*b)));
        }
    }
    members
}

/// The counters of one active function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Counters {
    /// Loops that contain the current block, outermost first, with the number of arrivals at their headers.
    open: Vec<(usize, u64)>,
}

impl Counters {
    /// Handles control reaching `block`. Returns whether a counter changed.
    pub(crate) fn enter(&mut self, loops: &LoopMap, block: Block) -> bool {
        let before = self.open.len();
        while self.open.last().is_some_and(|(i, _)| !loops.cycles[*i].members.contains(block)) {
            self.open.pop();
        }
        let left = self.open.len() != before;
        let Some(cycle) = loops.by_header[block] else { return left };
        match self.open.iter().position(|(i, _)| *i == cycle) {
            Some(at) => {
                self.open.truncate(at + 1);
                self.open[at].1 += 1;
            }
            None => self.open.push((cycle, 1)),
        }
        true
    }
    /// Headers with their counters, outermost first; the first arrival counts as 1.
    pub(crate) fn snapshot(&self, loops: &LoopMap) -> impl Iterator<Item = (Block, u64)> {
        self.open.iter().map(|(i, n)| (loops.cycles[*i].header, *n))
    }
}
