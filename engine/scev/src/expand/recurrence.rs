//! Expansion of recurrences: a phi with its start value from the preheader, and an addition of the step in the latch.
//!
//! `{a0,+,a1,+,…}` adds `{a1,+,…}` in each iteration, which is a phi of its own. The flags of an affine recurrence at
//! the place hold for all header arrivals up to the arrival of that place (P2 of docs/semantics.md), and the phi is
//! used only there. So the flags hold for the additions that computed the phi's value. The last addition may wrap, but
//! its result is unused.

use super::Obstacle;
use super::build::{Built, Choice, Key, Planner};
use super::plan::{Op, Operand, Step, StepPlace};
use crate::expr::{Expr, Node};
use crate::facts::Flags;
use backedge_analysis::LoopId;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, GepFlags};

impl Planner<'_, '_> {
    pub(super) fn choose_recurrence(
        &mut self,
        l: LoopId,
        operands: &[Expr],
        anchor: Inst,
    ) -> Result<Choice, Obstacle> {
        if !self.scev.loops.contains(l, self.block_of(anchor)) {
            return Err(Obstacle::OutsideLoop(l));
        }
        let ends = self.ends(l).ok_or(Obstacle::LoopForm(l))?;
        let [(_, before), (_, after)] = ends;
        let step = match operands {
            [_, step] => (*step, before),
            _ => (self.scev.add_rec(l, &operands[1..]), after),
        };
        Ok(Choice::Recurrence { l, start: (operands[0], before), step })
    }
    /// The preheader and the latch of `l`, with their terminators.
    fn ends(&self, l: LoopId) -> Option<[(Block, Inst); 2]> {
        let scev = &*self.scev;
        let end = |b: Block| Some((b, scev.at.body.terminator(b)?));
        let preheader = scev.loops.preheader(&scev.cfg, l).and_then(end)?;
        Some([preheader, scev.loops.single_latch(&scev.cfg, l).and_then(end)?])
    }

    pub(super) fn recurrence(
        &mut self,
        expr: Expr,
        l: LoopId,
        [start, step]: [Key; 2],
        anchor: Inst,
    ) -> Built {
        let flags = match self.scev.arena.node(expr) {
            Node::AddRec(_, operands) if operands.len() == 2 => {
                self.scev.flags_at(expr, self.block_of(anchor))
            }
            _ => Flags::NONE,
        };
        let [(preheader, _), (latch, after)] =
            self.ends(l).expect("asked for when the recurrence was chosen");
        let parts = [self.built(start), self.built(step)];
        let (ty, [first, by]) = (self.ir_type(expr), parts.map(|p| p.operand));
        let next_of = |phi| {
            if ty.is_ptr() {
                Op::Offset([phi, by], GepFlags { nuw: flags.nuw(), ..GepFlags::default() })
            } else {
                let flags = BinaryFlags { nuw: flags.nuw(), nsw: flags.nsw(), ..BinaryFlags::default() };
                Op::Binary(BinaryOp::Add, flags, [phi, by])
            }
        };
        let known = (0..self.steps.len()).find(|id| match self.steps[*id].op {
            Op::Phi { start, next, .. } => {
                start == first
                    && self.steps[*id].place == StepPlace::Phis(self.scev.header(l))
                    && self.steps[next].op == next_of(Operand::Step(*id))
            }
            _ => false,
        });
        let of = |phi| {
            let of = Built::of(phi, &parts);
            Built { flagged: of.flagged || !flags.is_empty(), ..of }
        };
        if let Some(id) = known {
            return of(Operand::Step(id));
        }
        let next = self.steps.len() + 1;
        let op = Op::Phi { start: first, preheader, latch, next };
        let phi = self.push(Step { op, ty, place: StepPlace::Phis(self.scev.header(l)) });
        self.push(Step { op: next_of(phi), ty, place: StepPlace::Before(after) });
        of(phi)
    }
}
