//! The one writer of plans: it keeps edges right from both sides, names apart from each other, and recipes in the blocks that
//! they say they stand in. What phis take is the caller's to mend where a function does not say otherwise.

use super::{
    BlockId, Origin, Recipe, RecipeId, RegionId, RegionKind, VPBasicBlock, VPRecipe, VPRegionBlock, VPValue,
    VPlan,
};
use backedge_ir::entity::{Inst, PrimaryMap};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

impl VPlan {
    /// A plan of a dummy entry and a dummy exit, with no edge between them.
    pub(crate) fn new(origin: Origin) -> Self {
        let (mut regions, mut blocks) = (PrimaryMap::new(), PrimaryMap::new());
        let top = regions.next_key();
        let mut names: FxHashSet<Box<str>> = FxHashSet::default();
        let [entry, exit] = ["vplan.entry", "vplan.exit"].map(|label| {
            names.insert(label.into());
            blocks.push(VPBasicBlock {
                label: label.into(),
                origin: None,
                terminator: None,
                recipes: Vec::new(),
                succs: SmallVec::new(),
                preds: SmallVec::new(),
                parent: top,
            })
        });
        regions.push(VPRegionBlock { kind: RegionKind::Top, parent: None, entry, exit });
        let (recipes, numbers, exits) = (PrimaryMap::new(), FxHashMap::default(), Vec::new());
        Self { blocks, regions, recipes, top, names, numbers, origin, exits }
    }

    /// `base`, or `base` with a number behind it: a name that nothing of the plan has.
    fn fresh_name(&mut self, base: &str) -> Box<str> {
        let mut name: Box<str> = base.into();
        if !self.names.insert(name.clone()) {
            let mut number = self.numbers.get(&name).copied().unwrap_or_default();
            let base = name.clone();
            while !self.names.insert(name.clone()) {
                number += 1;
                name = format!("{base}{number}").into();
            }
            self.numbers.insert(base, number);
        }
        name
    }

    // Blocks and regions.

    /// A block without recipes and edges, called `label` or that with a number behind it, in `parent`.
    pub(crate) fn add_block(&mut self, label: &str, parent: RegionId) -> BlockId {
        let label = self.fresh_name(label);
        self.blocks.push(VPBasicBlock {
            label,
            origin: None,
            terminator: None,
            recipes: Vec::new(),
            succs: SmallVec::new(),
            preds: SmallVec::new(),
            parent,
        })
    }
    /// A region in `parent`. Which blocks lie in it, they say themselves.
    pub(crate) fn add_region(
        &mut self,
        kind: RegionKind,
        parent: RegionId,
        [entry, exit]: [BlockId; 2],
    ) -> RegionId {
        self.regions.push(VPRegionBlock { kind, parent: Some(parent), entry, exit })
    }

    // Edges.

