//! Expansion: creates instructions for an expression.
//!
//! [`plan`] uses the analysis to decide which instructions to create and where. The resulting [`Plan`] borrows nothing,
//! and [`Plan::emit`] cannot fail. Requires a reachable instruction as the insertion point; for every recurrence to be
//! created, its loop must have a preheader and a single latch, and must contain the insertion point.
//!
//! Guarantees, at the insertion point in executions without UB: the value equals the expression whenever the expression
//! is defined (no leaf that matters is poison, no divisor is zero), and is poison only if the expression is undefined.
//! The new instructions add no UB: a division is placed only where its divisor is known to be defined and nonzero, or
//! its divisor is frozen and raised to at least one. In addition:
//!
//! - An instruction gets a flag only if [`ScalarEvolution::flags_at`] has the flag as a fact for its block. The strong
//!   form of P1 of docs/semantics.md makes the flag true for every partial sum and product, in whatever order they are
//!   built.
//! - A leaf that may be undef and is used more than once is frozen: each use of undef could be another value.
//! - An existing value is used if it dominates the insertion point and is not more poisonous than the expression
//!   (`reuse`).
//! - Each instruction is placed in the outermost preheader where its operands are available.
//!
//! | task | module |
//! |---|---|
//! | which instructions to create, and their creation | `plan` |
//! | the parts of an expression, each once | `build` |
//! | possible positions of an instruction | `place` |
//! | sums, products, quotients, minima | `arith` |
//! | recurrences | `recurrence` |
//! | existing values | `reuse` |
//!
//! The queries are those of LLVM's `SCEVExpander`.

mod arith;
mod build;
mod place;
mod plan;
mod recurrence;
mod reuse;

pub use plan::Plan;

use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
pub(crate) use reuse::Existing;
use std::fmt;

/// The treatment of a division whose divisor may be zero, poison or undef.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Divisions {
    /// Freezes the divisor if necessary and raises it to at least one: the quotient is arbitrary if the expression is
    /// undefined.
    #[default]
    Guarded,
    /// Fails with an [`Obstacle::Division`].
    Certain,
}

/// The form of minima and maxima.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum MinMax {
    /// Calls of intrinsics that the module declares; compare and select for undeclared ones.
    #[default]
    Intrinsic,
    /// Compare and select.
    Compare,
}

/// Options of an expansion.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The value must be neither poison nor undef, for example for use in a new branch.
    pub freeze: bool,
    /// The treatment of divisions.
    pub divisions: Divisions,
    /// The form of minima and maxima.
    pub min_max: MinMax,
    /// Reuse existing values.
    pub reuse: bool,
    /// Hoist instructions out of loops.
    pub hoist: bool,
    /// Preserve LCSSA form: a leaf defined in a loop that does not contain the place is an [`Obstacle::NotClosed`].
    pub lcssa: bool,
    /// Limit on the number of parts of an expression.
    pub most_parts: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            freeze: false,
            divisions: Divisions::default(),
            min_max: MinMax::default(),
            reuse: true,
            hoist: true,
            lcssa: true,
            most_parts: 1024,
        }
    }
}

/// The reason why an expression cannot be expanded at a place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Nothing can be inserted before the instruction: it is a phi, a landing pad, or unreachable.
    Place(Inst),
    /// A part of the expression is [`crate::Node::CouldNotCompute`].
    NotComputed,
    /// A leaf is not defined at the place.
    NotAvailable(Value),
    /// A leaf is defined in a loop that does not contain the place.
    NotClosed(Value),
    /// A recurrence of a loop that does not contain the place. [`ScalarEvolution::at_scope`] may know its exit value.
    OutsideLoop(LoopId),
    /// A recurrence of a loop without a preheader or with several latches.
    LoopForm(LoopId),
    /// The divisor of this quotient may be zero, poison or undef at the place.
    Division(Expr),
    /// An operation on pointers with more bits than an index.
    Pointer(Expr),
    /// The expression has too many parts.
    TooLarge,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Place(_) => "nothing can be inserted at the place",
            Self::NotComputed => "a part of the expression could not be computed",
            Self::NotAvailable(_) => "a value is not defined at the place",
            Self::NotClosed(_) => "use outside the loop would violate LCSSA form",
            Self::OutsideLoop(_) => "a recurrence would be used outside of its loop",
            Self::LoopForm(_) => "the loop of a recurrence has no preheader or several latches",
            Self::Division(_) => "a divisor may be zero or poison",
            Self::Pointer(_) => "pointers have more bits than their indices",
            Self::TooLarge => "the expression is too large",
        })
    }
}

impl std::error::Error for Obstacle {}

/// Plans the instructions to create before `at` for the value of `expr` there.
pub fn plan(
    scev: &mut ScalarEvolution<'_>,
    expr: Expr,
    at: Inst,
    options: Options,
) -> Result<Plan, Obstacle> {
    build::Planner::new(scev, options).plan(expr, at)
}

/// An existing value of the body that equals `expr` before `at`, is not defined in a loop that does not contain `at`,
/// and is poison only if the expression is undefined. Never an integer constant, which need not exist in the body.
pub fn existing(scev: &mut ScalarEvolution<'_>, expr: Expr, at: Inst) -> Option<Value> {
    build::Planner::new(scev, Options::default()).find(expr, at)
}

impl ScalarEvolution<'_> {
    /// Whether `expr` can be expanded before `at` without guards: all leaves are defined there, and no divisor is zero.
    pub fn is_safe_to_expand_at(&mut self, expr: Expr, at: Inst) -> bool {
        let options = Options { divisions: Divisions::Certain, ..Options::default() };
        plan(self, expr, at, options).is_ok()
    }
    /// Whether expanding `expr` before `at` costs more than `budget` (see [`Plan::cost`]), or is impossible.
    pub fn is_high_cost(&mut self, expr: Expr, at: Inst, budget: u32) -> bool {
        plan(self, expr, at, Options::default()).map_or(true, |plan| plan.cost() > budget)
    }
}
