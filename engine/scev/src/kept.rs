//! A [`ScalarEvolution`] that goes on where the one before left off, as long as nothing was edited in between.
//!
//! A pass that asks about one loop after the other, and edits few of them, would otherwise find out the same about what all
//! loops share each time. What was found out is laid aside with the other results for the body, and stamped with its epoch:
//! after any edit a new one begins with nothing. Facts are only added and are true by themselves, so that what one question
//! has found out can make the answer to a later one more precise, never wrong.

use crate::{
    Arena, Facts, Limits, ScalarEvolution, count, expand, fold, guards, query, range, recognize, refine,
};
use backedge_analysis::cache::At;
use std::mem::take;
use std::ops::{Deref, DerefMut};

/// All that a [`ScalarEvolution`] finds out.
struct Found {
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

/// A [`ScalarEvolution`] with the usual limits whose findings are laid aside when it goes, for the next one.
pub struct Kept<'a>(ScalarEvolution<'a>);

impl<'a> Kept<'a> {
    /// The scalar evolution of the body that `at` shows, with all that the one before found out about that very body.
    pub fn new(at: At<'a>) -> Self {
        let mut scev = ScalarEvolution::with_limits(at, Limits::default());
        if let Some(found) = at.take_up::<Found>() {
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
        // In the midst of a question nothing is settled.
        if std::thread::panicking() {
            return;
        }
        let scev = &mut self.0;
        scev.at.lay_aside(Found {
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
