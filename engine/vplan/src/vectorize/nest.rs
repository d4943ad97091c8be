//! The body of a vector loop that has loops in it: all its blocks once more, with the same branches, which go the same way in
//! all lanes.
//!
//! What is uniform is made once, whatever the lanes and parts; a phi of what is not is one per part, of vectors, or of first
//! lanes where it is an address that these are enough for. Phis are made empty first, and closed when all that they take is
//! there; what they take is put into vectors at the end of the block that it comes from. A uniform value is put into all lanes
//! right behind it, where all who use it come by.
//!
//! Exits that are counted are not tested: the rounds that are made leave by none of them.

use super::body::{Body, Rep};
use crate::widen::Recipe;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;

impl Body<'_, '_, '_> {
    /// The blocks that are made of a nest's.
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
    /// Closes phis and leaves the blocks of a nest, but for the latch.
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
    /// Behind what defines `value`, which is of the vector loop.
    pub(super) fn behind(&self, value: Value) -> Position {
        let body = self.editor.body();
        match value.as_inst().and_then(|inst| Some((inst, body.block_of(inst)?))) {
            Some((inst, block)) if body.inst(inst).kind.is_phi() => Position::AfterPhis(block),
            Some((inst, _)) => Position::After(inst),
            None => Position::End(self.frame.vector_ph),
        }
    }
    /// The phis that stand for one, without what they take: one per part.
    pub(super) fn begin_joined(&mut self, inst: Inst) {
        let (is_all, is_uniform) = (self.choice.plan.wants_all(inst), self.choice.legality.is_uniform(inst));
        let data = self.editor.body().inst(inst).clone();
        let fast = match (&data.kind, self.chains.contains_key(&inst)) {
            // Partial results of lanes are other ones.
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
    /// Lets phis take what they are made of.
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
    /// What is the same in all lanes of all parts.
    pub(super) fn once(&mut self, inst: Inst) {
        let data = self.as_one(inst);
        let one = self.compute_one(&data, 0);
        self.set(inst, Rep::Same(vec![one; self.parts()]));
    }
    /// The branch that stands for one.
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
        // What is said of an inner loop is so of all lanes together.
        if let (Some(said), Some(made)) =
            (data.metadata_of(&MdKind::Loop), self.editor.body().terminator(self.current))
        {
            self.editor.set_metadata(made, MdKind::Loop, *said);
        }
        self.editor.set_location(ours);
    }
}
