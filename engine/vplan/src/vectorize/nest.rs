//! The body of a vectorized outer loop: a copy of all its blocks with the same branches, which go the same way in all
//! lanes.
//!
//! A uniform value is computed once for all lanes and parts. Any other phi becomes one vector phi per part, or a phi of
//! first lanes if it is an address for which these suffice. Phis are created without operands; these are added once all
//! of them exist. A phi operand is converted to a vector at the end of its incoming block. A uniform value is splatted
//! immediately after its definition, which dominates all its uses.
//!
//! Counted exits are not tested, because no vector iteration leaves through one.

use super::body::Body;
use super::emitted::Rep;
use crate::widen::Recipe;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;

impl Body<'_, '_, '_> {
    /// Creates the blocks of the nest.
    pub(super) fn begin_nest(&mut self) {
        let form = &self.choice.legality.form;
        for &block in &form.blocks {
            let made = match block {
                _ if block == form.header => self.frame.body,
                _ if block == form.latch => self.frame.rest,
                _ => self.editor.add_block_before(self.frame.rest, Some("vector.inner")),
            };
            self.blocks.insert(block, made);
        }
    }
    /// Adds the phi operands and the terminators of a nest, except for the latch.
    pub(super) fn close_nest(&mut self) {
        let choice = self.choice;
        for (inst, phis) in std::mem::take(&mut self.joined) {
            self.close_joined(inst, &phis);
        }
        for recipe in choice.plan.recipes() {
            if let Recipe::Branch(branch) = recipe {
                self.branch(*branch);
            }
        }
    }
    pub(super) fn made_of(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(self.current)
    }
    /// The position after the definition of `value`, which is in the vector loop.
    pub(super) fn position_after(&self, value: Value) -> Position {
        let body = self.editor.body();
        match value.as_inst().and_then(|inst| Some((inst, body.block_of(inst)?))) {
            Some((inst, block)) if body.inst(inst).kind.is_phi() => Position::AfterPhis(block),
            Some((inst, _)) => Position::After(inst),
            None => Position::End(self.frame.vector_ph),
        }
    }
    /// Creates the phis for a source phi, without operands: one per part.
    pub(super) fn begin_joined(&mut self, inst: Inst) {
        let (is_all, is_uniform) =
            (self.choice.plan.demands_all_lanes(inst), self.choice.legality.is_uniform(inst));
        let data = self.editor.body().inst(inst).clone();
        let fast = match (&data.kind, self.chains.contains_key(&inst)) {
            // Flags do not hold for the partial results of lanes.
            (_, true) => FastMath::NONE,
            (InstKind::Phi(fast), false) => *fast,
            _ => FastMath::NONE,
        };
        let ty = if is_all && !is_uniform { self.tools.vector(data.ty) } else { data.ty };
        let count = if is_uniform { 1 } else { self.parts() };
        let name = self.editor.body().value_name(inst.into()).map(str::to_owned);
        let mut phis = Vec::new();
        for _ in 0..count {
            let phi = self.editor.insert_new(self.here(), InstData::new(InstKind::Phi(fast), ty, [], []));
            if let Some(name) = &name {
                self.editor.set_name(phi, name);
            }
            phis.push(phi);
        }
        let values: Vec<Value> = phis.iter().map(|phi| Value::Inst(*phi)).collect();
        match (is_uniform, is_all) {
            (true, _) => self.set(inst, Rep::Same(vec![values[0]; self.parts()])),
            (false, true) => self.set(inst, Rep::Lanes(values)),
            (false, false) => {
                self.firsts.insert(inst, values);
            }
        }
        self.joined.push((inst, phis));
    }
    /// Adds the operands of the phis for a source phi.
    fn close_joined(&mut self, inst: Inst, phis: &[Inst]) {
        let incoming: Vec<(Value, Block)> = self.editor.body().inst(inst).incoming().collect();
        let is_vector = matches!(self.reps.get(&inst), Some(Rep::Lanes(_)));
        for (value, from) in incoming {
            self.current = self.made_of(from);
            for (part, phi) in phis.iter().enumerate() {
                let taken = if is_vector { self.vector(value, part) } else { self.first(value, part) };
                self.editor.add_incoming(*phi, taken, self.current);
            }
        }
    }
    /// Emits a value that is the same in all lanes of all parts.
    pub(super) fn once(&mut self, inst: Inst) {
        let data = self.as_one(inst);
        let one = self.compute_one(&data, 0);
        self.set(inst, Rep::Same(vec![one; self.parts()]));
    }
    /// Emits the counterpart of a branch.
    fn branch(&mut self, old: Inst) {
        let of = &self.choice.legality;
        let Some(block) = self.editor.body().block_of(old) else { return };
        let data = self.editor.body().inst(old).clone();
        self.current = self.made_of(block);
        let ours = self.editor.location();
        self.editor.set_location(data.metadata_of(&MdKind::Dbg).copied().or(ours));
        let stay = of.exits.of_branch(self.editor.body(), old).map(|exit| exit.stay);
        match (stay, &data.kind, data.successors()) {
            (Some(to), ..) | (None, InstKind::Br, &[to]) => {
                let to = self.made_of(to);
                self.at_end().br(to);
            }
            (None, _, &[if_true, if_false]) => {
                let condition = self.first(data.operands[0], 0);
                let [a, b] = [if_true, if_false].map(|to| self.made_of(to));
                self.at_end().cond_br(condition, a, b);
            }
            _ => {}
        }
        // Metadata of an inner loop holds for all lanes together.
        if let (Some(said), Some(made)) =
            (data.metadata_of(&MdKind::Loop), self.editor.body().terminator(self.current))
        {
            self.editor.set_metadata(made, MdKind::Loop, *said);
        }
        self.editor.set_location(ours);
    }
}
