//! The exit whose count is being computed, and the forms of its condition.

use super::Limit;
use crate::expr::Expr;
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_ir::opcode::IntPredicate as P;
use rustc_hash::FxHashMap;

/// The condition under which the loop continues.
#[derive(Copy, Clone, Debug)]
pub(super) struct Test {
    pub(super) l: LoopId,
    pub(super) pred: P,
    pub(super) left: Expr,
    pub(super) right: Expr,
    /// See [`super::exit::Condition::controls`].
    pub(super) controls: bool,
    /// Flags of both sides as recurrences, possibly extended later, in the iterations in which the exit is reached.
    pub(super) flags: [Flags; 2],
}

impl Test {
    pub(super) fn new(l: LoopId, pred: P, left: Expr, right: Expr, controls: bool) -> Self {
        Self { l, pred, left, right, controls, flags: [Flags::NONE; 2] }
    }
}

/// The exit whose count is being computed.
pub(super) struct Exit {
    pub(super) l: LoopId,
    /// The innermost loop that contains the exiting block: values are those of one iteration of that loop.
    pub(super) scope: Option<LoopId>,
    /// Whether the exiting block is executed in each iteration that takes the backedge.
    pub(super) always_passed: bool,
    pub(super) memo: FxHashMap<(Value, [bool; 3]), Limit>,
}

/// A condition of an exit.
#[derive(Copy, Clone)]
pub(super) struct Condition {
    pub(super) value: Value,
    /// The truth value that leaves the loop.
    pub(super) leaves_if: bool,
    /// Whether this condition alone decides: the loop has no other exit, and this exit is taken exactly if the
    /// condition has the value `leaves_if`.
    pub(super) controls: bool,
    /// Whether the condition is not poison whenever the exiting block is reached and the loop continues.
    pub(super) binds: bool,
}
