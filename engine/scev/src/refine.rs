//! Facts that come after the expressions they are about.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    /// Expressions of which something new is known.
    pub(crate) pending: Vec<Expr>,
}

use crate::ScalarEvolution;
use crate::expr::Expr;
use crate::facts::{Flags, Scope};

impl ScalarEvolution<'_> {
    /// Adds a fact that is true; whether it is new. The values that lead to `expr` are rebuilt when facts are next
    /// carried on.
    pub(crate) fn learn(&mut self, expr: Expr, flags: Flags, scope: Scope) -> bool {
        let new = self.facts.add(expr, flags, scope);
        if new {
            self.refinement.pending.push(expr);
        }
        new
    }
}
