//! Truncation, and the result cache of all casts.
//!
//! A result may improve with every new fact. A cached result is reused until a fact is added, and within one top-level
//! operation in any case, so that the work of an operation is linear in the expressions that it visits.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Cast, Expr, ExprType, NAry, Node};

impl ScalarEvolution<'_> {
    /// The low `width` bits; `width` is at most that of `expr`.
    pub fn trunc(&mut self, expr: Expr, width: u32) -> Expr {
        if width == self.width(expr) || self.is_could_not_compute(expr) {
            return expr;
        }
        match *self.arena.node(expr) {
            Node::Constant(value) => self.constant(value.trunc(width)),
            Node::Cast(Cast::Trunc, inner) => self.trunc(inner, width),
            Node::Cast(Cast::ZExt, inner) => self.trunc_or_zext(inner, width),
            Node::Cast(Cast::SExt, inner) => self.trunc_or_sext(inner, width),
            _ => self.cached_cast(Cast::Trunc, expr, width, |s| s.fold_trunc(expr, width)),
        }
    }
    fn fold_trunc(&mut self, expr: Expr, width: u32) -> Expr {
        match self.node(expr) {
            Node::NAry(op @ (NAry::Add | NAry::Mul), operands) => {
                // One additional inner conversion in exchange for the outer one is no loss.
                let narrow: Operands = operands.iter().map(|e| self.trunc(*e, width)).collect();
                let is_trunc = |s: &Self, e: Expr| s.arena.as_cast(Cast::Trunc, e).is_some();
                let is_cast = |s: &Self, e: Expr| matches!(s.arena.node(e), Node::Cast(..));
                let new =
                    operands.iter().zip(&narrow).filter(|(e, n)| is_trunc(self, **n) && !is_cast(self, **e));
                if new.count() < 2 {
                    return if op == NAry::Add { self.add(&narrow) } else { self.mul(&narrow) };
                }
            }
            Node::AddRec(l, operands) => {
                let narrow: Operands = operands.iter().map(|e| self.trunc(*e, width)).collect();
                return self.add_rec(l, &narrow);
            }
            _ => {}
        }
        if self.trailing_zeros(expr) >= width {
            return self.int(width, 0);
        }
        self.plain_cast(Cast::Trunc, expr, width)
    }

    /// The result of `fold` for this cast, or a valid cached result.
    pub(super) fn cached_cast(
        &mut self,
        cast: Cast,
        expr: Expr,
        width: u32,
        fold: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let key = (self.context, cast, expr, width);
        self.begin_operation();
        let operation = self.folds.operation;
        let epoch = self.facts.epoch();
        if let Some((by, then, known)) = self.folds.casts.get(&key)
            && (*by == operation || *then == epoch)
        {
            return *known;
        }
        if self.too_large(&[expr]) || self.folds.depth >= self.limits.fold_depth {
            return self.plain_cast(cast, expr, width);
        }
        let result = self.guarded(fold, |s| s.plain_cast(cast, expr, width));
        let epoch = self.facts.epoch();
        self.folds.casts.insert(key, (operation, epoch, result));
        result
    }
    pub(super) fn plain_cast(&mut self, cast: Cast, expr: Expr, width: u32) -> Expr {
        self.arena.intern(Node::Cast(cast, expr), ExprType::int(width))
    }
}