    /// A new edge, behind those that `from` has.
    pub(crate) fn add_edge(&mut self, from: BlockId, to: BlockId) {
        debug_assert!(!self.blocks[from].succs.contains(&to), "{from:?} has an edge to {to:?} already");
        self.blocks[from].succs.push(to);
        self.blocks[to].preds.push(from);
    }
    /// Takes an edge away.
    pub(crate) fn remove_edge(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from].succs.retain(|b| *b != to);
        self.blocks[to].preds.retain(|b| *b != from);
    }
    /// Lets an edge go to `new` in place of `old`, in the same place among those of `from`.
    pub(crate) fn redirect(&mut self, from: BlockId, old: BlockId, new: BlockId) {
        for to in &mut self.blocks[from].succs {
            if *to == old {
                *to = new;
            }
        }
        self.blocks[old].preds.retain(|b| *b != from);
        self.blocks[new].preds.push(from);
    }
    /// Lets the edge from `old` to `block` come from `new`, phis included.
    fn replace_pred(&mut self, block: BlockId, old: BlockId, new: BlockId) {
        for from in &mut self.blocks[block].preds {
            if *from == old {
                *from = new;
            }
        }
        let phis: Vec<RecipeId> = self.phis(block).collect();
        for phi in phis {
            if let Recipe::Phi { incoming, .. } = &mut self.recipes[phi].kind {
                incoming.iter_mut().filter(|(from, _)| *from == old).for_each(|(from, _)| *from = new);
            }
        }
    }
    /// Puts a new block on the edge from `from` to `to`, phis included; it lies in the region of `to`.
    pub(crate) fn split_edge(&mut self, from: BlockId, to: BlockId, label: &str) -> BlockId {
        let new = self.add_block(label, self.blocks[to].parent);
        for target in &mut self.blocks[from].succs {
            if *target == to {
                *target = new;
            }
        }
        self.blocks[new].preds.push(from);
        self.blocks[new].succs.push(to);
        self.replace_pred(to, from, new);
        new
    }
    /// Cuts `block` in two before its recipe number `at`: those from there on, and the edges out of it, go to a new block,
    /// phis at their ends included, and `block` has one edge, to that.
    pub(crate) fn split_block(&mut self, block: BlockId, at: usize, label: &str) -> BlockId {
        let new = self.add_block(label, self.blocks[block].parent);
        let old = &mut self.blocks[block];
        let recipes = old.recipes.split_off(at);
        let succs = std::mem::take(&mut old.succs);
        let terminator = old.terminator.take();
        for &recipe in &recipes {
            self.recipes[recipe].block = new;
        }
        for &to in &succs {
            self.replace_pred(to, block, new);
        }
        let made = &mut self.blocks[new];
        made.recipes = recipes;
        made.succs = succs;
        made.terminator = terminator;
        self.add_edge(block, new);
        new
    }

    // Recipes.

    fn make(&mut self, block: BlockId, kind: Recipe, ty: Type, name: Option<&str>) -> RecipeId {
        let name = name.map(|base| self.fresh_name(base));
        self.recipes.push(VPRecipe { kind, ty, name, block })
    }
    /// A recipe at the end of `block`, called `name` or that with a number behind it.
    pub(crate) fn push(&mut self, block: BlockId, kind: Recipe, ty: Type, name: Option<&str>) -> RecipeId {
        debug_assert!(self.condition_bit(block).is_none(), "{block:?} has a condition bit already");
        let recipe = self.make(block, kind, ty, name);
        self.blocks[block].recipes.push(recipe);
        recipe
    }
    /// The condition bit of `block`, which has none.
    pub(crate) fn push_condition_bit(&mut self, block: BlockId, condition: VPValue) {
        self.push(block, Recipe::ConditionBit { condition }, Type::VOID, None);
    }
    /// Takes the condition bit of `block` away, and says what it was.
    pub(crate) fn pop_condition_bit(&mut self, block: BlockId) -> Option<VPValue> {
        let condition = self.condition_bit(block)?;
        self.blocks[block].recipes.pop();
        Some(condition)
    }
    /// A phi behind those that `block` has, which is for the phi `origin` of the IR if one is given.
    pub(crate) fn add_phi(
        &mut self,
        block: BlockId,
        (ty, name): (Type, Option<&str>),
        origin: Option<Inst>,
        incoming: Vec<(BlockId, VPValue)>,
    ) -> RecipeId {
        let at = self.phis(block).count();
        let phi = self.make(block, Recipe::Phi { origin, incoming }, ty, name);
        self.blocks[block].recipes.insert(at, phi);
        phi
    }
    /// Adds an entry to a phi.
    pub(crate) fn add_incoming(&mut self, phi: RecipeId, from: BlockId, value: VPValue) {
        if let Recipe::Phi { incoming, .. } = &mut self.recipes[phi].kind {
            incoming.push((from, value));
        }
    }
    /// Takes the entry for `from` out of a phi, and says what it was.
    pub(crate) fn take_incoming(&mut self, phi: RecipeId, from: BlockId) -> Option<VPValue> {
        let Recipe::Phi { incoming, .. } = &mut self.recipes[phi].kind else { return None };
        let at = incoming.iter().position(|(b, _)| *b == from)?;
        Some(incoming.remove(at).1)
    }
    /// The name of what `value` is, if it has one in the plan: to name others after it.
    pub(crate) fn name_of(&self, value: VPValue) -> Option<&str> {
        match value {
            VPValue::Def(recipe) => self.recipes[recipe].name.as_deref(),
            VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => None,
        }
    }
}
