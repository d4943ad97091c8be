//! How often loops run, per exiting edge.
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::int::Int;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How often the backedge is taken before an exiting block leaves, if no other exit does first.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExitCount {
    /// The exact count.
    pub exact: Expr,
    /// A constant that it does not exceed.
    pub constant_max: Expr,
    /// An expression that it does not exceed; the exact count where that is known.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
}

/// How often a loop runs.
#[derive(Clone, Debug)]
pub struct LoopCounts {
    /// Each exiting block with its count.
    pub exits: Vec<(Block, ExitCount)>,
    /// How often the backedge is taken: the sequential minimum of all exits' counts, if all are known.
    pub exact: Expr,
    /// A constant that it does not exceed.
    pub constant_max: Expr,
    /// An expression that it does not exceed.
    pub symbolic_max: Expr,
    /// Whether the count is either `constant_max` or zero.
    pub max_or_zero: bool,
    /// The number of header arrivals on a run to a normal exit is a multiple of this, at least 1, in ℤ.
    pub trip_multiple: Int,
}

/// Counts computed.
#[derive(Debug, Default)]
pub(crate) struct CountCache {
    pub(crate) of: FxHashMap<LoopId, Arc<LoopCounts>>,
}

impl ScalarEvolution<'_> {
    /// How often `l` runs.
    pub fn counts(&mut self, l: LoopId) -> Arc<LoopCounts> {
        if let Some(known) = self.counts.of.get(&l) {
            return Arc::clone(known);
        }
        let none = self.could_not_compute();
        let counts = LoopCounts {
            exits: Vec::new(),
            exact: none,
            constant_max: none,
            symbolic_max: none,
            max_or_zero: false,
            trip_multiple: Int::one(32),
        };
        Arc::clone(self.counts.of.entry(l).or_insert(Arc::new(counts)))
    }
    /// How often the backedge of `l` is taken, or [`crate::Node::CouldNotCompute`].
    pub fn backedge_taken(&mut self, l: LoopId) -> Expr {
        self.counts(l).exact
    }
    /// A constant that the backedge-taken count of `l` does not exceed, or [`crate::Node::CouldNotCompute`].
    pub fn constant_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).constant_max
    }
    /// An expression that it does not exceed, or [`crate::Node::CouldNotCompute`].
    pub fn symbolic_max(&mut self, l: LoopId) -> Expr {
        self.counts(l).symbolic_max
    }
}
