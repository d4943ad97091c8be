//! Post-dominators: `a` post-dominates `b` if every path from `b` to the exit passes `a`.
//!
//! The exit is virtual and follows every reachable block without successors (`ret`, `unreachable`, `resume`). A region
//! that control cannot leave has no path to these blocks, so each such region (a strongly connected component without
//! outgoing edges) gets one virtual edge to the exit. The edge starts at the last block, in reverse post-order, among
//! the predecessors of the region's first block; in an infinite loop that is the last latch. Without that edge all
//! blocks that lead only into the region would post-dominate each other, which gives no order. With it, the blocks of
//! an infinite loop have the position that they would have if the loop had an exit at its latch.
//! [`PostDominators::exits`] lists the blocks with virtual edges.
//!
//! Unreachable blocks are left out: no post-dominance is claimed for them.
//!
//! Algorithm: [`backedge_ir::idom`] on the reversed graph. Near linear, without recursion.

use crate::Cfg;
use crate::scc::{Numbering, components};
use backedge_ir::entity::{Block, EntitySet, SecondaryMap};
use backedge_ir::idom::{FlowGraph, immediate_dominators, preorder_intervals};

/// The post-dominator tree of a body; its root is the virtual exit, written `None`.
#[derive(Clone, Debug)]
pub struct PostDominators {
    ipdom: SecondaryMap<Block, Option<Block>>,
    children: SecondaryMap<Block, Vec<Block>>,
    roots: Vec<Block>,
    exits: EntitySet<Block>,
    interval: SecondaryMap<Block, Option<(u32, u32)>>,
    /// The depth below the virtual exit; 0 for unreachable blocks.
    level: SecondaryMap<Block, u32>,
}

impl PostDominators {
    /// The post-dominator tree of the graph `cfg`.
    pub fn new(cfg: &Cfg) -> Self {
        let rpo = cfg.rpo();
        let mut number = SecondaryMap::with_default(u32::MAX);
        for (i, &block) in rpo.iter().enumerate() {
            number[block] = i as u32;
        }
        let exits = virtual_exits(cfg, &number);
        let ends: Vec<u32> = exits.iter().map(|b| number[b]).collect();
        let graph = Reversed { cfg, number: &number, exits: &exits, ends };
        let idom = immediate_dominators(&graph, rpo.len() as u32);
        let mut tree = Self {
            ipdom: SecondaryMap::new(),
            children: SecondaryMap::new(),
            roots: Vec::new(),
            exits,
            interval: SecondaryMap::new(),
            level: SecondaryMap::new(),
        };
        for (i, &block) in rpo.iter().enumerate() {
            // Every reachable block reaches a virtual exit, so `idom[i]` exists.
            match idom[i].and_then(|p| rpo.get(p as usize).copied()) {
                Some(parent) => {
                    tree.ipdom[block] = Some(parent);
                    tree.children[parent].push(block);
                }
                None => tree.roots.push(block),
            }
        }
        tree.interval = preorder_intervals(tree.roots.iter().copied(), |b| &tree.children[b]);
        let mut stack: Vec<(Block, u32)> = tree.roots.iter().map(|b| (*b, 1)).collect();
        while let Some((block, level)) = stack.pop() {
            tree.level[block] = level;
            stack.extend(tree.children[block].iter().map(|b| (*b, level + 1)));
        }
        tree
    }

