//! Facts about the exits and the counts of a loop.

use crate::clone::Ring;
use backedge_analysis::LoopId;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::int::Int;
use backedge_scev::Expr;

/// One exiting block of the loop itself (not of a nested loop).
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// The block.
    pub(crate) block: Block,
    /// The only successor in the loop, if there is exactly one.
    pub(crate) stay: Option<Block>,
    /// The index of that successor in the terminator; copies keep it.
    pub(crate) stay_at: usize,
    /// The only exit block, if there is exactly one.
    pub(crate) leave: Option<Block>,
    /// Whether each iteration passes it.
    pub(crate) passed: bool,
    /// The exact number of iterations before the one in which it leaves.
    pub(crate) exact: Option<Expr>,
    /// `exact` as a constant.
    pub(crate) constant: Option<Int>,
    /// Whether it is known never to leave.
    pub(crate) never: bool,
}

impl Exit {
    /// Whether its test can be omitted where its count says that it stays.
    pub(crate) fn is_analyzable(&self) -> bool {
        self.passed && self.stay.is_some() && (self.exact.is_some() || self.never)
    }
}

/// Facts about a loop.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// The loop, in the loop forest before any change.
    pub(crate) l: LoopId,
    /// Its blocks.
    pub(crate) ring: Ring,
    /// Its exits, in the order in which an iteration passes them.
    pub(crate) exits: Vec<Exit>,
    /// A constant upper bound of its backedge-taken count.
    pub(crate) constant_max: Option<Int>,
    /// Its backedge-taken count, if constant.
    pub(crate) constant: Option<Int>,
    /// A divisor of its trip count.
    pub(crate) trip_multiple: u64,
    /// The instructions of the loop itself that each iteration executes, in execution order.
    pub(crate) executed: Vec<Inst>,
}
