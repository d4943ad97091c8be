//! A plan: the replacement for a loop nest, as blocks of recipes and regions of blocks.
//!
//! # The graph and the hierarchy
//!
//! Edges connect only basic blocks; with the backedges they form the *plain CFG*. Regions are a tree over this CFG. A
//! region has one entry and one exit, both basic blocks, so the edges of the hierarchical CFG follow from theirs: the
//! edges into a region are those into its entry, and the edges out of it are those out of its exit ([`VPlan::node_of`]
//! maps the end of an edge to the node that a surrounding region sees). Before the hierarchy is built there is only the
//! Top Region, with a dummy entry and a dummy exit.
//!
//! The successors of a block are distinct: there is at most one edge from one block to another. A block with two
//! successors ends with its condition bit, and control goes to the first successor if the bit is set. No block has more
//! than two successors: a switch is a chain of blocks.
//!
//! # Values
//!
//! A recipe defines at most one value, which has the same id. A value defined outside the plan (argument, constant,
//! instruction before the loop) is a live-in and keeps its IR id. Operands are stored in the recipe, not taken from the
//! recipe's instruction, because massaging changes them.
//!
//! A plan refers to the body it was built from by id; it becomes stale when that body changes.
//!
//! | contents | file |
//! |---|---|
//! | blocks and regions | `block` |
//! | recipes and values | `recipe` |
//! | the only writer: new blocks, edges, phis | `edit` |
//! | the graph for graph analyses | `graph` |

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
    /// Block labels and value names in use.
    pub(crate) names: FxHashSet<Box<str>>,
    /// The last number appended to a name that was already in use.
    pub(crate) numbers: FxHashMap<Box<str>, u32>,
    /// The IR that the plan replaces.
    pub origin: Origin,
    /// Where control goes after the plan: to the first exit whose condition holds. The last exit has no condition.
    pub exits: Vec<PlanExit>,
}

/// What a plan was built from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The block that enters the loop; the plan does not change it.
    pub preheader: Block,
    /// The header of the loop.
    pub header: Block,
    /// The blocks that the plan replaces: the loop's, and those between its exits and their common post-dominator.
    pub blocks: Vec<Block>,
}

/// An IR block that control can reach directly from a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanExit {
    /// The block.
    pub to: Block,
    /// The bit that selects this exit; `None` for the last exit.
    pub when: Option<VPValue>,
    /// The phis of that block, each with its incoming value from the plan.
    pub phis: Vec<(Inst, VPValue)>,
}

/// Accessors.
impl VPlan {
    /// The Top Region.
    pub fn top(&self) -> RegionId {
        self.top
    }
    /// The dummy entry block.
    pub fn entry(&self) -> BlockId {
        self.regions[self.top].entry
    }
    /// The dummy exit block.
    pub fn exit(&self) -> BlockId {
        self.regions[self.top].exit
    }
    /// The block `block`.
    pub fn block(&self, block: BlockId) -> &VPBasicBlock {
        &self.blocks[block]
    }
    /// All blocks, in order of creation.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        self.blocks.keys()
    }
    /// The region `region`.
    pub fn region(&self, region: RegionId) -> &VPRegionBlock {
        &self.regions[region]
    }
    /// All regions, outer regions first.
    pub fn regions(&self) -> impl DoubleEndedIterator<Item = RegionId> + ExactSizeIterator + use<> {
        self.regions.keys()
    }
    /// The recipe `recipe`.
    pub fn recipe(&self, recipe: RecipeId) -> &VPRecipe {
        &self.recipes[recipe]
    }
    /// The number of recipes, including removed ones: the size for tables indexed by recipe.
    pub fn recipe_count(&self) -> usize {
        self.recipes.len()
    }
    /// The phis of `block`.
    pub fn phis(&self, block: BlockId) -> impl Iterator<Item = RecipeId> + '_ {
        let recipes = self.blocks[block].recipes.iter().copied();
        recipes.take_while(|r| matches!(self.recipes[*r].kind, Recipe::Phi { .. }))
    }
    /// A phi's incoming value from `pred`; `None` if the recipe is no phi or has no entry for `pred`.
    pub fn incoming_from(&self, phi: RecipeId, pred: BlockId) -> Option<VPValue> {
        let Recipe::Phi { incoming, .. } = &self.recipes[phi].kind else { return None };
        incoming.iter().find(|(from, _)| *from == pred).map(|(_, value)| *value)
    }
    /// The condition under which control leaves `block` to its first successor, if it has two.
    pub fn condition_bit(&self, block: BlockId) -> Option<VPValue> {
        match self.recipes[*self.blocks[block].recipes.last()?].kind {
            Recipe::ConditionBit { condition } => Some(condition),
            _ => None,
        }
    }
    /// The type of `value`; `body` is the body that the plan was built from.
    pub fn ty(&self, body: &Body, value: VPValue) -> Type {
        match value {
            VPValue::LiveIn(value) => body.ty(value),
            VPValue::Def(recipe) => self.recipes[recipe].ty,
            VPValue::Bit(_) => Type::I1,
            VPValue::Poison(ty) => ty,
        }
    }
    /// Whether `inner` is `outer` or nested in it.
    pub fn is_in(&self, outer: RegionId, inner: RegionId) -> bool {
        self.regions_around(inner).any(|r| r == outer)
    }
    /// `region` and its ancestors, innermost first.
    pub fn regions_around(&self, region: RegionId) -> impl Iterator<Item = RegionId> + '_ {
        std::iter::successors(Some(region), |r| self.regions[*r].parent)
    }
    /// The node that contains `block` in the view of the region `around`: the block itself, or the child region that
    /// contains it; `None` if the block is outside.
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
