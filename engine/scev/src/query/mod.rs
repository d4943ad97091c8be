//! What an expression is elsewhere: at a scope, at an iteration, behind a loop.
use crate::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use rustc_hash::FxHashMap;

/// How an expression behaves in a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// It may change in ways that are not known.
    Variant,
    /// It is one value in all iterations of one entry of the loop.
    Invariant,
    /// It is a function of the iteration.
    Computable,
}

/// Answers computed.
#[derive(Debug, Default)]
pub(crate) struct QueryCache {
    pub(crate) at_scope: FxHashMap<(Expr, Option<LoopId>), Expr>,
    pub(crate) dispositions: FxHashMap<(Expr, LoopId), Disposition>,
}

impl ScalarEvolution<'_> {
    /// How `expr` behaves in `l`.
    pub fn disposition(&mut self, expr: Expr, l: LoopId) -> Disposition {
        let _ = (&self.queries.dispositions, l);
        if self.as_constant(expr).is_some() { Disposition::Invariant } else { Disposition::Variant }
    }
    /// Whether `expr` is one value in all iterations of one entry of `l`.
    pub fn is_invariant(&mut self, expr: Expr, l: LoopId) -> bool {
        self.disposition(expr, l) == Disposition::Invariant
    }
    /// Whether all of `expr` is defined before the loop is entered: it can be evaluated in its preheader.
    pub fn is_available_at_entry(&mut self, expr: Expr, l: LoopId) -> bool {
        self.is_invariant(expr, l)
    }
    /// `expr` as seen from `scope` (`None`: from outside of all loops): what has run out before is taken at its last
    /// value, if that is known.
    pub fn at_scope(&mut self, expr: Expr, scope: Option<LoopId>) -> Expr {
        let _ = (&self.queries.at_scope, scope);
        expr
    }
    /// The value of `{operands…}` at header arrival `n`, counted from 0.
    pub fn evaluate_at(&mut self, operands: &[Expr], n: Expr) -> Expr {
        if self.as_constant(n).is_some_and(Int::is_zero) { operands[0] } else { self.could_not_compute() }
    }
}

use backedge_ir::int::Int;
