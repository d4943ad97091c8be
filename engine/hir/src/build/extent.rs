//! The blocks of a region: an outermost loop, or several consecutive ones with the blocks between them.
//!
//! ```text
//! head:  br %runs, a.ph, a.end          a, b: loops; only the branch of the head belongs to the region
//! a:     …  a.end                       a.end: on the way from the one to the other
//! a.end: br %runs, b.ph, b.end          b.ph, b.x: a loop's preheader, and a block that only goes on to where the region
//! b:     …  b.x                               is left anyway
//! b.x:   br b.end
//! ```
//!
//! Loops are *neighbours* if they have the same parent, and control reaches the second loop only through a block from
//! which it also reaches the first one. That block is the first loop's header or, if control may bypass the first
//! loop, the block that decides this: the region's *head*. All blocks on paths from there to the second loop belong
//! to the region. The blocks between the loops contain only movable code: no calls to functions, no ordered accesses.
//!
//! So a region has a single entry. Values computed between the loops may be used after the region; this requires a
//! single exit block.

use backedge_analysis::LoopId;
use backedge_ir::entity::{Block, Inst};
use rustc_hash::FxHashSet;

/// The blocks of a region; see the module's documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The outermost loops of the region, in the order in which control reaches them.
    pub loops: Vec<LoopId>,
    /// The block whose branch starts the region, unless the region starts with its first loop.
    pub head: Option<Block>,
    /// The blocks of the region in reverse post-order, without the head.
    pub blocks: Vec<Block>,
    /// Values of the blocks between the loops that are used after the region.
    pub open: Vec<Inst>,
    pub(super) set: FxHashSet<Block>,
}

impl Extent {
    /// Whether the block is in the region; the head is not.
    pub fn contains(&self, block: Block) -> bool {
        self.set.contains(&block)
    }
    /// All blocks whose outgoing edges belong to the region: the head, then the region's blocks.
    pub fn sources(&self) -> impl Iterator<Item = Block> + '_ {
        self.head.into_iter().chain(self.blocks.iter().copied())
    }
}
