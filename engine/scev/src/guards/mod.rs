//! Predicates on expressions, and the conditions that hold around loops.
//!
//! | query | answered from |
//! |---|---|
//! | [`ScalarEvolution::is_known`]: everywhere | `known`: shape, facts, ranges; `induction` over the loops of add recurrences |
//! | [`ScalarEvolution::is_known_at`]: in a block | also dominating conditions (`walk`) and implications (`implied`) |
//! | [`ScalarEvolution::is_entry_guarded`], [`ScalarEvolution::is_backedge_guarded`] | the same, on the entering edges and backedges of a loop |
//! | [`ScalarEvolution::apply_guards`]: as an expression | `apply` |
//!
//! Requires the conditions of [`backedge_analysis::conditions`]. An expression in a condition keeps its value at all
//! points that the condition's place dominates: a value of the body is recomputed only on paths that pass the place
//! again, and so are the values that its expression depends on, which dominate it.
//!
//! Guarantees: a claim holds whenever control reaches the place in question, in executions without UB, if all leaves of
//! both expressions are defined and not poison and no divisor is zero. `false` and `None` claim nothing.
//! [`crate::Limits::search`] and [`crate::Limits::proof_depth`] bound the work per query.

mod apply;
mod implied;
mod induction;
mod known;
mod rewrite;
mod walk;

use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::FxHashMap;

pub use induction::Monotonic;
pub(crate) use walk::Spot;

/// The predicate `left pred right`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comparison {
    /// The predicate.
    pub pred: IntPredicate,
    /// The left operand.
    pub left: Expr,
    /// The right operand, of the same width.
    pub right: Expr,
}

impl Comparison {
    /// The same predicate with exchanged operands.
    pub fn swapped(self) -> Self {
        Self { pred: self.pred.swapped(), left: self.right, right: self.left }
    }
}

/// Cached results about the guards of each loop.
#[derive(Debug, Default)]
pub(crate) struct GuardCache {
    nearest: walk::Nearest,
    /// Whether values of a loop are used outside of it.
    has_outside_uses: FxHashMap<LoopId, bool>,
    rules: apply::RulesOf,
    /// Implications of the conditions at a place.
    implied: FxHashMap<implied::Question, implied::Answer>,
    /// Whether rules are being collected.
    collecting: bool,
    /// The remaining steps of the current query.
    steps: u32,
    /// The number of nested queries in progress.
    nested: u32,
}

/// Nesting depth of queries above which the answer is "not known": each level asks several further queries, so work
/// grows exponentially with the depth.
const MOST_NESTED: u32 = 4;

impl ScalarEvolution<'_> {
    /// Whether `left pred right` holds wherever both are defined.
    pub fn is_known(&mut self, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        self.question(|this| {
            this.is_known_locally(pred, left, right) || this.is_known_by_induction(pred, left, right)
        })
    }
    /// The truth value of `left pred right` wherever both are defined, if it is always the same.
    pub fn evaluate(&mut self, pred: IntPredicate, left: Expr, right: Expr) -> Option<bool> {
        if self.is_known(pred, left, right) {
            Some(true)
        } else if self.is_known(pred.inverse(), left, right) {
            Some(false)
        } else {
            None
        }
    }
    /// Whether `left pred right` holds at the points that `block` dominates.
    pub fn is_known_at(&mut self, pred: IntPredicate, left: Expr, right: Expr, block: Block) -> bool {
        self.question(|this| {
            this.within(Some(block), |this| {
                this.is_known_locally(pred, left, right)
                    || this.is_guarded_at(Spot::Start(block), pred, left, right)
                    || this.is_known_by_induction(pred, left, right)
            })
        })
    }
    /// The truth value of `left pred right` at the points that `block` dominates, if it is always the same.
    pub fn evaluate_in(&mut self, pred: IntPredicate, left: Expr, right: Expr, block: Block) -> Option<bool> {
        if self.is_known_at(pred, left, right, block) {
            Some(true)
        } else if self.is_known_at(pred.inverse(), left, right, block) {
            Some(false)
        } else {
            None
        }
    }
    /// Whether `left pred right` holds whenever `l` is entered; the operands must be available there.
    pub fn is_entry_guarded(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        self.question(|this| {
            let entries = this.entries(l);
            let common = if let [Spot::Edge { from, .. }] = *entries { Some(from) } else { None };
            this.within(common, |this| {
                this.is_known_locally(pred, left, right)
                    || (!entries.is_empty()
                        && entries.iter().all(|spot| this.is_guarded_at(*spot, pred, left, right)))
                    || this.is_known_rewritten(l, pred, left, right)
            })
        })
    }
    /// Whether `left pred right` holds whenever a backedge of `l` is taken, with the values of the ending iteration.
    pub fn is_backedge_guarded(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        self.is_guarded_around(l, None, pred, left, right)
    }
    /// Like [`Self::is_backedge_guarded`], for a recurrence of `l` and a constant. Uses a condition from inside the
    /// loop first, because the recurrence's range already reflects the conditions outside.
    pub(crate) fn is_kept_around(&mut self, l: LoopId, pred: IntPredicate, rec: Expr, limit: Expr) -> bool {
        self.is_guarded_around(l, Some(l), pred, rec, limit)
    }
    fn is_guarded_around(
        &mut self,
        l: LoopId,
        inside: Option<LoopId>,
        pred: IntPredicate,
        left: Expr,
        right: Expr,
    ) -> bool {
        self.question(|this| {
            let latches = this.backedges(l);
            let common = if let [Spot::Edge { from, .. }] = *latches { Some(from) } else { None };
            this.within(common, |this| {
                this.is_known_locally(pred, left, right)
                    || (!latches.is_empty()
                        && latches.iter().all(|spot| this.is_guarded_by(*spot, inside, pred, left, right)))
            })
        })
    }
    /// Whether `left pred right` holds on entry to `l`, after rewriting both with the guards.
    fn is_known_rewritten(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        let (a, b) = (self.apply_guards(left, l), self.apply_guards(right, l));
        (a, b) != (left, right) && self.is_known_locally(pred, a, b)
    }
    /// Runs a query with the remaining steps; `false` if it is nested too deep.
    fn question(&mut self, ask: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.guards.nested >= MOST_NESTED {
            return false;
        }
        if self.guards.nested == 0 {
            self.guards.steps = self.limits.search;
        }
        self.guards.nested += 1;
        let answer = ask(self);
        self.guards.nested -= 1;
        answer
    }
    /// Consumes a step. Returns whether one was left.
    fn step(&mut self) -> bool {
        let left = self.guards.steps > 0;
        self.guards.steps = self.guards.steps.saturating_sub(1);
        left
    }
}
