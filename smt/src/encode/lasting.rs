//! Finds the cycles that are not known to terminate: a run may stay in such a cycle forever without UB.
//!
//! A cycle is known to terminate if it must make progress, or if its counter reaches every number or cannot wrap
//! around.

use crate::encode::cycles::Cycles;
use crate::encode::unroll::Schedule;
use backedge_ir::body::Body;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::module::Env;
use backedge_ir::opcode::{BinaryOp, CastOp, IntPredicate};

impl Cycles<'_> {
    /// The headers of the cycles that are not known to terminate.
    pub(crate) fn lasting(&self) -> EntitySet<Block> {
        let Self { env, body, schedule, dominators, must_progress } = self;
        let of = |header| Cycle { env, body, schedule, dominators, header };
        let headers =
            body.blocks().filter(|block| schedule.is_header(*block) && !must_progress.contains(*block));
        headers.filter(|header| !of(*header).is_counted()).collect()
    }
}

/// A cycle, identified by its header.
struct Cycle<'a> {
    env: &'a Env,
    body: &'a Body,
    schedule: &'a Schedule,
    dominators: &'a Dominators,
    header: Block,
}

/// The step of a counter per iteration.
#[derive(Copy, Clone)]
struct Step {
    /// The step is odd, so the counter reaches every number of its type.
    is_odd: bool,
    /// The counter is poison if it wraps around.
    is_flagged: bool,
}

impl Cycle<'_> {
    fn is_inside(&self, block: Block) -> bool {
        self.schedule.is_inside(block, self.header)
    }
    fn is_invariant(&self, value: Value) -> bool {
        let block = value.as_inst().and_then(|inst| self.body.block_of(inst));
        block.is_none_or(|block| !self.is_inside(block))
    }
    /// Whether a test executed in every iteration ends the cycle at some value of its counter.
    fn is_counted(&self) -> bool {
        let is_latch =
            |block: &Block| self.is_inside(*block) && self.body.successors(*block).contains(&self.header);
        let latches: Vec<Block> = self.body.blocks().filter(is_latch).collect();
        let is_always_passed = |block: Block| latches.iter().all(|l| self.dominators.dominates(block, *l));
        self.body.blocks().filter(|block| self.is_inside(*block) && is_always_passed(*block)).any(|block| {
            let Some(end) = self.body.terminator(block).map(|end| self.body.inst(end)) else { return false };
            let leaves = |way: usize| end.blocks.get(way).is_some_and(|to| !self.is_inside(*to));
            matches!(end.kind, InstKind::CondBr)
                && leaves(0) != leaves(1)
                && self.is_reached(end.operands[0], leaves(0))
        })
    }
    /// Whether the condition has the value `wanted` in some iteration.
    fn is_reached(&self, condition: Value, wanted: bool) -> bool {
        let Some(inst) = condition.as_inst() else { return false };
        let data = self.body.inst(inst);
        let constant = |i: usize| self.body.as_int(data.operands[i]).map(|c| !c.is_zero());
        match &data.kind {
            InstKind::Binary(BinaryOp::And, _) if !wanted => {
                data.operands.iter().any(|operand| self.is_reached(*operand, wanted))
            }
            InstKind::Binary(BinaryOp::Or, _) if wanted => {
                data.operands.iter().any(|operand| self.is_reached(*operand, wanted))
            }
            // The logical forms of `and` and `or`. The second operand matters if the first one does not decide.
            InstKind::Select(_) if !wanted && constant(2) == Some(false) => {
                data.operands[..2].iter().any(|operand| self.is_reached(*operand, wanted))
            }
            InstKind::Select(_) if wanted && constant(1) == Some(true) => {
                [0, 2].into_iter().any(|i| self.is_reached(data.operands[i], wanted))
            }
            InstKind::ICmp { pred, .. } => {
                let stays = if wanted { pred.inverse() } else { *pred };
                let [left, right] = [data.operands[0], data.operands[1]];
                self.passes(stays, left, right) || self.passes(stays.swapped(), right, left)
            }
            _ => false,
        }
    }
    /// Whether `counter` reaches a number for which `counter stays bound` is false.
    fn passes(&self, stays: IntPredicate, counter: Value, bound: Value) -> bool {
        use IntPredicate as P;
        let Some(step) = self.step(counter).filter(|_| self.is_invariant(bound)) else { return false };
        step.is_flagged
            || match stays {
                P::Eq => true,
                P::Ne | P::Ult | P::Ugt | P::Slt | P::Sgt => step.is_odd,
                // The bound may be the last number of the type.
                P::Ule | P::Uge | P::Sle | P::Sge => false,
            }
    }
    /// The step of a value that is a counter of the cycle or the counter's next value.
    fn step(&self, value: Value) -> Option<Step> {
        let inst = value.as_inst()?;
        let data = self.body.inst(inst);
        match &data.kind {
            // Truncated counters count too, but their wraparound is not poison.
            InstKind::Cast(CastOp::Trunc, _) => {
                self.step(data.operands[0]).map(|step| Step { is_flagged: false, ..step })
            }
            InstKind::Phi(_) => self.step_of_phi(inst),
            _ => {
                let phi = data.operands.first()?.as_inst().filter(|i| self.body.inst(*i).kind.is_phi())?;
                let is_next = |(next, _): (Value, Block)| next == value;
                let is_of = self.body.inst(phi).incoming().any(is_next);
                self.step_of_phi(phi).filter(|_| is_of)
            }
        }
    }
    fn step_of_phi(&self, phi: Inst) -> Option<Step> {
        if self.body.block_of(phi) != Some(self.header) {
            return None;
        }
        let incoming = self.body.inst(phi).incoming();
        let mut inside = incoming.filter(|(_, from)| self.is_inside(*from)).map(|(value, _)| value);
        let next = inside.next()?;
        if inside.any(|other| other != next) {
            return None;
        }
        let data = self.body.inst(next.as_inst()?);
        if data.operands.first() != Some(&phi.into()) {
            return None;
        }
        let by = self.body.as_int(*data.operands.get(1)?).filter(|by| !by.is_zero())?;
        match &data.kind {
            InstKind::Binary(BinaryOp::Add | BinaryOp::Sub, flags) => {
                Some(Step { is_odd: by.bits() & 1 == 1, is_flagged: flags.nuw || flags.nsw })
            }
            InstKind::Gep { source, flags } if data.operands.len() == 2 => {
                let bytes = self.env.layout.alloc_bytes(&self.env.types, *source);
                let moves = bytes.is_some_and(|bytes| bytes > 0);
                let is_flagged = moves && (flags.inbounds || flags.nusw || flags.nuw);
                Some(Step { is_odd: false, is_flagged })
            }
            _ => None,
        }
    }
}
