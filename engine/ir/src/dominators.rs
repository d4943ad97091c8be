//! Dominators: `a` dominates `b` if every path from the entry to `b` passes through `a`. The SSA property, that a
//! definition dominates its uses, is defined in terms of it.
//!
//! Algorithm: [`crate::idom`], then preorder intervals of the tree for constant-time queries. As in LLVM, every block
//! dominates an unreachable block, and an unreachable block dominates no reachable one.

mod update;

use crate::body::Body;
use crate::cfg::Cfg;
use crate::entity::{Block, Inst, SecondaryMap};
use crate::idom::{FlowGraph, immediate_dominators, preorder_intervals};
use crate::inst::{InstKind, Use, Value};

/// The dominator tree of a body.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: SecondaryMap<Block, Option<Block>>,
    /// The range of each block's children in [`Self::child_list`].
    children: SecondaryMap<Block, (u32, u32)>,
    child_list: Vec<Block>,
    interval: SecondaryMap<Block, Option<(u32, u32)>>,
    /// The depth in the tree: 1 for the entry, 0 for unreachable blocks.
    level: SecondaryMap<Block, u32>,
    /// For each block with exactly one incoming edge from a block that it does not dominate: the source of that edge.
    sole_entering_pred: SecondaryMap<Block, Option<Block>>,
    root: Option<Block>,
}

impl Dominators {
    /// The dominator tree of `body` with the CFG `cfg`.
    pub fn new(body: &Body, cfg: &Cfg) -> Self {
        let rpo = cfg.rpo();
        let idom = if rpo.is_empty() { Vec::new() } else { immediate_dominators(&Reachable { cfg }, 0) };
        let mut tree = Self {
            idom: SecondaryMap::new(),
            children: SecondaryMap::new(),
            child_list: Vec::new(),
            interval: SecondaryMap::new(),
            level: SecondaryMap::new(),
            sole_entering_pred: SecondaryMap::new(),
            root: body.entry(),
        };
        for (i, &block) in rpo.iter().enumerate() {
            let parent = idom[i].map(|p| rpo[p as usize]);
            tree.idom[block] = parent;
            tree.level[block] = parent.map_or(0, |p| tree.level[p]) + 1;
        }
        tree.list_children(rpo);
        tree.interval = preorder_intervals(tree.root, |b| tree.children(b));
        for &block in rpo.iter().skip(1) {
            tree.sole_entering_pred[block] = tree.find_sole_entering_pred(cfg, block);
        }
        tree
    }

    /// The source of the only edge to `block` that is not a backedge to it.
    fn find_sole_entering_pred(&self, cfg: &Cfg, block: Block) -> Option<Block> {
        let mut entering = cfg.preds(block).iter().filter(|pred| !self.dominates(block, **pred));
        match (entering.next(), entering.next()) {
            (Some(&pred), None) => Some(pred),
            (Some(_), Some(_)) | (None, _) => None,
        }
    }

    /// Fills the lists of children.
    fn list_children(&mut self, rpo: &[Block]) {
        for &block in rpo {
            self.children[block] = (0, 0);
        }
        for &block in rpo {
            if let Some(parent) = self.idom[block] {
                self.children[parent].1 += 1;
            }
        }
        let mut next = 0;
        for &block in rpo {
            let count = self.children[block].1;
            if count > 0 {
                self.children[block] = (next, next);
                next += count;
            }
        }
        let Some(&entry) = rpo.first() else { return };
        self.child_list = vec![entry; next as usize];
        for &block in rpo {
            if let Some(parent) = self.idom[block] {
                let (_, end) = &mut self.children[parent];
                self.child_list[*end as usize] = block;
                *end += 1;
            }
        }
    }

