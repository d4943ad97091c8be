//! A plan: what is to be executed in place of a loop nest, as blocks of recipes and regions of blocks.
//!
//! # The graph and the hierarchy
//!
//! Edges are kept between basic blocks alone, backedges included: the *plain CFG*. Regions lie over it as a tree. A region is
//! entered at its entry and left from its exit, both basic blocks, and so the edges of the hierarchical CFG are those of these
//! two: into a region go the edges into its entry, out of it those out of its exit ([`VPlan::node_of`] says what an edge's end
//! is as seen from a region around it). Before the hierarchy is built there is the Top Region alone, with a dummy entry and a
//! dummy exit.
//!
//! A block has as many edges as successors: no two edges go from one block to one other. Where there are two successors, the
//! last recipe is the block's condition bit, and the first successor is that of a set bit. There are never more: a switch is
//! a chain of blocks.
//!
//! # Values
//!
//! A recipe defines at most one value and is named by the same id. What is defined outside of the plan (arguments, constants,
//! instructions in front of the loop) is a live-in and keeps its id of the IR. Operands stand in the recipe, not in the
//! instruction that the recipe is for: massaging changes them.
//!
//! A plan speaks of the body that it was built from, by ids; it is good for as long as that body is not changed.
//!
//! | what | file |
//! |---|---|
//! | blocks and regions | `block` |
//! | recipes and values | `recipe` |
//! | the one writer: new blocks, edges, phis | `edit` |
//! | the graph for analyses of graphs | `graph` |

mod block;
mod edit;
mod graph;
mod recipe;

pub use block::{Node, RegionKind, VPBasicBlock, VPLoopRegion, VPRegionBlock};
pub use graph::{ForwardPostDominators, Graph};
pub use recipe::{MaskOp, Operands, Recipe, VPRecipe, VPValue};

use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst, PrimaryMap};
use backedge_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

backedge_ir::entity_ids! {
    /// A [`VPBasicBlock`] of a [`VPlan`].
    BlockId, "vpbb";
    /// A [`VPRegionBlock`] of a [`VPlan`].
    RegionId, "vpregion";
    /// A [`VPRecipe`] of a [`VPlan`], and the value it defines if it defines one.
    RecipeId, "vprecipe";
}

/// A vectorization plan of one outermost loop.
#[derive(Clone, Debug)]
pub struct VPlan {
    pub(crate) blocks: PrimaryMap<BlockId, VPBasicBlock>,
    pub(crate) regions: PrimaryMap<RegionId, VPRegionBlock>,
    pub(crate) recipes: PrimaryMap<RecipeId, VPRecipe>,
    pub(crate) top: RegionId,
    /// Labels of blocks and names of values that are taken.
    pub(crate) names: FxHashSet<Box<str>>,
    /// The last number that stands behind a name that was taken.
    pub(crate) numbers: FxHashMap<Box<str>, u32>,
    /// What the IR has in its place.
    pub origin: Origin,
    /// Where control goes behind the plan, first to last: to the first one whose condition holds. The last one has none.
    pub exits: Vec<PlanExit>,
}

/// What a plan was built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The block that control comes from, which stays as it is.
    pub preheader: Block,
    /// The header of the loop.
    pub header: Block,
    /// The blocks that the plan stands for: the loop's, and those between its exits and their common post-dominator.
    pub blocks: Vec<Block>,
}

/// A block of the IR to which control goes behind a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanExit {
    /// The block.
    pub to: Block,
    /// The bit that says so; `None` if control goes nowhere else.
    pub when: Option<VPValue>,
    /// The phis of that block, and what they take on the way from the plan.
    pub phis: Vec<(Inst, VPValue)>,
}

/// Reading.
impl VPlan {
    /// The Top Region.
    pub fn top(&self) -> RegionId {
        self.top
    }
    /// The dummy block in which the plan begins.
    pub fn entry(&self) -> BlockId {
        self.regions[self.top].entry
    }
    /// The dummy block in which it ends.
    pub fn exit(&self) -> BlockId {
        self.regions[self.top].exit
    }
    /// The block `block`.
    pub fn block(&self, block: BlockId) -> &VPBasicBlock {
        &self.blocks[block]
    }
    /// All blocks, in the order in which they were made.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        self.blocks.keys()
    }
    /// The region `region`.
    pub fn region(&self, region: RegionId) -> &VPRegionBlock {
        &self.regions[region]
    }
    /// All regions, those around others first.
    pub fn regions(&self) -> impl DoubleEndedIterator<Item = RegionId> + ExactSizeIterator + use<> {
        self.regions.keys()
    }
    /// The recipe `recipe`.
    pub fn recipe(&self, recipe: RecipeId) -> &VPRecipe {
        &self.recipes[recipe]
    }
    /// How many recipes there are, removed ones included: a size for tables indexed by them.
    pub fn recipe_count(&self) -> usize {
        self.recipes.len()
    }
    /// The phis of `block`.
    pub fn phis(&self, block: BlockId) -> impl Iterator<Item = RecipeId> + '_ {
        let recipes = self.blocks[block].recipes.iter().copied();
        recipes.take_while(|r| matches!(self.recipes[*r].kind, Recipe::Phi { .. }))
    }
    /// What a phi takes from `pred`; `None` if it is no phi or has no entry for it.
    pub fn incoming_from(&self, phi: RecipeId, pred: BlockId) -> Option<VPValue> {
        let Recipe::Phi { incoming, .. } = &self.recipes[phi].kind else { return None };
        incoming.iter().find(|(from, _)| *from == pred).map(|(_, value)| *value)
    }
    /// The condition by which control leaves `block` for its first successor, if it has two.
    pub fn condition_bit(&self, block: BlockId) -> Option<VPValue> {
        match self.recipes[*self.blocks[block].recipes.last()?].kind {
            Recipe::ConditionBit { condition } => Some(condition),
            _ => None,
        }
    }
    /// The type of `value`; `body` is the one that the plan was built from.
    pub fn ty(&self, body: &Body, value: VPValue) -> Type {
        match value {
            VPValue::LiveIn(value) => body.ty(value),
            VPValue::Def(recipe) => self.recipes[recipe].ty,
            VPValue::Bit(_) => Type::I1,
            VPValue::Poison(ty) => ty,
        }
    }
    /// Whether `inner` is `outer` or lies in it.
    pub fn is_in(&self, outer: RegionId, inner: RegionId) -> bool {
        self.regions_around(inner).any(|r| r == outer)
    }
    /// `region`, the region around it, and so on to the Top Region.
    pub fn regions_around(&self, region: RegionId) -> impl Iterator<Item = RegionId> + '_ {
        std::iter::successors(Some(region), |r| self.regions[*r].parent)
    }
    /// What `block` is as seen from `around`: itself, or the region directly in `around` that it lies in; `None` if it lies
    /// outside.
    pub fn node_of(&self, around: RegionId, block: BlockId) -> Option<Node> {
        let mut node = Node::Block(block);
        for region in self.regions_around(self.blocks[block].parent) {
            if region == around {
                return Some(node);
            }
            node = Node::Region(region);
        }
        None
    }
}
