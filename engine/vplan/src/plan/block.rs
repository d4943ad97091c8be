//! Basic blocks and regions, the nodes of the hierarchical CFG.

use super::{BlockId, RecipeId, RegionId};
use backedge_ir::entity::{Block, Inst};
use smallvec::SmallVec;

/// Recipes that are executed one after the other.
#[derive(Clone, Debug)]
pub struct VPBasicBlock {
    /// What it is called, without `%`; no two blocks have one label.
    pub label: Box<str>,
    /// The block of the IR whose contents it has, all or the first part of them.
    pub origin: Option<Block>,
    /// The terminator of the IR that control leaves it as, for what is attached to that (loop options, weights): as long as
    /// the condition and the order of the successors are that one's.
    pub terminator: Option<Inst>,
    /// Its recipes: phis first, the condition bit last if there are two successors.
    pub recipes: Vec<RecipeId>,
    /// Where control goes: where there are two, to the first if the condition bit is set. No two are the same.
    pub succs: SmallVec<[BlockId; 2]>,
    /// Where control comes from, each block once, in the order in which the edges were made.
    pub preds: SmallVec<[BlockId; 2]>,
    /// The innermost region that it lies in.
    pub parent: RegionId,
}

/// Blocks and regions that are entered at one block and left from one block.
#[derive(Clone, Debug)]
pub struct VPRegionBlock {
    /// What it was made of.
    pub kind: RegionKind,
    /// The region around it; the Top Region has none.
    pub parent: Option<RegionId>,
    /// Where it is entered: the only block of it with an edge from outside.
    pub entry: BlockId,
    /// Where it is left: the only block of it with an edge to outside.
    pub exit: BlockId,
}

/// What a region was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// The whole plan.
    Top,
    /// A loop, with its preheader for entry and its single exit for exit.
    Loop(VPLoopRegion),
    /// What lies between a branch and where its ways meet again, without a cycle of the loop around it.
    NonLoop,
}

/// What a loop region has beyond a region.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VPLoopRegion {
    /// The loop's header, the entry's only successor.
    pub header: BlockId,
    /// Where the only backedge comes from.
    pub latch: BlockId,
}

/// A node of the hierarchical CFG.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A basic block.
    Block(BlockId),
    /// A region, as one node of the region around it.
    Region(RegionId),
}

impl VPRegionBlock {
    /// Its loop, if it is a loop region.
    pub fn as_loop(&self) -> Option<&VPLoopRegion> {
        match &self.kind {
            RegionKind::Loop(l) => Some(l),
            RegionKind::Top | RegionKind::NonLoop => None,
        }
    }
}
