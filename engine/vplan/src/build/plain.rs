//! The plain CFG: one block per IR block, one recipe per instruction, one phi per phi.
//!
//! Blocks are visited in reverse post-order, so that operands exist before their users, except for phi operands, which
//! are filled in last. A switch becomes a chain of blocks, each of which tests one case; cases that exit loops come
//! first. A branch with two equal targets becomes unconditional. A debug record is kept if its operands are available
//! in its loop.

use super::extent::Extent;
use super::{BuildMissed, MOST_BLOCKS};
use crate::plan::{BlockId, Operands, Origin, PlanExit, Recipe, RecipeId, VPValue, VPlan};
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_ir::body::{Body, Slots};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Use, Value};
use backedge_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The plan of the loop `l` with the given extent.
pub(super) fn plan(at: At<'_>, l: LoopId, extent: &Extent, slots: &Slots) -> Result<VPlan, BuildMissed> {
    let (cfg, loops) = (at.cfg(), at.loops());
    let preheader = loops.preheader(&cfg, l).ok_or(BuildMissed::LoopForm)?;
    let header = loops.header(l);
    let origin = Origin { preheader, header, blocks: extent.blocks.clone() };
    let mut builder = Builder {
        at,
        extent,
        slots,
        plan: VPlan::new(origin),
        blocks: FxHashMap::default(),
        values: FxHashMap::default(),
        edges: FxHashMap::default(),
        phis: Vec::new(),
    };
    builder.make_blocks(preheader);
    for &block in &extent.blocks {
        builder.make_phis(block, block);
        builder.make_recipes(block);
        builder.make_edges(block)?;
    }
    builder.make_exits();
    builder.fill_phis();
    Ok(builder.plan)
}

struct Builder<'b, 'a> {
    at: At<'a>,
    extent: &'b Extent,
    slots: &'b Slots,
    plan: VPlan,
    /// The plan's block for each IR block of the extent and each exit.
    blocks: FxHashMap<Block, BlockId>,
    values: FxHashMap<Inst, RecipeId>,
    /// The plan's source blocks of each IR edge; the chain of a switch has several.
    edges: FxHashMap<(Block, Block), SmallVec<[BlockId; 1]>>,
    /// The new phis, each with the IR block that contains the original phi.
    phis: Vec<(Inst, RecipeId, Block)>,
}

