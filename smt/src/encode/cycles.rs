//! The cycles of a function, identified by their headers. [`super::progress`] and [`super::lasting`] use them.

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
    /// Headers of the cycles that must make progress.
    pub(super) must_progress: EntitySet<Block>,
}

impl<'m> Cycles<'m> {
    /// `None` if the function has no body, or if its cycles are nested too deeply.
    pub(crate) fn new(function: FunctionRef<'m>) -> Option<Self> {
        let body = function.module.body(function.func)?;
        let schedule = Schedule::new(body, 0, usize::MAX)?;
        let dominators = Dominators::new(body, &Cfg::new(body));
        let must_progress = must_progress(function, body, &schedule, &dominators);
        Some(Self { env: &function.module.env, body, schedule, dominators, must_progress })
    }
    /// The edges that close a cycle, as (from, to).
    pub(crate) fn backedges(&self) -> Vec<(Block, Block)> {
        let closes =
            |from: Block, to: Block| self.schedule.is_header(to) && self.schedule.is_inside(from, to);
        let leaving = |from: Block| self.body.successors(from).iter().map(move |to| (from, *to));
        self.body.blocks().flat_map(leaving).filter(|(from, to)| closes(*from, *to)).collect()
    }
}
