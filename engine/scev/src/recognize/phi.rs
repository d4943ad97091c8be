//! Header phis as recurrences, from the expressions of their incoming values, in which the phi is a leaf.

use super::poison::Point;
use crate::ScalarEvolution;
use crate::expr::{Expr, NAry, Node};
use backedge_analysis::LoopId;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::Value;
use smallvec::SmallVec;

/// The incoming values of a header phi: those from outside of the loop, and those of the backedges with their latches.
pub(crate) struct Incoming {
    pub(crate) l: LoopId,
    pub(crate) start: SmallVec<[Value; 2]>,
    pub(crate) back: SmallVec<[(Value, Block); 2]>,
}

impl ScalarEvolution<'_> {
    pub(crate) fn incoming(&self, phi: Inst) -> Option<Incoming> {
        let l = self.loops.with_header(self.at.body.block_of(phi)?)?;
        let mut incoming = Incoming { l, start: SmallVec::new(), back: SmallVec::new() };
        for (value, from) in self.at.body.inst(phi).incoming() {
            if self.loops.contains(l, from) {
                incoming.back.push((value, from));
            } else if self.cfg.is_reachable(from) {
                incoming.start.push(value);
            }
        }
        Some(incoming)
    }
    /// The expression of `phi`, a header phi, if it is more than the leaf that it is in the expressions of its incoming
    /// values.
    pub(super) fn recurrence_of_phi(&mut self, phi: Inst) -> Option<Expr> {
        let Incoming { l, start, back } = self.incoming(phi)?;
        let start = self.common(start.iter().copied())?;
        let next = self.common(back.iter().map(|(v, _)| *v))?;
        let leaf = self.unknown(phi.into());
        if !self.is_outside(start, l) {
            return None;
        }
        if next == leaf || next == start {
            return Some(start);
        }
        self.counted(l, start, leaf, next).or_else(|| self.shifted(l, start, leaf, next))
    }
    /// The common expression of all `values`.
    fn common(&mut self, mut values: impl Iterator<Item = Value>) -> Option<Expr> {
        let first = self.found(values.next()?)?;
        values.all(|v| self.found(v) == Some(first)).then_some(first)
    }
    /// The add recurrence that starts at `start` and has `next` as the next value after `leaf`.
    fn counted(&mut self, l: LoopId, start: Expr, leaf: Expr, next: Expr) -> Option<Expr> {
        let operands = self.arena.as_nary(NAry::Add, next)?;
        let rest: SmallVec<[Expr; 4]> = operands.iter().copied().filter(|e| *e != leaf).collect();
        if rest.len() + 1 != operands.len() {
            return None;
        }
        let step = self.add(&rest);
        let mut all: SmallVec<[Expr; 4]> = SmallVec::from_slice(&[start]);
        if self.is_outside(step, l) {
            all.push(step);
        } else {
            // The addend is itself a recurrence of this loop: its operands are the higher steps of the phi's
            // recurrence.
            let (of, steps) = self.arena.as_add_rec(step)?;
            if of != l || steps.len() >= self.limits.add_rec_operands {
                return None;
            }
            all.extend_from_slice(steps);
        }
        Some(self.add_rec(l, &all))
    }
    /// Whether all leaves of `expr` are defined outside of `l`; `expr` must be defined in `l` or at its entry.
    pub(super) fn is_outside(&mut self, expr: Expr, l: LoopId) -> bool {
        match self.defined_at(expr) {
            Point::Entry => true,
            Point::Start(block) => !self.loops.contains(l, block),
            Point::After(inst) => !self.loops.contains_inst(self.at.body, l, inst),
        }
    }
    /// Whether `expr` is a recurrence of `l` with one step.
    pub(super) fn is_affine(&self, expr: Expr, l: LoopId) -> bool {
        matches!(self.arena.node(expr), Node::AddRec(of, operands) if *of == l && operands.len() == 2)
    }
}
