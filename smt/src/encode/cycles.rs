//! The cycles of a function, by their headers: what is asked of them is in [`super::progress`] and [`super::lasting`].

use crate::encode::progress::must_progress;
use crate::encode::unroll::Schedule;
use crate::refinement::FunctionRef;
use backedge_ir::body::Body;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet};
use backedge_ir::module::Env;

/// The cycles of one function.
pub(crate) struct Cycles<'m> {
    pub(super) env: &'m Env,
    pub(super) body: &'m Body,
    pub(super) schedule: Schedule,
    pub(super) dominators: Dominators,
    /// Headers of those that must make progress.
    pub(super) must_progress: EntitySet<Block>,
}

impl<'m> Cycles<'m> {
    /// `None` if the function has no body, or cycles that are nested too deep.
    pub(crate) fn new(function: FunctionRef<'m>) -> Option<Self> {
        let body = function.module.body(function.func)?;
        let schedule = Schedule::new(body, 0, usize::MAX)?;
        let dominators = Dominators::new(body, &Cfg::new(body));
        let must_progress = must_progress(function, body, &schedule, &dominators);
        Some(Self { env: &function.module.env, body, schedule, dominators, must_progress })
    }
    /// Edges that close a cycle, by their ends.
    pub(crate) fn backedges(&self) -> Vec<(Block, Block)> {
        let closes =
            |from: Block, to: Block| self.schedule.is_header(to) && self.schedule.is_inside(from, to);
        let leaving = |from: Block| self.body.successors(from).iter().map(move |to| (from, *to));
        self.body.blocks().flat_map(leaving).filter(|(from, to)| closes(*from, *to)).collect()
    }
}
