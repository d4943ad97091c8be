//! Updates the loop tree after an edit, from the old tree and the changed region ([`backedge_ir::cfg::region`]).
//!
//! A loop whose header is in the region lies in the region and is discovered anew. The exception is a loop whose header
//! is the region's entry and whose backedges come from after the region's exit. That loop and the loops around the
//! region keep their blocks outside of the region; inside it, they contain the blocks that lead to the exit.

use super::{DiscoveredLoop, Discovery, LoopForest, LoopId};
use crate::{Cfg, Dominators};
use backedge_ir::cfg::region::Region;
use backedge_ir::entity::{Block, EntityId, EntitySet, SecondaryMap};

impl LoopForest {
    /// The loops of the graph `cfg` with dominator tree `dominators`. `self` must be the loops of the old graph, which
    /// differs from `cfg` only within `region`.
    #[must_use]
    pub fn updated(&self, cfg: &Cfg, dominators: &Dominators, region: &Region) -> Self {
        self.merged(cfg, dominators, region)
            .map_or_else(|| Self::new(cfg, dominators), |merged| merged.into_forest(cfg))
    }

    fn merged(&self, cfg: &Cfg, dominators: &Dominators, region: &Region) -> Option<Discovery> {
        let inside: EntitySet<Block> = region.blocks().collect();
        let around = self.around(region);
        let has_backedge_after_exit = around.is_some_and(|l| self.header(l) == region.entry);
        if has_backedge_after_exit && cfg.preds(region.entry).iter().any(|b| inside.contains(*b)) {
            // The edit may have changed this loop, or added another.
            return None;
        }
        let headers = region.blocks().rev().filter(|b| !(has_backedge_after_exit && *b == region.entry));
        let own = Discovery::among(headers, cfg, dominators);
        // All loops in the order of discovery in the whole graph.
        let mut found: Vec<DiscoveredLoop> = Vec::with_capacity(self.len() + own.found.len());
        let (mut of_old, mut of_own) = (vec![None; self.len()], Vec::with_capacity(own.found.len()));
        for &block in cfg.rpo().iter().rev() {
            let id = found.len() as u32;
            if own.found.get(of_own.len()).is_some_and(|f| f.header == block) {
                of_own.push(id);
            } else if let Some(l) =
                self.with_header(block).filter(|l| !inside.contains(block) || Some(*l) == around)
            {
                of_old[l.index()] = Some(id);
            } else {
                continue;
            }
            found.push(DiscoveredLoop { header: block, parent: None, link: id });
        }
        let goes_on = goes_on(cfg, region, &inside, around.is_some());
        let around = around.and_then(|l| of_old[l.index()]);
        for (old, id) in self.ids().zip(&of_old).filter_map(|(old, id)| Some((old, (*id)?))) {
            if let Some(parent) = self.parent(old) {
                found[id as usize].parent = Some(of_old[parent.index()]?);
            }
        }
        for (of, id) in own.found.iter().zip(&of_own) {
            let outer = around.filter(|_| goes_on.contains(of.header));
            found[*id as usize].parent = of.parent.map(|p| of_own[p as usize]).or(outer);
        }
        let mut loop_of: SecondaryMap<Block, Option<u32>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            loop_of[block] = if inside.contains(block) {
                let outer = around.filter(|_| goes_on.contains(block));
                own.loop_of[block].map(|l| of_own[l as usize]).or(outer)
            } else {
                self.innermost(block).and_then(|l| of_old[l.index()])
            };
        }
        Some(Discovery { found, loop_of })
    }

    /// The innermost loop around `region`: the innermost one that contains the region's exit, but not as its header.
    fn around(&self, region: &Region) -> Option<LoopId> {
        let exit = region.exit?;
        let l = self.innermost(exit)?;
        if self.header(l) == exit { self.parent(l) } else { Some(l) }
    }
}

/// If `wanted`, the blocks of `region` that reach its exit.
fn goes_on(cfg: &Cfg, region: &Region, inside: &EntitySet<Block>, wanted: bool) -> EntitySet<Block> {
    let mut found = EntitySet::new();
    let preds = |b: Block| cfg.preds(b).iter().copied().filter(|p| inside.contains(*p));
    let mut work: Vec<Block> = region.exit.filter(|_| wanted).into_iter().flat_map(preds).collect();
    while let Some(block) = work.pop() {
        if found.insert(block) {
            work.extend(preds(block));
        }
    }
    found
}
