//! A [`ScalarEvolution`] that reuses the results of its predecessor, as long as nothing was edited in between.
//!
//! A pass that queries one loop after another and edits few of them would otherwise recompute the facts that all loops
//! share. The results are stored with the body's other analyses and stamped with the body's epoch: after any edit a new
//! instance starts empty. Facts are only added and hold independently of the query, so results of one query can make
//! later answers more precise, never wrong.

use crate::{
    Arena, Facts, Limits, ScalarEvolution, count, expand, fold, guards, query, range, recognize, refine,
};
use backedge_analysis::cache::At;
use std::mem::take;
use std::ops::{Deref, DerefMut};

/// All results of a [`ScalarEvolution`].
struct ScevResults {
    arena: Arena,
    facts: Facts,
    folds: fold::FoldCache,
    values: recognize::ValueMap,
    ranges: range::RangeCache,
    guards: guards::GuardCache,
    counts: count::CountCache,
    queries: query::QueryCache,
    refinement: refine::Refinement,
    existing: expand::Existing,
}

/// A [`ScalarEvolution`] with default limits that stores its results for the next instance when it is dropped.
pub struct Kept<'a>(ScalarEvolution<'a>);

impl<'a> Kept<'a> {
    /// The scalar evolution of the body of `at`, with all results of its predecessor for the same version of the body.
    pub fn new(at: At<'a>) -> Self {
        let mut scev = ScalarEvolution::with_limits(at, Limits::default());
        if let Some(found) = at.take_stashed::<ScevResults>() {
            scev.arena = found.arena;
            scev.facts = found.facts;
            scev.folds = found.folds;
            scev.values = found.values;
            scev.ranges = found.ranges;
            scev.guards = found.guards;
            scev.counts = found.counts;
            scev.queries = found.queries;
            scev.refinement = found.refinement;
            scev.existing = found.existing;
        }
        Self(scev)
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        // In the middle of a query the state is inconsistent.
        if std::thread::panicking() {
            return;
        }
        let scev = &mut self.0;
        scev.at.stash(ScevResults {
            arena: take(&mut scev.arena),
            facts: take(&mut scev.facts),
            folds: take(&mut scev.folds),
            values: take(&mut scev.values),
            ranges: take(&mut scev.ranges),
            guards: take(&mut scev.guards),
            counts: take(&mut scev.counts),
            queries: take(&mut scev.queries),
            refinement: take(&mut scev.refinement),
            existing: take(&mut scev.existing),
        });
    }
}

impl<'a> Deref for Kept<'a> {
    type Target = ScalarEvolution<'a>;
    fn deref(&self) -> &ScalarEvolution<'a> {
        &self.0
    }
}

impl<'a> DerefMut for Kept<'a> {
    fn deref_mut(&mut self) -> &mut ScalarEvolution<'a> {
        &mut self.0
    }
}