impl<'a> Builder<'_, 'a> {
    fn body(&self) -> &'a Body {
        self.at.body
    }

    /// Creates all blocks except those of switch chains, and the edges from the entry to the header.
    fn make_blocks(&mut self, preheader: Block) {
        let top = self.plan.top();
        let entry = self.plan.entry();
        let label = self.slots.block_label(self.body(), preheader);
        let in_front = self.plan.add_block(&label, top);
        self.plan.blocks[in_front].terminator = self.body().terminator(preheader);
        self.plan.add_edge(entry, in_front);
        for &block in self.extent.blocks.iter().chain(&self.extent.exits) {
            let label = self.slots.block_label(self.body(), block);
            let made = self.plan.add_block(&label, top);
            self.blocks.insert(block, made);
        }
        for &block in &self.extent.blocks {
            self.plan.blocks[self.blocks[&block]].origin = Some(block);
        }
        let header = self.blocks[&self.plan.origin.header];
        self.plan.add_edge(in_front, header);
        self.edges.insert((preheader, self.plan.origin.header), smallvec::smallvec![in_front]);
    }

    /// Creates the phis of the IR block `of` in the plan's block for `block`.
    fn make_phis(&mut self, of: Block, block: Block) {
        let to = self.blocks[&block];
        for phi in self.body().phis(of) {
            let ty = self.body().inst(phi).ty;
            let name = self.body().value_name(phi.into()).map(str::to_owned);
            let made = self.plan.add_phi(to, ty, name.as_deref(), Some(phi), Vec::new());
            // Code after the plan uses the IR phi itself.
            if self.extent.set.contains(of) {
                self.values.insert(phi, made);
            }
            self.phis.push((phi, made, of));
        }
    }

    fn value(&self, value: Value) -> VPValue {
        match value.as_inst().and_then(|inst| self.values.get(&inst)) {
            Some(recipe) => VPValue::Def(*recipe),
            None => match self.body().as_int(value) {
                Some(bit) if bit.width() == 1 => VPValue::Bit(!bit.is_zero()),
                _ => VPValue::LiveIn(value),
            },
        }
    }

    fn make_recipes(&mut self, block: Block) {
        let body = self.body();
        let to = self.blocks[&block];
        for &inst in body.insts(block) {
            let data = body.inst(inst);
            let is_other = data.kind.is_phi() || data.kind.is_terminator();
            if is_other
                || matches!(data.kind, InstKind::DebugRecord(_)) && !self.operands_are_available(inst, block)
            {
                continue;
            }
            // Reserve the names of operands, so that no other value gets them.
            let names = data.operands.iter().filter_map(|v| body.value_name(*v));
            let read = names.filter(|_| !matches!(data.kind, InstKind::DebugRecord(_))).map(Into::into);
            self.plan.names.extend(read);
            let operands: Operands = data.operands.iter().map(|v| self.value(*v)).collect();
            let kind = Recipe::VectorizeOneByOne { inst, operands };
            let made = self.plan.push(to, kind, data.ty, body.value_name(inst.into()));
            self.values.insert(inst, made);
        }
    }
    /// Whether all operands of a debug record are available: they dominate the record and are defined in its innermost
    /// loop or a surrounding one.
    fn operands_are_available(&self, record: Inst, block: Block) -> bool {
        let (body, loops, dominators) = (self.body(), self.at.loops(), self.at.dominators());
        (0..).zip(&body.inst(record).operands).all(|(index, value)| {
            let Some(def) = value.as_inst() else { return true };
            let is_of_loop = |b: Block| loops.innermost(b).is_none_or(|l| loops.contains(l, block));
            body.block_of(def).is_some_and(is_of_loop)
                && dominators.dominates_use(body, *value, Use { user: record, index })
        })
    }

    fn edge(&mut self, from: Block, to: Block, at: BlockId) {
        let target = self.blocks[&to];
        self.plan.add_edge(at, target);
        self.edges.entry((from, to)).or_default().push(at);
    }
    /// Creates the edges out of `block` and their condition.
    fn make_edges(&mut self, block: Block) -> Result<(), BuildMissed> {
        let body = self.body();
        let at = self.blocks[&block];
        let Some(terminator) = body.terminator(block) else { return Err(BuildMissed::Terminator(block)) };
        self.plan.blocks[at].terminator = Some(terminator);
        let data = body.inst(terminator);
        match (&data.kind, &data.blocks[..]) {
            (InstKind::CondBr, [set, clear]) if set != clear => {
                let condition = self.value(data.operands[0]);
                self.plan.push_condition_bit(at, condition);
                self.edge(block, *set, at);
                self.edge(block, *clear, at);
            }
            (InstKind::Br | InstKind::CondBr, [to, ..]) => self.edge(block, *to, at),
            (InstKind::Switch, [default, targets @ ..]) => {
                let cases = data.operands[1..].iter().zip(targets).filter(|(_, to)| *to != default);
                let mut cases: Vec<(Value, Block)> = cases.map(|(case, to)| (*case, *to)).collect();
                // Case values are distinct, so any order is correct. With this one the whole chain stays in the block's
                // loop.
                let loops = self.at.loops();
                cases.sort_by_key(|(_, to)| loops.depth_of_block(*to));
                self.make_chain(block, terminator, data.operands[0], &cases, *default)?;
            }
            _ => return Err(BuildMissed::Terminator(block)),
        }
        Ok(())
    }
    /// Creates the chain of blocks for a switch; each block tests one case.
    fn make_chain(
        &mut self,
        block: Block,
        switch: Inst,
        value: Value,
        cases: &[(Value, Block)],
        default: Block,
    ) -> Result<(), BuildMissed> {
        if self.plan.blocks().len() + cases.len() > 2 * MOST_BLOCKS {
            return Err(BuildMissed::TooLarge);
        }
        let mut at = self.blocks[&block];
        let label = self.plan.block(at).label.clone();
        let value = self.value(value);
        for (index, (case, to)) in cases.iter().enumerate() {
            let kind = Recipe::IsCase { switch, value, case: VPValue::LiveIn(*case) };
            let name = format!("{label}.is.case");
            let bit = self.plan.push(at, kind, Type::I1, Some(&name));
            self.plan.push_condition_bit(at, VPValue::Def(bit));
            self.edge(block, *to, at);
            if index + 1 < cases.len() {
                let next = self.plan.add_block(&format!("{label}.case"), self.plan.top());
                self.plan.add_edge(at, next);
                at = next;
            }
        }
        self.edge(block, default, at);
        Ok(())
    }

    /// Creates the phis of the exits, and the landing pad if there are several exits.
    fn make_exits(&mut self) {
        let exit = self.plan.exit();
        let first = self.phis.len();
        for &to in &self.extent.exits {
            self.make_phis(to, to);
        }
        let made: Vec<(Inst, RecipeId, Block)> = self.phis[first..].to_vec();
        if let [to] = self.extent.exits[..] {
            let phis = made.iter().map(|(phi, recipe, _)| (*phi, VPValue::Def(*recipe))).collect();
            self.plan.exits = vec![PlanExit { to, when: None, phis }];
            self.plan.add_edge(self.blocks[&to], exit);
            return;
        }
        let pad = self.plan.add_block("landing.pad", self.plan.top());
        let ways: Vec<(Block, BlockId)> = self.extent.exits.iter().map(|to| (*to, self.blocks[to])).collect();
        for (_, way) in &ways {
            self.plan.add_edge(*way, pad);
        }
        for (index, (to, way)) in ways.iter().enumerate() {
            let mut carry = |ty: Type, name: &str, there: VPValue, elsewhere: VPValue| {
                let take = |(_, b): &(Block, BlockId)| (*b, if b == way { there } else { elsewhere });
                let incoming = ways.iter().map(take).collect();
                VPValue::Def(self.plan.add_phi(pad, ty, Some(name), None, incoming))
            };
            let is_last = index + 1 == ways.len();
            let label = self.slots.block_label(self.at.body, *to);
            let when = (!is_last)
                .then(|| carry(Type::I1, &format!("to.{label}"), VPValue::Bit(true), VPValue::Bit(false)));
            let phis = made.iter().filter(|(_, _, of)| of == to).map(|(phi, recipe, _)| {
                let ty = self.at.body.inst(*phi).ty;
                let name = format!("{}.landed", self.at.body.value_name((*phi).into()).unwrap_or("value"));
                (*phi, carry(ty, &name, VPValue::Def(*recipe), VPValue::Poison(ty)))
            });
            let phis = phis.collect();
            self.plan.exits.push(PlanExit { to: *to, when, phis });
        }
        self.plan.add_edge(pad, exit);
    }

    /// Fills in the phi entries, edge by edge.
    fn fill_phis(&mut self) {
        for (phi, made, of) in std::mem::take(&mut self.phis) {
            let mut seen: SmallVec<[Block; 4]> = SmallVec::new();
            for (value, from) in self.body().inst(phi).incoming() {
                // A predecessor with several edges to this block has one phi entry per edge; use the first.
                if seen.contains(&from) {
                    continue;
                }
                let Some(sources) = self.edges.get(&(from, of)).cloned() else { continue };
                seen.push(from);
                let value = self.value(value);
                for at in sources {
                    self.plan.add_incoming(made, at, value);
                }
            }
        }
    }
}
