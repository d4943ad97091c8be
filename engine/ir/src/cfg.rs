//! Successors, predecessors and reverse post-order of a body's blocks, without any reasoning about feasibility.
//!
//! A [`Cfg`] is a snapshot that is valid for the CFG epoch at which it was taken ([`crate::body::Body::cfg_epoch`]).
//! The next snapshot can be computed incrementally from the changes ([`region`]).

pub mod region;

use crate::body::Body;
use crate::entity::{Block, EntitySet, SecondaryMap};

/// The control-flow graph of a body.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: Neighbours,
    succs: Neighbours,
    rpo: Vec<Block>,
    reachable: EntitySet<Block>,
    /// For each reachable block its reverse post-order index, and the end of the range of blocks first discovered from
    /// it. A depth-first search finishes those blocks consecutively, so they form a contiguous range.
    places: SecondaryMap<Block, (u32, u32)>,
}

/// For each block a slice of one shared list, to avoid an allocation per block.
#[derive(Clone, Debug)]
struct Neighbours {
    /// The start and end of each block's slice.
    parts: SecondaryMap<Block, (u32, u32)>,
    list: Vec<Block>,
}

impl Neighbours {
    fn of(&self, block: Block) -> &[Block] {
        let (from, to) = self.parts[block];
        &self.list[from as usize..to as usize]
    }
    /// The successors of each block, given by `targets`.
    fn successors<'a>(body: &Body, targets: impl Fn(Block) -> &'a [Block]) -> Self {
        let mut this = Self { parts: SecondaryMap::new(), list: Vec::with_capacity(2 * body.block_count()) };
        for block in body.blocks() {
            let from = this.list.len() as u32;
            this.list.extend_from_slice(targets(block));
            this.parts[block] = (from, this.list.len() as u32);
        }
        this
    }
    /// The predecessors of each block for the edges in `succs`, in block order.
    fn predecessors(body: &Body, succs: &Self) -> Self {
        let mut this = Self { parts: SecondaryMap::new(), list: succs.list.clone() };
        let mut missing: SecondaryMap<Block, u32> = SecondaryMap::new();
        for &target in &succs.list {
            missing[target] += 1;
        }
        let mut next = 0;
        for block in body.blocks() {
            for &target in succs.of(block) {
                let count = std::mem::take(&mut missing[target]);
                if count > 0 {
                    this.parts[target] = (next, next);
                    next += count;
                }
                let (_, end) = &mut this.parts[target];
                this.list[*end as usize] = block;
                *end += 1;
            }
        }
        this
    }
}

impl Cfg {
    /// The CFG of `body`. Linear in blocks and edges; no recursion.
    pub fn new(body: &Body) -> Self {
        Self::of_edges(body, Neighbours::successors(body, |b| body.successors(b)))
    }
    fn of_edges(body: &Body, succs: Neighbours) -> Self {
        let preds = Neighbours::predecessors(body, &succs);
        let mut this =
            Self { preds, succs, rpo: Vec::new(), reachable: EntitySet::new(), places: SecondaryMap::new() };
        let mut postorder = Vec::with_capacity(body.block_count());
        if let Some(entry) = body.entry() {
            let mut stack = vec![(entry, 0, 0)];
            this.reachable.insert(entry);
            while let Some((block, next, before)) = stack.last_mut() {
                if let Some(&target) = this.succs.of(*block).get(*next) {
                    *next += 1;
                    if this.reachable.insert(target) {
                        stack.push((target, 0, postorder.len() as u32));
                    }
                } else {
                    this.places[*block] = (postorder.len() as u32, *before);
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        let count = postorder.len() as u32;
        postorder.reverse();
        for &block in &postorder {
            let (finished, before) = this.places[block];
            this.places[block] = (count - 1 - finished, count - before);
        }
        this.rpo = postorder;
        this
    }
    /// Predecessors of `block`, one entry per edge, in block order.
    pub fn preds(&self, block: Block) -> &[Block] {
        self.preds.of(block)
    }
    /// Successors of `block`, one entry per edge, in the terminator's order.
    pub fn succs(&self, block: Block) -> &[Block] {
        self.succs.of(block)
    }
    /// Reachable blocks in reverse post-order.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }
    /// The reverse post-order index of `block`; 0 for unreachable blocks.
    pub fn position(&self, block: Block) -> u32 {
        self.places[block].0
    }
    /// The blocks that a depth-first search first discovers from `block`, including `block` itself, in reverse
    /// post-order.
    pub fn found_from(&self, block: Block) -> &[Block] {
        let (from, to) = self.places[block];
        &self.rpo[from as usize..to as usize]
    }
    /// Whether `block` is reachable from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.reachable.contains(block)
    }
}