    /// The immediate post-dominator; `None` if that is the virtual exit, or if `block` is unreachable.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.ipdom[block]
    }
    /// The blocks whose immediate post-dominator is `block`, in reverse post-order of the graph.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.children[block]
    }
    /// The depth of `block` below the virtual exit; 0 for unreachable blocks.
    pub fn level(&self, block: Block) -> u32 {
        self.level[block]
    }
    /// The blocks whose immediate post-dominator is the virtual exit, in reverse post-order of the graph.
    pub fn roots(&self) -> &[Block] {
        &self.roots
    }
    /// The blocks with an edge to the virtual exit.
    pub fn exits(&self) -> &EntitySet<Block> {
        &self.exits
    }
    /// Whether `block` is reachable from the entry, and so part of the tree.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.interval[block].is_some()
    }
    /// Whether `a` post-dominates `b`; every block post-dominates itself. For `a != b`, false if either is unreachable.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        match (self.interval[a], self.interval[b]) {
            _ if a == b => true,
            (Some((from, to)), Some((at, _))) => from <= at && at <= to,
            (None, _) | (_, None) => false,
        }
    }
    /// Whether `a` post-dominates `b` and is not `b`.
    pub fn strictly_post_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.post_dominates(a, b)
    }
    /// The nearest block that post-dominates both; `None` if only the virtual exit does, or if one of them is
    /// unreachable.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        if !self.is_reachable(a) || !self.is_reachable(b) {
            return None;
        }
        let mut at = a;
        while !self.post_dominates(at, b) {
            at = self.ipdom[at]?;
        }
        Some(at)
    }
    /// Whether both trees are equal.
    pub fn same_as(&self, other: &Self, cfg: &Cfg) -> bool {
        self.roots == other.roots
            && self.exits == other.exits
            && cfg.rpo().iter().all(|b| {
                self.ipdom[*b] == other.ipdom[*b]
                    && self.children[*b] == other.children[*b]
                    && self.interval[*b] == other.interval[*b]
            })
    }
}

/// The blocks with virtual edges to the exit.
fn virtual_exits(cfg: &Cfg, number: &SecondaryMap<Block, u32>) -> EntitySet<Block> {
    let mut exits = EntitySet::new();
    let parts = components(cfg.rpo(), |b| cfg.succs(b), &mut Numbering::new());
    let mut part_of: SecondaryMap<Block, u32> = SecondaryMap::with_default(u32::MAX);
    for (i, part) in parts.iter().enumerate() {
        for &block in part {
            part_of[block] = i as u32;
        }
    }
    for (i, part) in parts.iter().enumerate() {
        let stays = |b: &Block| cfg.succs(*b).iter().all(|s| part_of[*s] == i as u32);
        if !part.iter().all(stays) {
            continue;
        }
        let Some(&first) = part.iter().min_by_key(|b| number[**b]) else { continue };
        let back = cfg.preds(first).iter().filter(|p| part_of[**p] == i as u32);
        exits.insert(back.max_by_key(|b| number[**b]).copied().unwrap_or(first));
    }
    exits
}

/// The reversed graph: the reachable blocks by number, and the virtual exit as the next number after the last block.
struct Reversed<'a> {
    cfg: &'a Cfg,
    number: &'a SecondaryMap<Block, u32>,
    exits: &'a EntitySet<Block>,
    ends: Vec<u32>,
}

impl Reversed<'_> {
    fn block(&self, node: u32) -> Option<Block> {
        self.cfg.rpo().get(node as usize).copied()
    }
}

impl FlowGraph for Reversed<'_> {
    fn len(&self) -> usize {
        self.cfg.rpo().len() + 1
    }
    fn succ(&self, node: u32, index: usize) -> Option<u32> {
        match self.block(node) {
            None => self.ends.get(index).copied(),
            // An unreachable predecessor has no number; a self-loop of the node replaces it.
            Some(block) => self.cfg.preds(block).get(index).map(|p| match self.number[*p] {
                u32::MAX => node,
                n => n,
            }),
        }
    }
    fn preds(&self, node: u32) -> impl Iterator<Item = u32> {
        let block = self.block(node);
        let real = block.map_or(&[][..], |b| self.cfg.succs(b));
        let exit = block.filter(|b| self.exits.contains(*b)).map(|_| self.cfg.rpo().len() as u32);
        real.iter().map(|s| self.number[*s]).chain(exit)
    }
}
