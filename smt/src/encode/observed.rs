//! The observations that an encoding collects.

use super::unroll::Counters;
use super::value::Sym;
use crate::term::Term;
use backedge_ir::entity::{Block, Const, EntitySet, Inst};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The requested observations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Instructions whose results are recorded wherever they are defined, even after their last use.
    pub(crate) keep: EntitySet<Inst>,
    /// Constants whose values are recorded.
    pub(crate) constants: Vec<Const>,
    /// The natural loops, as header and blocks.
    pub(crate) loops: Vec<(Block, EntitySet<Block>)>,
    /// For open loops, the width of the iteration number in bits; `None` for unrolled loops.
    pub(crate) open: Option<u32>,
}

/// Number of backedges of a loop taken since its entry, at the last arrival at its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Index {
    /// The number; for an open loop, its low bits.
    pub(crate) count: Term,
    /// Whether any higher bits of the number are set.
    pub(crate) beyond: Term,
}

/// The index of the last arrival at each header that lies on every path to here.
pub(crate) type Indices = BTreeMap<Block, Index>;

/// One visit of a block, in one of its copies.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) block: Block,
    pub(crate) counters: Counters,
    /// The path after the phis.
    pub(crate) begin: Term,
    /// The path after each instruction that does not end it.
    pub(crate) after: FxHashMap<Inst, Term>,
    /// The paths along the edges.
    pub(crate) edges: Vec<(Block, Term)>,
    /// The values at the end of the block. A value that is defined at an earlier point is the same there.
    pub(crate) values: Rc<Values>,
    pub(crate) indices: Rc<Indices>,
}

/// The record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// Visits in topological order, except for backedges of open loops.
    pub(crate) visits: Vec<Visit>,
    pub(crate) args: Vec<Sym>,
    pub(crate) constants: FxHashMap<Const, Sym>,
}

/// An observation in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    pub(super) plan: Plan,
    pub(super) indices: Indices,
    pub(crate) observed: Observed,
}

/// Values of instructions at a program point.
pub(crate) type Values = FxHashMap<Inst, Sym>;
