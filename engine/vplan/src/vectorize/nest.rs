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
use crate::legality::Op;
use backedge_ir::editor::Position;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstData, InstKind, MemAccess, Value};
use backedge_ir::metadata::MdKind;
use backedge_ir::opcode::FastMath;
use rustc_hash::FxHashMap;

/// The block that is made of each block.
type Blocks = FxHashMap<Block, Block>;

impl Body<'_, '_, '_> {
    /// Makes the blocks of a nest, but for the terminator of the latch.
    pub(super) fn make_nest(&mut self) {
        let choice = self.choice;
        let form = &choice.legality.form;
        let mut blocks = Blocks::default();
        for &block in &form.blocks {
            let made = match block {
                _ if block == form.header => self.frame.body,
                _ if block == form.latch => self.frame.rest,
                _ => self.editor.add_block_before(self.frame.rest, Some("vector.inner")),
            };
            blocks.insert(block, made);
        }
        let mut joined = Vec::new();
        for &block in &form.blocks {
            self.current = self.made(&blocks, block);
            for inst in self.editor.body().insts(block).to_vec() {
                if choice.legality.ops.get(&inst) == Some(&Op::Joined) {
                    joined.extend(self.begin_joined(inst));
                } else if choice.legality.is_uniform(inst) {
                    self.make_once(inst);
                } else {
                    self.make(inst);
                }
            }
        }
        for (inst, phis) in joined {
            self.close_joined(&blocks, inst, &phis);
        }
        for &block in form.blocks.iter().filter(|b| **b != form.latch) {
            self.branch(&blocks, block);
        }
        self.current = self.frame.rest;
    }
    fn made(&self, blocks: &Blocks, block: Block) -> Block {
        blocks.get(&block).copied().unwrap_or(self.current)
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
    /// The phis that stand for one, without what they take: what they are of, and one per part.
    fn begin_joined(&mut self, inst: Inst) -> Option<(Inst, Vec<Inst>)> {
        let legality = &self.choice.legality;
        let (is_all, is_uniform) = (self.choice.marks.all.contains(&inst), legality.is_uniform(inst));
        if !is_all && !self.choice.marks.first.contains(&inst) {
            return None;
        }
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
        Some((inst, phis))
    }
    /// Lets phis take what they are made of.
    fn close_joined(&mut self, blocks: &Blocks, inst: Inst, phis: &[Inst]) {
        let incoming: Vec<(Value, Block)> = self.editor.body().inst(inst).incoming().collect();
        let is_vector = matches!(self.reps.get(&inst), Some(Rep::Lanes(_)));
        for (value, from) in incoming {
            self.current = self.made(blocks, from);
            for (part, phi) in phis.iter().enumerate() {
                let taken = if is_vector { self.vector(value, part) } else { self.first(value, part) };
                self.editor.add_incoming(*phi, taken, self.current);
            }
        }
    }
    /// What is the same in all lanes.
    fn make_once(&mut self, inst: Inst) {
        let choice = self.choice;
        if !choice.marks.all.contains(&inst) && !choice.marks.first.contains(&inst) {
            return;
        }
        let ours = self.editor.location();
        self.editor.set_location(self.editor.body().inst(inst).metadata_of(&MdKind::Dbg).copied().or(ours));
        let data = self.editor.body().inst(inst).clone();
        match choice.legality.ops.get(&inst) {
            Some(Op::Load) => {
                let align = choice.legality.access(inst).map(|access| access.align);
                let kind = InstKind::Load(Box::new(MemAccess { align, ..MemAccess::default() }));
                let one = self.compute_one(&InstData { kind, ..data }, 0);
                self.set(inst, Rep::Same(vec![one; self.parts()]));
            }
            Some(Op::Store) => self.store(inst),
            Some(Op::Widen | Op::Divide | Op::Call(..) | Op::Replicate) => {
                let one = self.compute_one(&data, 0);
                self.set(inst, Rep::Same(vec![one; self.parts()]));
            }
            Some(Op::Carried | Op::Blend | Op::Joined | Op::Branch | Op::Dropped) | None => {}
        }
        self.editor.set_location(ours);
    }
    /// The branch of what was made of `block`.
    fn branch(&mut self, blocks: &Blocks, block: Block) {
        let of = &self.choice.legality;
        let Some(old) = self.editor.body().terminator(block) else { return };
        let data = self.editor.body().inst(old).clone();
        self.current = self.made(blocks, block);
        let ours = self.editor.location();
        self.editor.set_location(data.metadata_of(&MdKind::Dbg).copied().or(ours));
        let stay = of.exits.of_branch(self.editor.body(), old).map(|exit| exit.stay);
        match (stay, &data.kind, data.successors()) {
            (Some(to), ..) | (None, InstKind::Br, &[to]) => {
                let to = self.made(blocks, to);
                self.at_end().br(to);
            }
            (None, _, &[if_true, if_false]) => {
                let condition = self.first(data.operands[0], 0);
                let [a, b] = [if_true, if_false].map(|to| self.made(blocks, to));
                self.at_end().cond_br(condition, a, b);
            }
            _ => {}
        }
        self.editor.set_location(ours);
    }
}
