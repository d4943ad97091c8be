//! Predicates on add recurrences: by induction over their loop, by monotonicity, and for the first iterations.
//!
//! A predicate that holds for the start values whenever the loop is entered, and for the next values whenever the
//! backedge is taken, holds in all iterations. A predicate that compares a monotone recurrence with an invariant
//! changes at most once.

use super::{Comparison, ScalarEvolution};
use crate::expr::{Expr, Node};
use backedge_analysis::LoopId;
use backedge_ir::entity::Block;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use smallvec::SmallVec;

/// The direction in which a predicate changes over the iterations of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Monotonic {
    /// Once true, it stays true.
    Increasing,
    /// Once false, it stays false.
    Decreasing,
}

/// Limit on the number of parts of an expression for induction: bounds the search for its loops. A larger expression is
/// not proved by induction.
const MOST_PARTS: usize = 128;

impl ScalarEvolution<'_> {
    /// The direction in which `rec pred x` changes over the iterations, for any `x` invariant in the loop of the add
    /// recurrence.
    pub fn monotonicity(&mut self, rec: Expr, pred: P) -> Option<Monotonic> {
        let (_, operands) = self.arena.as_add_rec(rec)?;
        let &[start, step] = &**operands else { return None };
        let flags = self.flags_here(rec);
        let grows = match pred {
            P::Eq | P::Ne => return None,
            _ if !pred.is_signed() => flags.nuw().then_some(true)?,
            _ if !flags.nsw() => return None,
            _ if self.is_known_non_negative(step) => true,
            _ if !self.signed_max(step).sgt(Int::zero(self.width(start))) => false,
            _ => return None,
        };
        let of_greater = matches!(pred, P::Ugt | P::Uge | P::Sgt | P::Sge);
        Some(if grows == of_greater { Monotonic::Increasing } else { Monotonic::Decreasing })
    }
    /// A predicate of values invariant in `l` that equals `comparison` in every iteration that evaluates it. One
    /// operand must be an add recurrence of `l`, the other invariant in `l`.
    pub fn loop_invariant_predicate(&mut self, l: LoopId, comparison: Comparison) -> Option<Comparison> {
        let Comparison { pred, left: rec, right: bound } = self.recurrence_first(l, comparison)?;
        let start = self.arena.as_add_rec(rec)?.1[0];
        // If the next iteration is reached only while the predicate has its final value, only the first value matters:
        // if the first value is the other one, there is no second iteration.
        let kept = match self.monotonicity(rec, pred)? {
            Monotonic::Increasing => pred,
            Monotonic::Decreasing => pred.inverse(),
        };
        self.is_backedge_guarded(l, kept, rec, bound).then_some(Comparison {
            pred,
            left: start,
            right: bound,
        })
    }
    /// Whether `left pred right` holds in every iteration, including the first. One of `left` and `right` must be an
    /// add recurrence of `l`, the other invariant.
    pub fn is_known_on_every_iteration(&mut self, l: LoopId, pred: P, left: Expr, right: Expr) -> bool {
        let comparison = self.recurrence_first(l, Comparison { pred, left, right });
        let Some(Comparison { pred, left: rec, right: bound }) = comparison else { return false };
        let Some(start) = self.arena.as_add_rec(rec).map(|(_, operands)| operands[0]) else { return false };
        self.monotonicity(rec, pred) == Some(Monotonic::Increasing)
            && self.is_entry_guarded(l, pred, start, bound)
    }
    /// Like [`Self::loop_invariant_predicate`], but only for the iterations up to number `last` (from 0), and only for
    /// a recurrence that steps by one; `last` has the recurrence's type. If the predicate holds for the start in
    /// `context`, it holds in all these iterations.
    pub fn invariant_predicate_in_first_iterations(
        &mut self,
        l: LoopId,
        comparison: Comparison,
        last: Expr,
        context: Block,
    ) -> Option<Comparison> {
        let Comparison { pred, left: rec, right: bound } = self.recurrence_first(l, comparison)?;
        let operands = self.arena.as_add_rec(rec)?.1.clone();
        let &[start, step] = &*operands else { return None };
        let step = self.as_constant(step)?;
        if self.width(last) != self.width(start) || !step.is_one() && !step.is_all_ones() {
            return None;
        }
        // Either the recurrence counts up and must stay below a bound, or it counts down and must stay above a bound.
        let upwards = matches!(pred, P::Ult | P::Ule | P::Slt | P::Sle);
        if matches!(pred, P::Eq | P::Ne) || upwards != step.is_one() {
            return None;
        }
        let moved = if step.is_one() { last } else { self.neg(last) };
        let end = self.add(&[start, moved]);
        // No wrap between start and end: the end lies in the direction of the steps, and there are fewer steps than
        // values.
        let no_wrap = match (pred.is_signed(), upwards) {
            (true, true) => P::Sle,
            (true, false) => P::Sge,
            (false, true) => P::Ule,
            (false, false) => P::Uge,
        };
        let holds_to_the_end =
            self.is_known_at(pred, end, bound, context) && self.is_known_at(no_wrap, start, end, context);
        holds_to_the_end.then_some(Comparison { pred, left: start, right: bound })
    }
    /// The comparison with the add recurrence of `l` on the left; the other side must be invariant.
    fn recurrence_first(&mut self, l: LoopId, comparison: Comparison) -> Option<Comparison> {
        let of = |this: &Self, e| this.arena.as_add_rec(e).is_some_and(|(of, _)| of == l);
        let found = if of(self, comparison.left) { comparison } else { comparison.swapped() };
        (of(self, found.left) && self.is_defined_before(found.right, l)).then_some(found)
    }

    /// Whether all leaves of `expr` are defined when control enters `l` from outside.
    pub(super) fn is_defined_before(&self, expr: Expr, l: LoopId) -> bool {
        let recurs = |_, node: &Node| !matches!(node, Node::AddRec(of, _) if *of == l);
        self.moves_only_with(expr, l) && self.arena.all_parts(expr, recurs)
    }
    /// Whether all leaves of `expr`, except for recurrences of `l`, are defined when control enters `l` from outside.
    fn moves_only_with(&self, expr: Expr, l: LoopId) -> bool {
        let header = self.loops.header(l);
        let before = |block| self.dominators.strictly_dominates(block, header);
        self.arena.all_parts(expr, |_, node| match node {
            Node::Unknown(Value::Inst(inst)) => self.at.body.block_of(*inst).is_some_and(before),
            Node::AddRec(of, _) => *of == l || before(self.loops.header(*of)),
            Node::CouldNotCompute => false,
            _ => true,
        })
    }
    /// Proves `left pred right` by induction over the loop of the recurrences in it: the innermost loop, if there are
    /// several.
    pub(super) fn is_known_by_induction(&mut self, pred: P, left: Expr, right: Expr) -> bool {
        if !self.arena.has_add_rec(left) && !self.arena.has_add_rec(right) {
            return false;
        }
        let Some(l) = self.innermost_recurrence(left, right) else { return false };
        if !self.moves_only_with(left, l) || !self.moves_only_with(right, l) {
            return false;
        }
        let Some((a, b)) = self.at_first(left, l).zip(self.at_first(right, l)) else { return false };
        if !self.is_entry_guarded(l, pred, a, b) {
            return false;
        }
        let Some((a, b)) = self.at_next(left, l).zip(self.at_next(right, l)) else { return false };
        self.is_backedge_guarded(l, pred, a, b)
    }
    /// The recurrence loop whose header all other recurrence loops' headers in the two expressions dominate.
    fn innermost_recurrence(&self, left: Expr, right: Expr) -> Option<LoopId> {
        let mut loops: SmallVec<[LoopId; 4]> = SmallVec::new();
        let mut parts = 0;
        for expr in [left, right] {
            let few = self.arena.all_parts(expr, |_, node| {
                if let Node::AddRec(l, _) = node
                    && !loops.contains(l)
                {
                    loops.push(*l);
                }
                parts += 1;
                parts <= MOST_PARTS
            });
            if !few {
                return None;
            }
        }
        let dominated = |l: &&LoopId| {
            let header = self.loops.header(**l);
            loops.iter().all(|m| self.dominators.dominates(self.loops.header(*m), header))
        };
        loops.iter().find(dominated).copied()
    }
    /// `expr` in the first iteration of `l`.
    pub(crate) fn at_first(&mut self, expr: Expr, l: LoopId) -> Option<Expr> {
        self.rewrite(expr, &mut |this, e| {
            this.arena.as_add_rec(e).map(|(of, operands)| if of == l { operands[0] } else { e })
        })
    }
    /// `expr` in the next iteration of `l`; all leaves except for recurrences of `l` count as unchanged.
    pub(crate) fn at_next(&mut self, expr: Expr, l: LoopId) -> Option<Expr> {
        self.rewrite(expr, &mut |this, e| {
            let (of, operands) = this.arena.as_add_rec(e)?;
            if of != l {
                return Some(e);
            }
            let operands = operands.clone();
            Some(this.next_value(l, &operands))
        })
    }
    /// The recurrence advanced by one iteration.
    pub(crate) fn next_value(&mut self, l: LoopId, operands: &[Expr]) -> Expr {
        let mut next: SmallVec<[Expr; 4]> =
            operands.windows(2).map(|pair| self.add(&[pair[0], pair[1]])).collect();
        next.extend(operands.last().copied());
        self.add_rec(l, &next)
    }
}
