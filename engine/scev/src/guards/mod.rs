//! Predicates on expressions, and the conditions that hold around loops.
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::opcode::IntPredicate;

/// What guards say of each loop.
#[derive(Debug, Default)]
pub(crate) struct GuardCache {}

impl ScalarEvolution<'_> {
    /// Whether `left pred right` wherever both are defined.
    pub fn is_known(&mut self, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        let _ = &self.guards;
        self.evaluate(pred, left, right) == Some(true)
    }
    /// What `left pred right` is wherever both are defined, if it is always the same.
    pub fn evaluate(&mut self, pred: IntPredicate, left: Expr, right: Expr) -> Option<bool> {
        Some(pred.holds(self.as_constant(left)?, self.as_constant(right)?))
    }
    /// Whether `left pred right` at the points that `block` dominates.
    pub fn is_known_at(&mut self, pred: IntPredicate, left: Expr, right: Expr, block: Block) -> bool {
        let _ = block;
        self.is_known(pred, left, right)
    }
    /// Whether `left pred right` whenever `l` is entered, with operands that are available there.
    pub fn is_entry_guarded(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        let _ = l;
        self.is_known(pred, left, right)
    }
    /// Whether `left pred right` whenever a backedge of `l` is taken, with the values of the iteration that ends.
    pub fn is_backedge_guarded(&mut self, l: LoopId, pred: IntPredicate, left: Expr, right: Expr) -> bool {
        let _ = l;
        self.is_known(pred, left, right)
    }
    /// `expr`, an expression evaluated on entry of `l`, as the conditions that guard the loop let it be written: equal
    /// to it whenever the loop is entered, and often narrower in range.
    pub fn apply_guards(&mut self, expr: Expr, l: LoopId) -> Expr {
        let _ = l;
        expr
    }
}
