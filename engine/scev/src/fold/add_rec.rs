//! Add recurrences.
//!
//! Trailing zero steps are removed, and a recurrence without steps is its start. If the start is a recurrence of
//! another loop, the recurrence of the inner or later loop is the outer expression.

use super::Operands;
use crate::ScalarEvolution;
use crate::expr::{Expr, Node};
use crate::facts::{Flags, Scope};
use backedge_analysis::LoopId;

impl ScalarEvolution<'_> {
    /// `{operands[0],+,operands[1],+,…}<l>`. All operands must be available at the entry of `l`.
    pub fn add_rec(&mut self, l: LoopId, operands: &[Expr]) -> Expr {
        self.add_rec_flagged(l, operands, Flags::NONE)
    }
    /// The add recurrence; `flags` must hold in its defining scope.
    pub fn add_rec_flagged(&mut self, l: LoopId, operands: &[Expr], flags: Flags) -> Expr {
        if let Some(unknown) = operands.iter().find(|e| self.is_could_not_compute(**e)) {
            return *unknown;
        }
        let steps = operands.iter().rposition(|e| !self.is_zero(*e)).unwrap_or(0);
        if steps == 0 {
            return operands[0];
        }
        let operands = &operands[..=steps];
        if let Some(nested) = self.reordered(l, operands, flags) {
            return nested;
        }
        let ty = self.ty(operands[0]);
        let known = self.arena.len();
        let expr = self.arena.intern(Node::AddRec(l, operands.into()), ty);
        let is_first = self.arena.len() > known;
        let new = self.learn(expr, flags, Scope::Defining);
        if new || is_first {
            self.strengthen_add_rec(expr);
        }
        if is_first {
            self.await_counts(l, expr);
        }
        expr
    }
    /// The step of an add recurrence: the recurrence of all its operands but the first.
    pub fn step_of(&mut self, l: LoopId, operands: &[Expr]) -> Expr {
        if let [_, step] = operands { *step } else { self.add_rec(l, &operands[1..]) }
    }

    /// `{{x,+,a}<m>,+,b}<l>` as `{{x,+,b}<l>,+,a}<m>`, if neither loop contains the other and `m` is the later one.
    fn reordered(&mut self, l: LoopId, operands: &[Expr], flags: Flags) -> Option<Expr> {
        let (m, inner) = self.arena.as_add_rec(operands[0])?;
        let later = m > l && !self.loops.contains_loop(l, m);
        if !later || !self.dominators.dominates(self.header(l), self.header(m)) {
            return None;
        }
        let inner: Operands = inner.iter().copied().collect();
        let mut outside: Operands = operands.into();
        outside[0] = inner[0];
        let fits = outside.iter().all(|e| self.is_available_at_entry(*e, l))
            && inner[1..].iter().all(|e| self.is_available_at_entry(*e, m));
        if !fits || self.folds.depth >= self.limits.fold_depth {
            return None;
        }
        // The distance that the steps cover does not depend on the start.
        let nw = |f: Flags| if f.nw() { Flags::NW } else { Flags::NONE };
        let of_inner = nw(self.flags(operands[0]));
        self.folds.depth += 1;
        let mut swapped = inner;
        swapped[0] = self.add_rec_flagged(l, &outside, nw(flags));
        let result = if self.is_available_at_entry(swapped[0], m) {
            Some(self.add_rec_flagged(m, &swapped, of_inner))
        } else {
            None
        };
        self.folds.depth -= 1;
        result
    }
}
