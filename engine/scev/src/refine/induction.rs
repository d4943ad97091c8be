//! Wrap flags of add recurrences that follow from how often their loop runs, and from what holds whenever it goes round.
//!
//! An affine `{S,+,X}<l>` takes the exact values `S + i*X` for the arrivals `i = 0..=B`. That none of them leaves the
//! type's range follows
//! - from a constant that B does not exceed, with the ranges of S and X; or
//! - by induction: the first value is in range, and whenever the backedge is taken the present value is so far from the
//!   end of the range that one more step stays inside; or
//! - from flags known before: values that only grow from a start that is not negative, and do not wrap as signed, do not
//!   wrap as unsigned.
//!
//! Nothing is concluded from an assumption about the recurrence itself, so the order in which questions are asked does
//! not matter to what is true.

use crate::expr::{Expr, NAry, Node};
use crate::facts::{Flags, Scope};
use crate::{LoopId, ScalarEvolution};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

impl ScalarEvolution<'_> {
    /// Learns the flags that can be proved of every add recurrence among `exprs`, and those of sums and products that
    /// follow from ranges, which counts have made narrower; whether there was a new one.
    pub(super) fn learn_by_induction(&mut self, exprs: &[Expr]) -> bool {
        let mut new = false;
        for expr in exprs {
            new |= self.learn_of_part(*expr);
        }
        new
    }
    /// The same for one expression, without its parts.
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

    /// Learns what can be proved of `expr`, which is `{start,+,step}<l>`; whether any of it is new.
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
        if proved.nsw() && !proved.nuw() && self.never_negative(start) && self.never_negative(step) {
            proved = proved.with(Flags::NUW);
        }
        self.learn(expr, proved, Scope::Defining)
    }

    fn never_negative(&mut self, expr: Expr) -> bool {
        self.signed_range(expr).signed_min().is_some_and(|min| !min.is_negative())
    }

    /// What follows from the constant that the backedge-taken count does not exceed.
    fn flags_from_count(&mut self, l: LoopId, start: Expr, step: Expr) -> Flags {
        let Some(counts) = self.counts.of.get(&l).cloned() else { return Flags::NONE };
        let Some(most) = self.as_constant(counts.constant_max) else { return Flags::NONE };
        let width = self.width(step);
        let unsigned = (self.unsigned_range(start).unsigned_max(), self.unsigned_range(step).unsigned_max());
        let (start, step) = (self.signed_range(start), self.signed_range(step));
        let signed = (start.signed_min(), start.signed_max(), step.signed_min(), step.signed_max());
        let mut flags = Flags::NONE;
        if let (Some(start), Some(step)) = unsigned
            && fits(start.bits(), most.bits(), step.bits(), Int::unsigned_max(width).bits())
        {
            flags = flags.with(Flags::NUW);
        }
        if let (Some(lowest), Some(highest), Some(least), Some(greatest)) = signed {
            // Distances from the ends of the range, as unsigned numbers.
            let (smin, smax) = (Int::signed_min(width), Int::signed_max(width));
            let up = if greatest.is_negative() { 0 } else { greatest.bits() };
            let down = if least.is_negative() { least.neg().bits() } else { 0 };
            if fits(0, most.bits(), up, smax.sub(highest).bits())
                && fits(0, most.bits(), down, lowest.sub(smin).bits())
            {
                flags = flags.with(Flags::NSW);
            }
            if fits(0, most.bits(), up.max(down), Int::unsigned_max(width).bits()) {
                flags = flags.with(Flags::NW);
            }
        }
        flags
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

/// Whether `start + times * step` is at most `most`, exactly.
fn fits(start: u128, times: u128, step: u128, most: u128) -> bool {
    times.checked_mul(step).and_then(|way| way.checked_add(start)).is_some_and(|end| end <= most)
}
