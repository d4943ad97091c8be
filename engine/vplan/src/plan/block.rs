//! Basic blocks and regions, the nodes of the hierarchical CFG.

use super::{BlockId, RecipeId, RegionId};
use backedge_ir::entity::{Block, Inst};
use smallvec::SmallVec;

/// A sequence of recipes, executed in order.
#[derive(Clone, Debug)]
pub struct VPBasicBlock {
    /// Its label, without `%`; labels are unique in the plan.
    pub label: Box<str>,
    /// The IR block whose contents it holds, in full or only the first part.
    pub origin: Option<Block>,
    /// The IR terminator it was built from, for its attachments (loop options, branch weights). Valid as long as the
    /// condition and the order of the successors match that terminator.
    pub terminator: Option<Inst>,
    /// Its recipes: phis first, the condition bit last if there are two successors.
    pub recipes: Vec<RecipeId>,
    /// Its successors. If there are two, control goes to the first if the condition bit is set. They are distinct.
    pub succs: SmallVec<[BlockId; 2]>,
    /// Its predecessors, each block once, in the order in which the edges were added.
    pub preds: SmallVec<[BlockId; 2]>,
    /// The innermost region that contains it.
    pub parent: RegionId,
}

/// A single-entry, single-exit set of blocks and regions.
#[derive(Clone, Debug)]
pub struct VPRegionBlock {
    /// Its kind.
    pub kind: RegionKind,
    /// The parent region; `None` for the Top Region.
    pub parent: Option<RegionId>,
    /// The entry: the only block of the region with an incoming edge from outside.
    pub entry: BlockId,
    /// The exit: the only block of the region with an outgoing edge to outside.
    pub exit: BlockId,
}

/// The kind of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// The whole plan.
    Top,
    /// A loop. The region's entry is the preheader, and its exit is the loop's single exit block.
    Loop(VPLoopRegion),
    /// The blocks between a branch and its join; contains no cycle of the surrounding loop.
    NonLoop,
}

/// The additional data of a loop region.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct VPLoopRegion {
    /// The loop's header, the entry's only successor.
    pub header: BlockId,
    /// The source of the only backedge.
    pub latch: BlockId,
}

/// A node of the hierarchical CFG.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A basic block.
    Block(BlockId),
    /// A region, as one node of its parent region.
    Region(RegionId),
}

impl VPRegionBlock {
    /// The loop data, if it is a loop region.
    pub fn as_loop(&self) -> Option<&VPLoopRegion> {
        match &self.kind {
            RegionKind::Loop(l) => Some(l),
            RegionKind::Top | RegionKind::NonLoop => None,
        }
    }
}
