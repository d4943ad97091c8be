//! Successors, predecessors and reverse post-order of a body's blocks: what the text itself says of control flow.
//!
//! A snapshot: it stands for the CFG epoch at which it was made ([`crate::body::Body::cfg_epoch`]).

use crate::body::Body;
use crate::entity::{Block, EntitySet, SecondaryMap};
use smallvec::SmallVec;

/// The control-flow graph of a body.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    succs: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    rpo: Vec<Block>,
    reachable: EntitySet<Block>,
}

impl Cfg {
    /// The graph of `body`. Linear in blocks and edges, without recursion.
    pub fn new(body: &Body) -> Self {
        let mut preds: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        let mut succs: SecondaryMap<Block, SmallVec<[Block; 2]>> = SecondaryMap::new();
        for block in body.blocks() {
            let targets: SmallVec<[Block; 2]> = body.successors(block).into();
            for &target in &targets {
                preds[target].push(block);
            }
            succs[block] = targets;
        }
        let mut reachable = EntitySet::new();
        let mut postorder = Vec::with_capacity(body.block_count());
        if let Some(entry) = body.entry() {
            let mut stack = vec![(entry, 0)];
            reachable.insert(entry);
            while let Some((block, next)) = stack.last_mut() {
                if let Some(&target) = succs[*block].get(*next) {
                    *next += 1;
                    if reachable.insert(target) {
                        stack.push((target, 0));
                    }
                } else {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        Self { preds, succs, rpo: postorder, reachable }
    }
    /// Predecessors of `block`, one entry per edge, in block order.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block]
    }
    /// Successors of `block`, one entry per edge, in the terminator's order.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block]
    }
    /// Reachable blocks in reverse post-order.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }
    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.reachable.contains(block)
    }
}
