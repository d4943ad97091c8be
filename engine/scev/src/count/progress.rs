//! What a loop must do, lest the run be undefined: come to an end, and by one of its exits.
//!
//! [`Progress::leaves_by_exits`]: an iteration once begun ends at a backedge or an exiting edge, or the run has undefined
//! behaviour: every instruction goes on to the next, loops inside end, and there is no other cycle.
//! [`Progress::ends`]: going round forever is undefined behaviour.

use crate::ScalarEvolution;
use backedge_analysis::LoopId;
use backedge_analysis::cache::IrreducibleCycles;
use backedge_analysis::must_execute::{Stops, must_make_progress};
use backedge_ir::attr::FlagAttr;
use backedge_ir::inst::InstKind;

/// What a loop must do.
#[derive(Copy, Clone, Debug)]
pub(super) struct Progress {
    /// It is left by its exits alone, if it is left, and never stays in an iteration.
    pub(super) leaves_by_exits: bool,
    /// Going round forever is undefined behaviour.
    pub(super) ends: bool,
}

impl ScalarEvolution<'_> {
    /// What `l` must do.
    pub(super) fn progress(&mut self, l: LoopId) -> Progress {
        if let Some(known) = self.counts.progress.get(&l) {
            return *known;
        }
        let progress = Progress { leaves_by_exits: self.leaves_by_exits(l), ends: self.must_end(l) };
        self.counts.progress.insert(l, progress);
        progress
    }
    fn must_end(&self, l: LoopId) -> bool {
        // Such a function comes back to its caller whatever it does meanwhile.
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
    /// Whether the loop, of which only one exit is left that only one condition decides, must come to a point at which
    /// that condition lets it leave, or the run has undefined behaviour.
    pub(super) fn must_fire(&mut self, l: LoopId, controls: bool) -> bool {
        let progress = self.progress(l);
        controls && progress.leaves_by_exits && progress.ends
    }
}