    /// The immediate dominator; `None` for the entry and for unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block]
    }
    /// The blocks whose immediate dominator is `block`, in reverse post-order.
    pub fn children(&self, block: Block) -> &[Block] {
        let (from, to) = self.children[block];
        &self.child_list[from as usize..to as usize]
    }
    /// The depth of `block` in the tree: 1 for the entry, 0 for unreachable blocks.
    pub fn level(&self, block: Block) -> u32 {
        self.level[block]
    }
    /// Whether `block` is reachable from the entry.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.interval[block].is_some()
    }
    /// The preorder number of `block` in the tree, and the largest preorder number in its subtree; `None` for
    /// unreachable blocks.
    pub fn interval(&self, block: Block) -> Option<(u32, u32)> {
        self.interval[block]
    }
    /// The source of the only edge to `block` that is not a backedge to it, if there is exactly one.
    pub fn sole_entering_pred(&self, block: Block) -> Option<Block> {
        self.sole_entering_pred[block]
    }
    /// Whether `a` dominates `b`; every block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        match (self.interval[a], self.interval[b]) {
            _ if a == b => true,
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((from, to)), Some((at, _))) => from <= at && at <= to,
        }
    }
    /// Whether `a` strictly dominates `b`.
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }
    /// The nearest common dominator; `None` if one of the blocks is unreachable.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        if !self.is_reachable(a) || !self.is_reachable(b) {
            return None;
        }
        let mut at = a;
        while !self.dominates(at, b) {
            at = self.idom[at]?;
        }
        Some(at)
    }
    /// Whether the definition of `value` dominates the operand `use_`. The use by a phi is at the end of the incoming
    /// block. The result of an invoke is available only on its normal edge and in blocks that this edge dominates.
    pub fn dominates_use(&self, body: &Body, value: Value, use_: Use) -> bool {
        let Value::Inst(def) = value else { return true };
        let (Some(def_block), Some(user_block)) = (body.block_of(def), body.block_of(use_.user)) else {
            return false;
        };
        let user = body.inst(use_.user);
        if user.kind.is_phi() {
            let from = user.blocks[use_.index as usize];
            return !self.is_reachable(from) || self.available_at_end(body, def, from, user_block);
        }
        if !self.is_reachable(user_block) {
            return true;
        }
        if def_block == user_block && !body.inst(def).kind.is_terminator() {
            return def != use_.user && body.comes_before(def, use_.user);
        }
        self.available_in(body, def, def_block, user_block)
    }

    /// Whether `def` is available on the edge from `from` to `to`.
    fn available_at_end(&self, body: &Body, def: Inst, from: Block, to: Block) -> bool {
        let Some(def_block) = body.block_of(def) else { return false };
        let data = body.inst(def);
        if matches!(data.kind, InstKind::CallBr(_)) && def_block == from {
            return true;
        }
        if matches!(data.kind, InstKind::Invoke(_)) {
            let normal_edge = def_block == from && data.blocks.first() == Some(&to);
            return normal_edge || self.available_in(body, def, def_block, from);
        }
        self.dominates(def_block, from)
    }

    fn available_in(&self, body: &Body, def: Inst, def_block: Block, block: Block) -> bool {
        let data = body.inst(def);
        if matches!(data.kind, InstKind::Invoke(_)) {
            // The result of an invoke is available on its normal edge. That edge dominates its target if all other
            // edges to the target come from blocks that the target dominates or from unreachable blocks.
            let Some(&normal) = data.blocks.first() else { return false };
            return self.sole_entering_pred[normal] == Some(def_block) && self.dominates(normal, block);
        }
        self.strictly_dominates(def_block, block)
    }
}

/// The reachable blocks, numbered in reverse post-order.
struct Reachable<'a> {
    cfg: &'a Cfg,
}

impl FlowGraph for Reachable<'_> {
    fn len(&self) -> usize {
        self.cfg.rpo().len()
    }
    fn succ(&self, node: u32, index: usize) -> Option<u32> {
        self.cfg.succs(self.cfg.rpo()[node as usize]).get(index).map(|b| self.cfg.position(*b))
    }
    fn preds(&self, node: u32) -> impl Iterator<Item = u32> {
        let preds = self.cfg.preds(self.cfg.rpo()[node as usize]).iter();
        preds.filter(|b| self.cfg.is_reachable(**b)).map(|b| self.cfg.position(*b))
    }
}
