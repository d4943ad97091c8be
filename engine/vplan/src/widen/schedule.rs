//! The order of recipes: the linear order, block by block, except that a recurrence comes after its next value, and its
//! users after the recurrence.

use super::alike::Alike;
use super::demand::Demand;
use super::{Addresses, LoopBlock, Recipe, WideBlock};
use crate::legality::{HeaderPhi, Legality, Op, Pattern};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{InstKind, Value};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn schedule(
    body: &Body,
    of: &Legality,
    addresses: &Addresses,
    wanted: &Demand,
    alike: &FxHashMap<Inst, Alike>,
) -> Vec<WideBlock> {
    let mut waiting: FxHashMap<Inst, usize> = FxHashMap::default();
    for (phi, kind) in &of.phis {
        match kind {
            HeaderPhi::FirstOrder(f) => {
                f.moved.iter().for_each(|moved| *waiting.entry(*moved).or_default() += 1);
            }
            HeaderPhi::Reduction(_) | HeaderPhi::Selection(_) => {}
            HeaderPhi::Induction(_) => continue,
        }
        debug_assert!(wanted.all.contains(phi));
    }
    let mut this = Scheduler {
        body,
        of,
        addresses,
        wanted,
        alike,
        chains: of.chains(),
        waiting,
        deferred: of.deferred().into_iter().map(|(store, _)| store).collect(),
        uniform: FxHashSet::default(),
        masked: FxHashSet::default(),
        blocks: Vec::new(),
    };
    this.run();
    this.blocks
}

struct Scheduler<'s> {
    body: &'s Body,
    of: &'s Legality,
    addresses: &'s Addresses,
    wanted: &'s Demand,
    alike: &'s FxHashMap<Inst, Alike>,
    /// For each instruction of a chain, the chain's phi.
    chains: FxHashMap<Inst, (Inst, &'s HeaderPhi)>,
    /// The number of recurrences that an instruction still waits for.
    waiting: FxHashMap<Inst, usize>,
    /// The stores that execute after the loop.
    deferred: FxHashSet<Inst>,
    /// Values with one scalar per part, among those scheduled so far.
    uniform: FxHashSet<Inst>,
    /// Blocks whose masks have been scheduled.
    masked: FxHashSet<Block>,
    blocks: Vec<WideBlock>,
}

