//! Forms of a loop: entering edges, backedges and exiting edges, and the canonical forms that LLVM defines with them.
//!
//! The terms are LLVM's loop terminology. Edges count individually: a branch whose two successors are one block has two
//! edges to it. Unreachable blocks are in no loop, but as in LLVM an edge from an unreachable block to a header or exit
//! block counts as an edge from outside.

use super::{LoopForest, LoopId};
use crate::Cfg;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::Value;

/// One edge of the graph.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The source block.
    pub from: Block,
    /// Its index among the successors of the source.
    pub index: usize,
    /// The target block.
    pub to: Block,
}

fn edges_out(cfg: &Cfg, from: Block) -> impl Iterator<Item = Edge> + '_ {
    cfg.succs(from).iter().enumerate().map(move |(index, &to)| Edge { from, index, to })
}

/// Removes duplicates, keeping the first occurrence of each block.
fn distinct(blocks: impl Iterator<Item = Block>) -> Vec<Block> {
    let mut seen = EntitySet::new();
    blocks.filter(|b| seen.insert(*b)).collect()
}

/// The only item; `None` if there are none or several.
fn single<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let item = items.next()?;
    items.next().is_none().then_some(item)
}

/// Entering edges and backedges.
impl LoopForest {
    /// The blocks outside `l` with edges to its header, each once, in the order of the graph's predecessors.
    pub fn entering_blocks(&self, cfg: &Cfg, l: LoopId) -> Vec<Block> {
        let preds = cfg.preds(self.header(l)).iter().copied();
        distinct(preds.filter(|b| !self.contains(l, *b)))
    }
    /// The preheader: the source of the only entering edge, if it has no other successor edge.
    pub fn preheader(&self, cfg: &Cfg, l: LoopId) -> Option<Block> {
        let preds = cfg.preds(self.header(l)).iter().copied();
        single(preds.filter(|b| !self.contains(l, *b))).filter(|b| cfg.succs(*b).len() == 1)
    }
    /// The blocks of `l` with edges to its header, each once, in the order of the graph's predecessors.
    pub fn latches(&self, cfg: &Cfg, l: LoopId) -> Vec<Block> {
        let preds = cfg.preds(self.header(l)).iter().copied();
        distinct(preds.filter(|b| self.contains(l, *b)))
    }
    /// Whether `block` is a latch of `l`.
    pub fn is_latch(&self, cfg: &Cfg, l: LoopId, block: Block) -> bool {
        self.contains(l, block) && cfg.succs(block).contains(&self.header(l))
    }
    /// The source of the only backedge; `None` if there are several, even from one block.
    pub fn single_latch(&self, cfg: &Cfg, l: LoopId) -> Option<Block> {
        let preds = cfg.preds(self.header(l)).iter().copied();
        single(preds.filter(|b| self.contains(l, *b)))
    }
    /// The edges from latches to the header.
    pub fn backedges(&self, cfg: &Cfg, l: LoopId) -> Vec<Edge> {
        let latches = self.latches(cfg, l);
        let header = self.header(l);
        latches.into_iter().flat_map(|b| edges_out(cfg, b)).filter(|e| e.to == header).collect()
    }
}

/// Exiting edges.
impl LoopForest {
    /// The edges from blocks of `l` to blocks outside, in order of [`LoopForest::blocks`] and of successors.
    pub fn exiting_edges(&self, cfg: &Cfg, l: LoopId) -> Vec<Edge> {
        let edges = self.blocks(l).iter().flat_map(|b| edges_out(cfg, *b));
        edges.filter(|e| !self.contains(l, e.to)).collect()
    }
    /// Whether `block` is in `l` and has an edge that leaves `l`.
    pub fn is_exiting(&self, cfg: &Cfg, l: LoopId, block: Block) -> bool {
        self.contains(l, block) && cfg.succs(block).iter().any(|to| !self.contains(l, *to))
    }
    /// The blocks with exiting edges, in order of [`LoopForest::blocks`].
    pub fn exiting_blocks(&self, cfg: &Cfg, l: LoopId) -> Vec<Block> {
        self.blocks(l).iter().copied().filter(|b| self.is_exiting(cfg, l, *b)).collect()
    }
    /// The targets of the exiting edges, one entry per edge.
    pub fn exit_blocks(&self, cfg: &Cfg, l: LoopId) -> Vec<Block> {
        self.exiting_edges(cfg, l).into_iter().map(|e| e.to).collect()
    }
    /// The targets of the exiting edges, each once, in order of the first edge to each.
    pub fn distinct_exit_blocks(&self, cfg: &Cfg, l: LoopId) -> Vec<Block> {
        distinct(self.exiting_edges(cfg, l).into_iter().map(|e| e.to))
    }
    /// The only exit block; `None` if there is no exiting edge or several exit blocks.
    pub fn unique_exit(&self, cfg: &Cfg, l: LoopId) -> Option<Block> {
        single(self.distinct_exit_blocks(cfg, l).into_iter())
    }
    /// Whether the loop has no exiting edge. (Control may still leave it in other ways, such as a call that does not
    /// return.)
    pub fn is_statically_infinite(&self, cfg: &Cfg, l: LoopId) -> bool {
        !self.blocks_unordered(l).iter().any(|b| self.is_exiting(cfg, l, *b))
    }
}

/// Canonical forms and invariance.
impl LoopForest {
    /// Whether no exit block has a predecessor outside `l`.
    pub fn has_dedicated_exits(&self, cfg: &Cfg, l: LoopId) -> bool {
        let exits = self.distinct_exit_blocks(cfg, l);
        exits.into_iter().all(|exit| cfg.preds(exit).iter().all(|p| self.contains(l, *p)))
    }
    /// Whether `l` has a preheader, a single backedge and dedicated exits.
    pub fn has_loop_simplify_form(&self, cfg: &Cfg, l: LoopId) -> bool {
        self.preheader(cfg, l).is_some()
            && self.single_latch(cfg, l).is_some()
            && self.has_dedicated_exits(cfg, l)
    }
    /// Whether `l` has a single backedge, and its latch is an exiting block: a do-while loop.
    pub fn is_rotated(&self, cfg: &Cfg, l: LoopId) -> bool {
        self.single_latch(cfg, l).is_some_and(|latch| self.is_exiting(cfg, l, latch))
    }
    /// Whether `inst` is in a block of `l`.
    pub fn contains_inst(&self, body: &Body, l: LoopId, inst: Inst) -> bool {
        body.block_of(inst).is_some_and(|block| self.contains(l, block))
    }
    /// Whether `value` is trivially the same in all iterations of one execution of `l`: it is defined outside.
    pub fn is_invariant(&self, body: &Body, l: LoopId, value: Value) -> bool {
        value.as_inst().is_none_or(|inst| !self.contains_inst(body, l, inst))
    }
    /// Whether all operands of `inst` are invariant in `l`.
    pub fn has_invariant_operands(&self, body: &Body, l: LoopId, inst: Inst) -> bool {
        body.inst(inst).operands.iter().all(|v| self.is_invariant(body, l, *v))
    }
}
