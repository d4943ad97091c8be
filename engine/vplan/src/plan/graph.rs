//! The graph of a plan for graph analyses. Dominators, post-dominators and loops come from the analysis crate, which
//! runs on a synthetic body with one block per block of the plan, with the same number, that contains only terminators.
//!
//! The graph is a snapshot: it becomes stale when an edge of the plan changes.

use super::{BlockId, VPlan};
use backedge_analysis::{Cfg, Dominators, LoopForest, LoopId, PostDominators};
use backedge_ir::body::Body;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, EntityId};
use backedge_ir::inst::{InstData, InstKind};
use backedge_ir::types::Type;

/// Graph, dominators and loops of a plan.
#[derive(Debug)]
pub struct Graph {
    cfg: Cfg,
    dominators: Dominators,
    loops: LoopForest,
    rpo: Vec<BlockId>,
}

fn to_ir(block: BlockId) -> Block {
    Block::from_index(block.index())
}

fn from_ir(block: Block) -> BlockId {
    BlockId::from_index(block.index())
}

/// The CFG of `blocks` blocks with the given successors; block 0 is the entry.
fn cfg_of(blocks: usize, succs: impl Fn(usize) -> Vec<Block>) -> Cfg {
    let mut body = Body::default();
    let mut editor = Editor::new(&mut body);
    for _ in 0..blocks {
        editor.add_block(None);
    }
    for block in 0..blocks {
        let targets = succs(block);
        // The CFG reads only the targets of a terminator.
        let kind = match targets.len() {
            0 => InstKind::Unreachable,
            1 => InstKind::Br,
            _ => InstKind::Switch,
        };
        editor.insert(Position::End(Block::from_index(block)), InstData::new(kind, Type::VOID, [], targets));
    }
    Cfg::new(&body)
}

