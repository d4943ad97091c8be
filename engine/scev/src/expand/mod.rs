//! Instructions for an expression.
//!
//! [`plan`] decides on the analysis what is to be created and where; what it gives, a [`Plan`], borrows nothing, and
//! [`Plan::emit`] cannot fail. Needs: an instruction to stand before, which control can come to; of recurrences that
//! have to be created, that their loop has a preheader and a single latch, and contains the place.
//!
//! Guarantees, at the place and in runs without undefined behaviour: the value equals the expression whenever the
//! expression is defined (no leaf that counts is poison, nothing is divided by zero), and it is poison only where the
//! expression is not. The new instructions add no undefined behaviour: a division stands only where its divisor is known
//! to be defined and not zero, or its divisor is frozen and made at least one. Beyond that:
//!
//! - Flags are put on an instruction only where [`ScalarEvolution::flags_at`] has them as facts for its block. P1's strong
//!   form makes them true of every partial sum and product, in whatever order they are built.
//! - A leaf that may be undef and is used more than once is frozen: each use of undef could be another value.
//! - What exists is used where it dominates the place and is not more poisonous than the expression (`reuse`).
//! - Each instruction stands as far outside of loops as its operands allow, in preheaders.
//!
//! | what | module |
//! |---|---|
//! | what is created, and creating it | `plan` |
//! | which parts there are, each once | `build` |
//! | where an instruction can stand | `place` |
//! | sums, products, quotients, minima | `arith` |
//! | recurrences | `recurrence` |
//! | which values exist already | `reuse` |
//!
//! The questions are those of LLVM's `SCEVExpander`.

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

/// What is done about a division whose divisor may be zero, poison or undef.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Divisions {
    /// The divisor is frozen if need be, and made at least one: the quotient is arbitrary where the expression is
    /// undefined.
    #[default]
    Guarded,
    /// There is an [`Obstacle::Division`].
    Certain,
}

/// How minima and maxima are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum MinMax {
    /// As calls of intrinsics that the module declares; compared and selected where it does not declare them.
    #[default]
    Intrinsic,
    /// Compared and selected.
    Compare,
}

/// How an expression is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The value is for use in a new branch or the like: it is neither poison nor undef.
    pub freeze: bool,
    /// What is done about divisions.
    pub divisions: Divisions,
    /// How minima and maxima are written.
    pub min_max: MinMax,
    /// Existing values are used.
    pub reuse: bool,
    /// Instructions are put outside of loops.
    pub hoist: bool,
    /// No value of a loop is used outside of it: a leaf of that kind is an [`Obstacle::NotClosed`].
    pub lcssa: bool,
    /// How many parts an expression may have.
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

/// Why an expression cannot be written at a place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// Nothing can be put before that instruction: a phi, a landing pad, or one that control never comes to.
    Place(Inst),
    /// A part of the expression is [`crate::Node::CouldNotCompute`].
    NotComputed,
    /// A leaf is not defined at the place.
    NotAvailable(Value),
    /// A leaf is of a loop that the place is not in.
    NotClosed(Value),
    /// A recurrence of a loop that the place is not in. [`ScalarEvolution::at_scope`] may know its last value.
    OutsideLoop(LoopId),
    /// A recurrence of a loop without a preheader or with several latches.
    LoopForm(LoopId),
    /// The divisor of that quotient may be zero, poison or undef at the place.
    Division(Expr),
    /// An operation on pointers that have more bits than an index.
    Pointer(Expr),
    /// The expression has too many parts.
    TooLarge,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Place(_) => "nothing can be put at the place",
            Self::NotComputed => "a part of the expression is not known",
            Self::NotAvailable(_) => "a value is not defined at the place",
            Self::NotClosed(_) => "a value would be used outside of its loop",
            Self::OutsideLoop(_) => "a recurrence would be used outside of its loop",
            Self::LoopForm(_) => "the loop of a recurrence has no preheader or several latches",
            Self::Division(_) => "a divisor may be zero or poison",
            Self::Pointer(_) => "pointers have more bits than their indices",
            Self::TooLarge => "the expression is too large",
        })
    }
}

impl std::error::Error for Obstacle {}

/// What is to be created before `at` for the value of `expr` there.
pub fn plan(
    scev: &mut ScalarEvolution<'_>,
    expr: Expr,
    at: Inst,
    options: Options,
) -> Result<Plan, Obstacle> {
    build::Planner::new(scev, options).plan(expr, at)
}

/// A value of the body that is `expr` before `at`, of no loop that `at` is not in, and poison only where the expression is
/// not defined. Not an integer constant, which need not exist.
pub fn existing(scev: &mut ScalarEvolution<'_>, expr: Expr, at: Inst) -> Option<Value> {
    build::Planner::new(scev, Options::default()).find(expr, at)
}

impl ScalarEvolution<'_> {
    /// Whether `expr` can be written before `at` without guards: all leaves are defined there, and no divisor is zero.
    pub fn is_safe_to_expand_at(&mut self, expr: Expr, at: Inst) -> bool {
        let options = Options { divisions: Divisions::Certain, ..Options::default() };
        plan(self, expr, at, options).is_ok()
    }
    /// Whether writing `expr` before `at` costs more than `budget` (see [`Plan::cost`]), or cannot be done.
    pub fn is_high_cost(&mut self, expr: Expr, at: Inst, budget: u32) -> bool {
        plan(self, expr, at, Options::default()).map_or(true, |plan| plan.cost() > budget)
    }
}
