//! Progress obligations of a loop: it must end, and must leave by one of its exits, or the execution is UB.
//!
//! [`Progress::leaves_by_exits`]: each iteration ends at a backedge or an exiting edge, or the execution is UB: control
//! continues after every instruction, inner loops end, and there is no other cycle. [`Progress::ends`]: iterating
//! forever is UB.

use crate::ScalarEvolution;
use backedge_analysis::LoopId;
use backedge_analysis::cache::IrreducibleCycles;
use backedge_analysis::must_execute::{Stops, must_make_progress};
use backedge_ir::attr::FlagAttr;
use backedge_ir::inst::InstKind;

/// The progress obligations of a loop.
#[derive(Copy, Clone, Debug)]
pub(super) struct Progress {
    /// The loop leaves only by its exits, if it leaves at all, and never stays in an iteration.
    pub(super) leaves_by_exits: bool,
    /// Iterating forever is UB.
    pub(super) ends: bool,
}

impl ScalarEvolution<'_> {
    /// The progress obligations of `l`.
    pub(super) fn progress(&mut self, l: LoopId) -> Progress {
        if let Some(known) = self.counts.progress.get(&l) {
            return *known;
        }
        let progress = Progress { leaves_by_exits: self.leaves_by_exits(l), ends: self.must_end(l) };
        self.counts.progress.insert(l, progress);
        progress
    }
    fn must_end(&self, l: LoopId) -> bool {
        // A `willreturn` function returns to its caller whatever it does meanwhile.
        let returns = self
            .at
            .func
            .is_some_and(|f| self.at.env.has_attr(&self.at.env.funcs[f].attrs, FlagAttr::WillReturn));
        returns || must_make_progress(self.at, &self.loops, l)
    }
    fn leaves_by_exits(&mut self, l: LoopId) -> bool {
        let (body, stops) = (self.body(), self.at.get::<Stops>());
        let goes_on = |block| {
            stops.first(block).is_none_or(|stop| matches!(body.inst(stop).kind, InstKind::Unreachable))
        };
        let cycles = self.at.get::<IrreducibleCycles>();
        let irreducible =
            || cycles.0.iter().flat_map(|c| &c.blocks).any(|block| self.loops.contains(l, *block));
        if !self.loops.blocks_unordered(l).iter().all(|b| goes_on(*b)) || irreducible() {
            return false;
        }
        self.loops.children(l).to_vec().into_iter().all(|inner| {
            self.must_end(inner) || {
                let most = self.constant_max(inner);
                self.as_constant(most).is_some()
            }
        })
    }
    /// Whether the execution must reach an iteration in which the condition leaves the loop, or is UB. Requires that
    /// the loop has a single exit with a single condition (`controls`).
    pub(super) fn must_fire(&mut self, l: LoopId, controls: bool) -> bool {
        let progress = self.progress(l);
        controls && progress.leaves_by_exits && progress.ends
    }
}