impl Graph {
    /// Builds the graph of the current state of `plan`.
    pub fn new(plan: &VPlan) -> Self {
        let succs =
            |block: usize| plan.blocks[BlockId::from_index(block)].succs.iter().map(|b| to_ir(*b)).collect();
        let cfg = cfg_of(plan.blocks.len(), succs);
        // The dominator analysis reads only the entry block of the body.
        let mut first = Body::default();
        Editor::new(&mut first).add_block(None);
        let dominators = Dominators::new(&first, &cfg);
        let loops = LoopForest::new(&cfg, &dominators);
        let rpo = cfg.rpo().iter().map(|b| from_ir(*b)).collect();
        Self { cfg, dominators, loops, rpo }
    }
    /// The reachable blocks, in reverse post-order.
    pub fn rpo(&self) -> &[BlockId] {
        &self.rpo
    }
    /// Whether `block` is reachable from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.cfg.is_reachable(to_ir(block))
    }
    /// The index of `block` in reverse post-order.
    pub fn position(&self, block: BlockId) -> u32 {
        self.cfg.position(to_ir(block))
    }
    /// Whether `a` dominates `b`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.dominators.dominates(to_ir(a), to_ir(b))
    }
    /// The immediate dominator.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.idom(to_ir(block)).map(from_ir)
    }
    /// The blocks whose immediate dominator is `block`, in reverse post-order.
    pub fn dominated(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.dominators.children(to_ir(block)).iter().map(|b| from_ir(*b))
    }
    /// The dominator-tree preorder numbers of `block` and of the last block that it dominates.
    pub fn interval(&self, block: BlockId) -> Option<(u32, u32)> {
        self.dominators.interval(to_ir(block))
    }
    /// The depth of `block` in the dominator tree.
    pub fn level(&self, block: BlockId) -> u32 {
        self.dominators.level(to_ir(block))
    }
    /// The predecessors of `block` without the sources of backedges.
    pub fn forward_preds<'a>(
        &'a self,
        plan: &'a VPlan,
        block: BlockId,
    ) -> impl Iterator<Item = BlockId> + 'a {
        let own = self.loops.with_header(to_ir(block));
        let preds = plan.blocks[block].preds.iter().copied();
        preds.filter(move |pred| own.is_none_or(|l| !self.is_in(l, *pred)))
    }
    /// All loops, outer loops first.
    pub fn loops(&self) -> impl DoubleEndedIterator<Item = LoopId> + ExactSizeIterator + use<> {
        self.loops.ids()
    }
    /// The loop forest.
    pub fn forest(&self) -> &LoopForest {
        &self.loops
    }
    /// The innermost loop that contains `block`.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.loops.innermost(to_ir(block))
    }
    /// Whether `block` is in `l`.
    pub fn is_in(&self, l: LoopId, block: BlockId) -> bool {
        self.loops.contains(l, to_ir(block))
    }
    /// Whether `block` is in the innermost loop that contains `other`.
    pub fn is_in_loop_of(&self, other: BlockId, block: BlockId) -> bool {
        self.innermost(other).is_some_and(|l| self.is_in(l, block))
    }
    /// The blocks of `l`, in reverse post-order.
    pub fn blocks_of(&self, l: LoopId) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.loops.blocks(l).iter().map(|b| from_ir(*b))
    }
    /// The header of `l`.
    pub fn header(&self, l: LoopId) -> BlockId {
        from_ir(self.loops.header(l))
    }
    /// The preheader of `l`: the only predecessor of the header outside the loop, if the header is its only successor.
    pub fn preheader(&self, l: LoopId) -> Option<BlockId> {
        self.loops.preheader(&self.cfg, l).map(from_ir)
    }
    /// The source of the only backedge of `l`.
    pub fn latch(&self, l: LoopId) -> Option<BlockId> {
        self.loops.single_latch(&self.cfg, l).map(from_ir)
    }
    /// The exiting edges of `l`, as (from, to), in order of [`Self::blocks_of`] and of successors.
    pub fn exiting_edges(&self, l: LoopId) -> Vec<(BlockId, BlockId)> {
        let edges = self.loops.exiting_edges(&self.cfg, l);
        edges.into_iter().map(|e| (from_ir(e.from), from_ir(e.to))).collect()
    }
    /// The target of all exiting edges of `l`, if they have a single one.
    pub fn single_exit(&self, l: LoopId) -> Option<BlockId> {
        self.loops.unique_exit(&self.cfg, l).map(from_ir)
    }
    /// Post-dominators of the forward graph, in which each path passes through a loop once.
    ///
    /// Each backedge is redirected to the common post-dominator of the targets of its loop's exiting edges, or to a
    /// sink if there is none. So a block post-dominates another exactly if all forward paths from the other pass
    /// through it, and no path between the two takes the backedge of a loop that contains both.
    pub fn post_dominators_forward(&self, plan: &VPlan) -> ForwardPostDominators {
        let cyclic = PostDominators::new(&self.cfg);
        let count = plan.blocks.len();
        let sink = Block::from_index(count);
        // The common post-dominator of each loop's exit blocks, by loop number.
        let meet: Vec<Block> = self
            .loops()
            .map(|l| {
                let mut targets = self.exiting_edges(l).into_iter().map(|(_, to)| Some(to_ir(to)));
                let first = targets.next().flatten();
                targets.fold(first, |a, b| cyclic.common(a?, b?)).unwrap_or(sink)
            })
            .collect();
        let succs = |block: usize| {
            let Some(from) = (block < count).then(|| BlockId::from_index(block)) else { return Vec::new() };
            let mut targets: Vec<Block> = Vec::new();
            for &to in &plan.blocks[from].succs {
                let round = self.loops.with_header(to_ir(to)).filter(|l| self.is_in(*l, from));
                let target = round.map_or(to_ir(to), |l| meet[l.index()]);
                if !targets.contains(&target) {
                    targets.push(target);
                }
            }
            targets
        };
        ForwardPostDominators { tree: PostDominators::new(&cfg_of(count + 1, succs)), sink }
    }
}

/// See [`Graph::post_dominators_forward`].
#[derive(Debug)]
pub struct ForwardPostDominators {
    tree: PostDominators,
    /// The block after those of the plan; target of the backedges of loops whose exits have no common post-dominator.
    sink: Block,
}

impl ForwardPostDominators {
    /// The immediate post-dominator.
    pub fn ipdom(&self, block: BlockId) -> Option<BlockId> {
        self.tree.ipdom(to_ir(block)).filter(|b| *b != self.sink).map(from_ir)
    }
}