impl<'s> Scheduler<'s> {
    fn run(&mut self) {
        let of = self.of;
        let is_carried = |kind: &HeaderPhi| !matches!(kind, HeaderPhi::Induction(_));
        let carried = of.phis.iter().filter(|(_, kind)| is_carried(kind));
        let carried: Vec<Recipe> = carried.map(|(phi, _)| Recipe::HeaderPhi(*phi)).collect();
        if of.nest.is_some() {
            self.nest(carried);
            return;
        }
        self.begin(LoopBlock::Body, carried);
        if let Some(early) = &of.early {
            self.all(early.masks, &|inst| early.tested.contains(&inst));
            self.push(Recipe::AnyExit);
            self.begin(LoopBlock::Rest, Vec::new());
        }
        self.all(true, &|inst| !of.is_tested(inst));
    }
    fn begin(&mut self, place: LoopBlock, recipes: Vec<Recipe>) {
        self.blocks.push(WideBlock { place, recipes });
    }
    fn push(&mut self, recipe: Recipe) {
        if let Some(block) = self.blocks.last_mut() {
            block.recipes.push(recipe);
        }
    }
    /// Schedules the wanted instructions of the loop, in linear order.
    fn all(&mut self, masks: bool, wanted: &dyn Fn(Inst) -> bool) {
        let (body, of) = (self.body, self.of);
        for &block in &of.form.blocks {
            if masks && of.masks.has_mask(block) && self.masked.insert(block) {
                self.push(Recipe::Mask(block));
            }
            for &inst in body.insts(block) {
                if wanted(inst) && !self.waiting.contains_key(&inst) {
                    self.add(inst);
                }
            }
        }
    }
    /// Schedules the blocks of a nest with their branches, except that of the latch.
    fn nest(&mut self, carried: Vec<Recipe>) {
        let (body, of) = (self.body, self.of);
        let mut carried = Some(carried);
        for &block in &of.form.blocks {
            let place = if block == of.form.header { LoopBlock::Body } else { LoopBlock::Of(block) };
            self.begin(place, carried.take().unwrap_or_default());
            for &inst in body.insts(block) {
                let is_wanted = self.wanted.all.contains(&inst) || self.wanted.first.contains(&inst);
                match of.ops.get(&inst) {
                    Some(Op::Branch) if block != of.form.latch => self.push(Recipe::Branch(inst)),
                    Some(Op::Joined) if is_wanted => self.push(Recipe::WidenPhi(inst)),
                    Some(Op::Joined) => {}
                    Some(Op::Store) => self.add(inst),
                    Some(Op::Load | Op::Widen | Op::Divide | Op::Call(..) | Op::Replicate)
                        if of.is_uniform(inst) =>
                    {
                        if is_wanted {
                            self.push(Recipe::Once(inst));
                        }
                    }
                    _ if of.is_uniform(inst) => {}
                    _ => self.add(inst),
                }
            }
        }
    }
    /// Schedules the recipe of `inst`, and the instructions that waited for it.
    fn add(&mut self, inst: Inst) {
        if let Some(recipe) = self.recipe(inst) {
            if self.is_one(inst) && matches!(recipe, Recipe::Clone(_) | Recipe::Memory(_)) {
                self.uniform.insert(inst);
            }
            self.push(recipe);
        }
        // A recurrence is available only after its splice, which hands it on.
        if !matches!(self.of.phi(inst), Some(HeaderPhi::FirstOrder(_))) {
            self.schedule_recurrences(inst);
        }
    }
    /// Schedules the recurrences whose next value is `inst`, and the recurrences of these.
    fn schedule_recurrences(&mut self, inst: Inst) {
        for (phi, kind) in &self.of.phis {
            let HeaderPhi::FirstOrder(f) = kind else { continue };
            if f.previous != inst {
                continue;
            }
            self.push(Recipe::Splice(*phi));
            for moved in &f.moved {
                let left = self.waiting.get(moved).copied().unwrap_or(0);
                if left > 1 {
                    self.waiting.insert(*moved, left - 1);
                } else if self.waiting.remove(moved).is_some() {
                    self.add(*moved);
                }
            }
            self.schedule_recurrences(*phi);
        }
    }
    fn recipe(&self, inst: Inst) -> Option<Recipe> {
        let (is_all, is_first) = (self.wanted.all.contains(&inst), self.wanted.first.contains(&inst));
        let op = self.of.ops.get(&inst)?;
        match op {
            Op::Dropped | Op::Branch | Op::Joined => None,
            Op::Carried => match self.of.phi(inst) {
                Some(HeaderPhi::Induction(_)) if is_all => Some(Recipe::WidenInduction(inst)),
                Some(HeaderPhi::Induction(_)) if is_first => Some(Recipe::ScalarSteps(inst)),
                _ => None,
            },
            Op::Store if self.deferred.contains(&inst) => Some(Recipe::Defer(inst)),
            Op::Load if !is_all => None,
            Op::Load | Op::Store => match self.of.group(inst) {
                Some(group) => (group.at == inst).then_some(Recipe::Interleave(inst)),
                // A recomputed address is no value of the loop.
                None if self.is_one(inst) && !self.addresses.is_recomputed(inst) => Some(Recipe::Clone(inst)),
                None => Some(Recipe::Memory(inst)),
            },
            Op::Blend => is_all.then_some(Recipe::Blend(inst)),
            Op::Replicate => is_all.then_some(Recipe::Replicate(inst)),
            Op::Widen | Op::Divide | Op::Call(..) if is_all => Some(self.operation(inst, *op)),
            Op::Widen | Op::Divide | Op::Call(..) => is_first.then_some(Recipe::First(inst)),
        }
    }
    /// The recipe of an operation of which all lanes are demanded.
    fn operation(&self, inst: Inst, op: Op) -> Recipe {
        match self.chains.get(&inst) {
            Some((_, HeaderPhi::Selection(_))) if op != Op::Divide => return Recipe::Pick(inst),
            Some((_, HeaderPhi::Reduction(r))) if r.in_order => return Recipe::Reduce(inst),
            _ => {}
        }
        if let Some(Alike::Fixed(values)) = self.alike.get(&inst) {
            return Recipe::Fixed(inst, values.clone());
        }
        if self.is_one(inst) {
            return Recipe::Clone(inst);
        }
        match op {
            Op::Divide => Recipe::Divide(inst),
            Op::Call(..) => Recipe::WidenCall(inst),
            Op::Widen
            | Op::Carried
            | Op::Blend
            | Op::Joined
            | Op::Replicate
            | Op::Load
            | Op::Store
            | Op::Branch
            | Op::Dropped => Recipe::Widen(inst),
        }
    }
    /// Whether one scalar per part represents all lanes.
    fn is_one(&self, inst: Inst) -> bool {
        if self.alike.get(&inst) == Some(&Alike::Same) {
            return true;
        }
        let access = self.of.access(inst);
        if let Some(access) = access {
            return !access.is_store && access.pattern == Pattern::Uniform && !access.masked;
        }
        let is_same = |v: &Value| {
            let inside = v.as_inst().filter(|i| self.of.form.contains(*i));
            inside.is_none_or(|i| self.uniform.contains(&i))
        };
        // This does not apply to phis, nor to instructions that are not plain lane-wise operations.
        let is_plain = self.of.ops.get(&inst) == Some(&Op::Widen) && !self.chains.contains_key(&inst);
        let data = self.body.inst(inst);
        is_plain && !matches!(data.kind, InstKind::Phi(_)) && data.operands.iter().all(is_same)
    }
}
