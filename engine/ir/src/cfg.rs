//! Successors, predecessors and reverse post-order of a body's blocks: what the text itself says of control flow.
//!
//! A snapshot: it stands for the CFG epoch at which it was made ([`crate::body::Body::cfg_epoch`]).

use crate::body::Body;
use crate::entity::{Block, EntitySet, SecondaryMap};

/// The control-flow graph of a body.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: Neighbours,
    succs: Neighbours,
    rpo: Vec<Block>,
    reachable: EntitySet<Block>,
}

/// For each block a part of one list: no block costs an allocation.
#[derive(Clone, Debug)]
struct Neighbours {
    /// Where the part of each block begins and ends.
    parts: SecondaryMap<Block, (u32, u32)>,
    list: Vec<Block>,
}

impl Neighbours {
    fn of(&self, block: Block) -> &[Block] {
        let (from, to) = self.parts[block];
        &self.list[from as usize..to as usize]
    }
    /// The targets of the blocks' terminators, which `targets` knows.
    fn successors<'a>(body: &Body, targets: impl Fn(Block) -> &'a [Block]) -> Self {
        let mut this = Self { parts: SecondaryMap::new(), list: Vec::with_capacity(2 * body.block_count()) };
        for block in body.blocks() {
            let from = this.list.len() as u32;
            this.list.extend_from_slice(targets(block));
            this.parts[block] = (from, this.list.len() as u32);
        }
        this
    }
    /// The other ends of the edges of `succs`, in the order of the blocks.
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
    /// The graph of `body`. Linear in blocks and edges, without recursion.
    pub fn new(body: &Body) -> Self {
        Self::of_edges(body, Neighbours::successors(body, |b| body.successors(b)))
    }
    /// The same where `self` is the graph of `body` as it was when that had the body epoch `epoch`: only blocks that changed
    /// since are asked for their terminators.
    #[must_use]
    pub fn updated(&self, body: &Body, epoch: u64) -> Self {
        let changed: EntitySet<Block> = body.changed_since(epoch).collect();
        let targets = |b| if changed.contains(b) { body.successors(b) } else { self.succs(b) };
        Self::of_edges(body, Neighbours::successors(body, targets))
    }
    fn of_edges(body: &Body, succs: Neighbours) -> Self {
        let preds = Neighbours::predecessors(body, &succs);
        let mut reachable = EntitySet::new();
        let mut postorder = Vec::with_capacity(body.block_count());
        if let Some(entry) = body.entry() {
            let mut stack = vec![(entry, 0)];
            reachable.insert(entry);
            while let Some((block, next)) = stack.last_mut() {
                if let Some(&target) = succs.of(*block).get(*next) {
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
    /// Whether `block` can be reached from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.reachable.contains(block)
    }
}
