//! The only writer of plans. It keeps successor and predecessor lists consistent, names unique, and each recipe's
//! `block` field correct. The caller must fix phi entries unless a function documents otherwise.

use super::{
    BlockId, Origin, Recipe, RecipeId, RegionId, RegionKind, VPBasicBlock, VPRecipe, VPRegionBlock, VPValue,
    VPlan,
};
use backedge_ir::entity::{Inst, PrimaryMap};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

impl VPlan {
    /// A plan with a dummy entry and a dummy exit, without an edge between them.
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

    /// A name that is unique in the plan: `base`, with a number appended if `base` is taken.
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

    /// Adds a block without recipes and edges to `parent`; makes its label unique.
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
    /// Adds a region to `parent`. Blocks record their own region, so this sets no block's `parent`.
    pub(crate) fn add_region(
        &mut self,
        kind: RegionKind,
        parent: RegionId,
        [entry, exit]: [BlockId; 2],
    ) -> RegionId {
        self.regions.push(VPRegionBlock { kind, parent: Some(parent), entry, exit })
    }

    // Edges.

    /// Appends an edge to the successors of `from`.
    pub(crate) fn add_edge(&mut self, from: BlockId, to: BlockId) {
        debug_assert!(!self.blocks[from].succs.contains(&to), "{from:?} has an edge to {to:?} already");
        self.blocks[from].succs.push(to);
        self.blocks[to].preds.push(from);
    }
    /// Removes an edge.
    pub(crate) fn remove_edge(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from].succs.retain(|b| *b != to);
        self.blocks[to].preds.retain(|b| *b != from);
    }
    /// Redirects an edge from `old` to `new` and keeps its place among the successors of `from`. Leaves phis unchanged.
    pub(crate) fn redirect(&mut self, from: BlockId, old: BlockId, new: BlockId) {
        for to in &mut self.blocks[from].succs {
            if *to == old {
                *to = new;
            }
        }
        self.blocks[old].preds.retain(|b| *b != from);
        self.blocks[new].preds.push(from);
    }
    /// Replaces the predecessor `old` of `block` by `new`, also in its phis.
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
    /// Inserts a new block on the edge from `from` to `to` and updates phis; the block is in the region of `to`.
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
    /// Splits `block` before its recipe number `at`. The recipes from there on and all outgoing edges move to a new
    /// block, and the successors' phis are updated; `block` gets a single edge to the new block.
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
    /// Appends a recipe to `block`; makes its name unique.
    pub(crate) fn push(&mut self, block: BlockId, kind: Recipe, ty: Type, name: Option<&str>) -> RecipeId {
        debug_assert!(self.condition_bit(block).is_none(), "{block:?} has a condition bit already");
        let recipe = self.make(block, kind, ty, name);
        self.blocks[block].recipes.push(recipe);
        recipe
    }
    /// Appends a condition bit to `block`, which must have none.
    pub(crate) fn push_condition_bit(&mut self, block: BlockId, condition: VPValue) {
        self.push(block, Recipe::ConditionBit { condition }, Type::VOID, None);
    }
    /// Removes the condition bit of `block` and returns its condition.
    pub(crate) fn pop_condition_bit(&mut self, block: BlockId) -> Option<VPValue> {
        let condition = self.condition_bit(block)?;
        self.blocks[block].recipes.pop();
        Some(condition)
    }
    /// Adds a phi after the existing phis of `block`. `origin` is the IR phi that it represents, if any.
    pub(crate) fn add_phi(
        &mut self,
        block: BlockId,
        ty: Type,
        name: Option<&str>,
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
    /// Removes a phi's entry for `from` and returns its value.
    pub(crate) fn take_incoming(&mut self, phi: RecipeId, from: BlockId) -> Option<VPValue> {
        let Recipe::Phi { incoming, .. } = &mut self.recipes[phi].kind else { return None };
        let at = incoming.iter().position(|(b, _)| *b == from)?;
        Some(incoming.remove(at).1)
    }
    /// The name of the recipe that defines `value`, if any; new names are derived from it.
    pub(crate) fn name_of(&self, value: VPValue) -> Option<&str> {
        match value {
            VPValue::Def(recipe) => self.recipes[recipe].name.as_deref(),
            VPValue::LiveIn(_) | VPValue::Bit(_) | VPValue::Poison(_) => None,
        }
    }
}
