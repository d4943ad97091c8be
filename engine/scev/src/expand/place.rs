//! The possible positions of an instruction: before the requested place, or outside of the loops around it.

use super::build::Planner;
use super::plan::{Chain, Op, Operand, Step, StepPlace};
use crate::expr::{Expr, Node};
use backedge_analysis::conditions::edge_dominates;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::types::Type;
use smallvec::SmallVec;
use std::sync::Arc;

impl Planner<'_, '_> {
    pub(super) fn block_of(&self, inst: Inst) -> Block {
        self.scev.at.body.block_of(inst).expect("places are in blocks")
    }

    /// The insertion points for a use at `anchor`: the anchor itself, then the ends of preheaders, from inside to
    /// outside.
    pub(super) fn chain(&mut self, anchor: Inst) -> Chain {
        if let Some(known) = self.chains.get(&anchor) {
            return Arc::clone(known);
        }
        let mut chain: SmallVec<[Inst; 4]> = SmallVec::from_slice(&[anchor]);
        let scev = &*self.scev;
        let innermost = scev.loops.innermost(self.block_of(anchor));
        for l in innermost.into_iter().flat_map(|l| scev.loops.ancestors(l)) {
            let preheader = scev.loops.preheader(&scev.cfg, l);
            chain.extend(preheader.and_then(|b| scev.at.body.terminator(b)));
        }
        let chain: Chain = Arc::from(&chain[..]);
        self.chains.insert(anchor, Arc::clone(&chain));
        chain
    }

    /// Whether the definition of `value` is available at `place`.
    pub(super) fn is_defined_before(&self, value: Value, place: Inst) -> bool {
        let Value::Inst(inst) = value else { return true };
        let (body, scev) = (self.scev.at.body, &*self.scev);
        if let (InstKind::Invoke(_), Some(from)) = (&body.inst(inst).kind, body.block_of(inst)) {
            let normal = body.inst(inst).successors()[0];
            return edge_dominates(&scev.cfg, &scev.dominators, from, normal, self.block_of(place));
        }
        scev.order.dominates(body, &scev.dominators, inst, place)
    }
    pub(super) fn is_available(&self, operand: Operand, place: Inst) -> bool {
        let scev = &*self.scev;
        match operand {
            Operand::Int(_) => true,
            Operand::Value(value) => self.is_defined_before(value, place),
            Operand::Step(step) => match self.steps[step].place {
                StepPlace::Phis(header) => scev.dominators.dominates(header, self.block_of(place)),
                // Steps before the same instruction are in plan order.
                StepPlace::Before(inst) => {
                    inst == place || scev.order.dominates(scev.at.body, &scev.dominators, inst, place)
                }
            },
        }
    }
    /// The index in `chain` of the outermost place where all `operands` are available.
    pub(super) fn level(&self, operands: &[Operand], chain: &[Inst]) -> usize {
        let fits = |place: &Inst| operands.iter().all(|o| self.is_available(*o, *place));
        chain.iter().skip(1).take_while(|place| fits(place)).count()
    }

    /// The result of `op` for use at `anchor`, computed as far outside as possible.
    pub(super) fn step(&mut self, anchor: Inst, ty: Type, op: Op) -> Operand {
        let chain = self.chain(anchor);
        // All uses share a freeze, wherever they are.
        let hoist = self.options.hoist || matches!(op, Op::Freeze(_));
        let level = if hoist { self.level(op.operands(), &chain) } else { 0 };
        self.step_at(chain[level], ty, op)
    }
    /// The result of `op`, computed before `place` or by an equal step that is available there.
    pub(super) fn step_at(&mut self, place: Inst, ty: Type, op: Op) -> Operand {
        let key = (op, ty);
        let same = self.known_steps.get(&key).into_iter().flatten().copied();
        let found = same.map(Operand::Step).find(|step| self.is_available(*step, place));
        found.unwrap_or_else(|| self.push(Step { op: key.0, ty, place: StepPlace::Before(place) }))
    }
    pub(super) fn push(&mut self, step: Step) -> Operand {
        let id = self.steps.len();
        self.known_steps.entry((step.op.clone(), step.ty)).or_default().push(id);
        self.steps.push(step);
        Operand::Step(id)
    }

    /// Whether `value` is not poison, and with [`Defined::NotUndef`] not undef, whenever control reaches `place`.
    pub(super) fn is_defined(&self, value: Value, place: Inst, what: Defined) -> bool {
        is_guaranteed_defined(self.scev.at, value, Some(place), what)
    }
    /// Whether no leaf of `expr` is poison or undef whenever control reaches `place`.
    pub(super) fn has_defined_leaves(&self, expr: Expr, place: Inst) -> bool {
        self.scev.arena.all_parts(expr, |_, node| match node {
            Node::Unknown(value) => self.is_defined(*value, place, Defined::NotUndef),
            _ => true,
        })
    }
}
