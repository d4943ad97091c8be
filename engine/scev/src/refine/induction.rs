//! Wrap flags of add recurrences that follow from loop counts, and from conditions that hold whenever the backedge is
//! taken.
//!
//! An affine `{S,+,X}<l>` has the exact values `S + i*X` for the arrivals `i = 0..=B`. All of them are in the range of
//! the type
//! - because of a constant upper bound of B and the ranges of S and X; or
//! - by induction: the first value is in range, and whenever the backedge is taken, the current value is far enough
//!   from the end of the range that one more step stays inside; or
//! - because of known flags: values that increase from a non-negative start and do not wrap as signed do not wrap as
//!   unsigned.
//!
//! No conclusion depends on an assumption about the recurrence itself, so the order of queries does not affect
//! soundness.

use crate::expr::{Expr, NAry, Node};
use crate::facts::{Flags, Scope};
use crate::{LoopId, ScalarEvolution};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

impl ScalarEvolution<'_> {
    /// Learns the provable flags of every add recurrence among `exprs`, and those of sums and products that follow from
    /// ranges, which counts may have narrowed. Returns whether any is new.
    pub(super) fn learn_by_induction(&mut self, exprs: &[Expr]) -> bool {
        let mut new = false;
        for expr in exprs {
            new |= self.learn_of_part(*expr);
        }
        new
    }
    /// Like [`Self::learn_by_induction`] for one expression, without its parts.
    pub(crate) fn learn_of_part(&mut self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::AddRec(l, operands) => match *operands {
                [start, step] => self.learn_of_recurrence(expr, l, start, step),
                _ => false,
            },
            Node::NAry(NAry::Add | NAry::Mul, _) => {
                let known = self.flags(expr);
                self.strengthen(expr);
                self.flags(expr) != known
            }
            _ => false,
        }
    }

    /// Learns the provable flags of `expr`, which is `{start,+,step}<l>`. Returns whether any is new.
    pub(super) fn learn_of_recurrence(&mut self, expr: Expr, l: LoopId, start: Expr, step: Expr) -> bool {
        let known = self.flags(expr);
        if known.contains(Flags::BOTH) {
            return false;
        }
        let mut proved = known.with(self.flags_from_count(l, start, step));
        if !proved.nsw() && self.stays_signed(expr, l, step) {
            proved = proved.with(Flags::NSW);
        }
        if !proved.nuw() && self.stays_unsigned(expr, l, step) {
            proved = proved.with(Flags::NUW);
        }
        if proved.nsw() && !proved.nuw() && self.is_never_negative(start) && self.is_never_negative(step) {
            proved = proved.with(Flags::NUW);
        }
        self.learn(expr, proved, Scope::Defining)
    }

    /// Whether one more step stays in the signed range whenever the backedge is taken.
    fn stays_signed(&mut self, expr: Expr, l: LoopId, step: Expr) -> bool {
        let width = self.width(step);
        if self.ty(expr).is_pointer() {
            return false;
        }
        let range = self.signed_range(step);
        let (Some(least), Some(greatest)) = (range.signed_min(), range.signed_max()) else { return false };
        if !least.is_negative() {
            // Below SMAX + 1 - greatest.
            let limit = self.constant(Int::signed_min(width).sub(greatest));
            greatest.is_zero() || self.is_kept_around(l, IntPredicate::Slt, expr, limit)
        } else if greatest.is_negative() {
            // Above SMIN - 1 - least.
            let limit = self.constant(Int::signed_max(width).sub(least));
            self.is_kept_around(l, IntPredicate::Sgt, expr, limit)
        } else {
            false
        }
    }

    /// Whether one more step stays in the unsigned range whenever the backedge is taken.
    fn stays_unsigned(&mut self, expr: Expr, l: LoopId, step: Expr) -> bool {
        let Some(greatest) = self.unsigned_range(step).unsigned_max() else { return false };
        let limit = self.constant(greatest.neg());
        !self.ty(expr).is_pointer()
            && (greatest.is_zero() || self.is_kept_around(l, IntPredicate::Ult, expr, limit))
    }
}
