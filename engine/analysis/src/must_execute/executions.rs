//! A lazy cache of [`MustExecute`] for the regions of a body. A cached region stays valid until the graph or the
//! control behavior (`Through`) of one of its blocks changes.

use super::{MustExecute, Stops, Through, control_in_block};
use crate::LoopId;
use crate::cache::{Analysis, At, Depends, Then};
use backedge_ir::entity::{Block, EntitySet};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// [`MustExecute`] of the regions requested so far.
#[derive(Debug, Default)]
pub struct Executions {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Results of loops, and of the function (`None`).
    regions: FxHashMap<Option<LoopId>, Arc<MustExecute>>,
    /// The control behavior of the blocks in these regions.
    through: FxHashMap<Block, Through>,
}

impl Executions {
    /// The instructions executed in each iteration of `l`, or, for `None`, whenever the function is entered.
    pub fn of(&self, at: At<'_>, l: Option<LoopId>) -> Arc<MustExecute> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(region) = known.regions.get(&l) {
            return Arc::clone(region);
        }
        let (cfg, forest) = (at.cfg(), at.loops());
        let region =
            Arc::new(l.map_or_else(|| MustExecute::of_function(at), |l| MustExecute::of_loop(at, l)));
        for &block in l.map_or(cfg.rpo(), |l| forest.blocks_unordered(l)) {
            known.through.entry(block).or_insert_with(|| control_in_block(at, &forest, block));
        }
        known.regions.insert(l, Arc::clone(&region));
        region
    }
}

impl Analysis for Executions {
    const NAME: &'static str = "must-execute";
    const DEPENDS: Depends = Depends::Body;
    fn compute(_: At<'_>) -> Self {
        Self::default()
    }
    fn update(&mut self, then: Then, at: At<'_>) -> bool {
        if !then.has_same_graph(at.body) {
            return false;
        }
        let (forest, stops) = (at.loops(), at.get::<Stops>());
        let Known { regions, through } = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let around = |block: Block| forest.innermost(block).into_iter().flat_map(|l| forest.ancestors(l));
        let changed: EntitySet<Block> = then.changed(at.body).collect();
        // Whether control may stay in a loop depends on all of its blocks.
        let headers = changed.iter().flat_map(around).map(|l| forest.header(l));
        for block in changed.iter().chain(headers).collect::<EntitySet<Block>>().iter() {
            let Some(known) = through.get_mut(&block) else { continue };
            let now = control_in_block(at, &forest, block);
            if std::mem::replace(known, now) != now {
                regions.remove(&None);
                around(block).for_each(|l| drop(regions.remove(&Some(l))));
            }
        }
        for block in changed.iter() {
            for l in around(block).map(Some).chain([None]) {
                if let Some(region) = regions.get_mut(&l)
                    && region.contains_block(block)
                {
                    Arc::make_mut(region).stops.insert(block, stops.first(block));
                }
            }
        }
        true
    }
    fn same_as(&self, other: &Self, at: At<'_>) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.regions.iter().all(|(l, region)| {
            let fresh = other.of(at, *l);
            region.blocks == fresh.blocks && region.stops == fresh.stops
        })
    }
}
