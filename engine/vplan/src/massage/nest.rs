//! Loop information that stays current while blocks and edges change: the loop of each block, latches, exiting edges.
//! Requires that no loop appears or disappears and that headers stay the same.

use crate::plan::{BlockId, Graph, VPlan};
use backedge_analysis::LoopId;
use backedge_ir::entity::{EntityId, SecondaryMap};

pub(super) struct Nest {
    graph: Graph,
    innermost: SecondaryMap<BlockId, Option<LoopId>>,
    latches: Vec<Option<BlockId>>,
    /// The blocks added to each loop, without those added to its inner loops.
    added: Vec<Vec<BlockId>>,
}

/// An edge that leaves a loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Exiting {
    pub(super) from: BlockId,
    pub(super) to: BlockId,
}

impl Nest {
    pub(super) fn new(plan: &VPlan) -> Self {
        let graph = Graph::new(plan);
        let mut innermost = SecondaryMap::new();
        for &block in graph.rpo() {
            innermost[block] = graph.innermost(block);
        }
        let latches = graph.loops().map(|l| graph.latch(l)).collect();
        let added = vec![Vec::new(); graph.loops().len()];
        Self { graph, innermost, latches, added }
    }
    /// The loops, inner loops first.
    pub(super) fn inner_first(&self) -> impl Iterator<Item = LoopId> + use<> {
        self.graph.loops().rev()
    }
    pub(super) fn header(&self, l: LoopId) -> BlockId {
        self.graph.header(l)
    }
    pub(super) fn preheader(&self, l: LoopId) -> Option<BlockId> {
        self.graph.preheader(l)
    }
    pub(super) fn parent(&self, l: LoopId) -> Option<LoopId> {
        self.graph.forest().parent(l)
    }
    /// The source of the only backedge.
    pub(super) fn latch(&self, l: LoopId) -> Option<BlockId> {
        self.latches[l.index()]
    }
    pub(super) fn set_latch(&mut self, l: LoopId, latch: BlockId) {
        self.latches[l.index()] = Some(latch);
    }
    /// Records that the new block `block` is in `l`, or in no loop.
    pub(super) fn put(&mut self, block: BlockId, l: Option<LoopId>) {
        self.innermost[block] = l;
        if let Some(l) = l {
            self.added[l.index()].push(block);
        }
    }
    pub(super) fn is_in(&self, l: LoopId, block: BlockId) -> bool {
        self.innermost[block].is_some_and(|inner| self.graph.forest().contains_loop(l, inner))
    }
    /// The innermost loop that `block` is in.
    pub(super) fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }
    /// The number of loops that contain `block`.
    pub(super) fn depth(&self, block: BlockId) -> u32 {
        self.innermost[block].map_or(0, |l| self.graph.forest().depth(l))
    }
    /// The blocks of `l`: the original ones in reverse post-order, then the added ones.
    pub(super) fn blocks(&self, l: LoopId) -> impl Iterator<Item = BlockId> + '_ {
        let inner = self.graph.forest().nest(l);
        self.graph.blocks_of(l).chain(inner.flat_map(|i| self.added[i.index()].iter().copied()))
    }
    /// The edges that leave `l`.
    pub(super) fn exiting(&self, plan: &VPlan, l: LoopId) -> Vec<Exiting> {
        let edges = self
            .blocks(l)
            .flat_map(|from| plan.block(from).succs.iter().map(move |to| Exiting { from, to: *to }));
        edges.filter(|edge| !self.is_in(l, edge.to)).collect()
    }
}
