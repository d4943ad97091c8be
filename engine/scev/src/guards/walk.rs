//! Which conditions hold at a place of the body: those of the edges and assumptions that dominate it.

use super::ScalarEvolution;
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_analysis::conditions::{Claim, Conditions, Place, edge_dominates};
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::range::ConstantRange;
use backedge_ir::cfg::Cfg;
use backedge_ir::dominators::Dominators;
use backedge_ir::entity::{Block, SecondaryMap};
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Edges into or around a loop beyond which they are not asked one by one.
const MOST_EDGES: usize = 8;

/// A place in the body.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Spot {
    /// The beginning of a block.
    Start(Block),
    /// On the way over an edge.
    Edge {
        /// The block that control comes from.
        from: Block,
        /// The block that it goes to.
        to: Block,
    },
}

/// A condition, of expressions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Known {
    /// `left pred right`.
    Compare(IntPredicate, Expr, Expr),
    /// An expression lies in a range.
    Within(Expr, ConstantRange),
    /// Bits of an expression are known.
    Bits(Expr, KnownBits),
}

/// Where each condition begins to hold.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// For each block the facts that hold at its beginning and not at that of its immediate dominator.
    entering: SecondaryMap<Block, Vec<u32>>,
    /// For each block the closest one up the dominator tree, itself included, that facts begin to hold at.
    nearest: SecondaryMap<Block, Option<Block>>,
    /// The facts of an edge.
    edges: FxHashMap<(Block, Block), Vec<u32>>,
    /// The facts that begin to hold in a block.
    inside: FxHashMap<Block, Vec<u32>>,
}

impl Index {
    fn new(
        conditions: &Conditions,
        cfg: &Cfg,
        dominators: &Dominators,
        block_of: impl Fn(Place) -> Option<Block>,
    ) -> Self {
        let mut this = Self::default();
        for (i, fact) in (0u32..).zip(conditions.facts()) {
            match fact.place {
                Place::Edge { from, to } => this.edges.entry((from, to)).or_default().push(i),
                Place::Behind(_) => {
                    if let Some(block) = block_of(fact.place) {
                        this.inside.entry(block).or_default().push(i);
                    }
                }
            }
        }
        for &block in cfg.rpo() {
            let Some(above) = dominators.idom(block) else { continue };
            let mut facts = this.inside.get(&above).cloned().unwrap_or_default();
            if let Some(of_edge) = this.edges.get(&(above, block))
                && edge_dominates(cfg, dominators, above, block, block)
            {
                facts.extend(of_edge);
            }
            this.nearest[block] = if facts.is_empty() { this.nearest[above] } else { Some(block) };
            this.entering[block] = facts;
        }
        this
    }
}

impl ScalarEvolution<'_> {
    fn guard_index(&mut self) -> Arc<Index> {
        if let Some(index) = &self.guards.index {
            return Arc::clone(index);
        }
        let body = self.at.body;
        let block_of = |place| match place {
            Place::Behind(inst) => body.block_of(inst),
            Place::Edge { .. } => None,
        };
        let index = Arc::new(Index::new(&self.conditions, &self.cfg, &self.dominators, block_of));
        Arc::clone(self.guards.index.insert(index))
    }
    /// The facts that hold at `spot`, the closest first, as far as the search goes; but for those that speak of a value
    /// which a loop computed that has ended by then, and of which nobody has asked yet what it is. No expression that is
    /// asked about has such a value in it, so they say nothing of it; and to find out what they are would take the time of
    /// all loops before this one.
    pub(super) fn facts_holding(&mut self, spot: Spot) -> SmallVec<[u32; 32]> {
        let index = self.guard_index();
        let most = self.limits.search as usize;
        let mut found = SmallVec::new();
        let start = match spot {
            Spot::Start(block) => block,
            Spot::Edge { from, to } => {
                if self.cfg.succs(from).iter().filter(|s| **s == to).count() == 1 {
                    found.extend(index.edges.get(&(from, to)).into_iter().flatten().rev().copied());
                }
                found.extend(index.inside.get(&from).into_iter().flatten().rev().copied());
                from
            }
        };
        let mut at = index.nearest[start];
        while let Some(block) = at
            && found.len() < most
        {
            found.extend(index.entering[block].iter().rev().copied());
            at = self.dominators.idom(block).and_then(|above| index.nearest[above]);
        }
        found.retain(|fact| !self.is_of_ended_loop(*fact, start));
        found
    }
    /// Whether a fact speaks of a value that has no expression yet, of a loop that `block` is not in.
    fn is_of_ended_loop(&self, fact: u32, block: Block) -> bool {
        let ended = |value: Value| {
            let defined = value.as_inst().and_then(|i| self.at.body.block_of(i));
            let inner = defined.and_then(|b| self.loops.innermost(b));
            inner.is_some_and(|l| !self.loops.contains(l, block)) && self.exprs(value).is_empty()
        };
        self.conditions.facts().get(fact as usize).is_some_and(|f| f.claim.values().any(ended))
    }
    /// Whether a fact begins to hold in `l`.
    pub(super) fn begins_inside(&self, fact: u32, l: LoopId) -> bool {
        let block = match self.conditions.facts()[fact as usize].place {
            Place::Edge { from, .. } => Some(from),
            Place::Behind(inst) => self.at.body.block_of(inst),
        };
        block.is_some_and(|b| self.loops.contains(l, b))
    }
    /// What a fact says of expressions.
    pub(super) fn known_of(&mut self, fact: u32) -> Option<Known> {
        let claim = self.conditions.facts().get(fact as usize)?.claim;
        match claim {
            Claim::Compare { pred, left, right } => {
                // Addresses are compared in all their bits.
                if let Some(space) = self.at.body.ty(left).ptr_space()
                    && self.at.env.layout.index_bits(space) != self.at.env.layout.pointer(space).bits
                {
                    return None;
                }
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Some(Known::Compare(pred, left, right))
            }
            Claim::Is { value, truth } => {
                let expr = self.expr(value)?;
                let truth = self.constant(Int::bool(truth));
                Some(Known::Compare(IntPredicate::Eq, expr, truth))
            }
            Claim::Within { value, range } => {
                let expr = self.expr(value)?;
                (self.width(expr) == range.width()).then_some(Known::Within(expr, range))
            }
            Claim::Bits { value, known } => {
                let expr = self.expr(value)?;
                (self.width(expr) == known.width()).then_some(Known::Bits(expr, known))
            }
        }
    }
    /// The edges into `l`; none if there are too many to look at each.
    pub(super) fn entries(&self, l: LoopId) -> SmallVec<[Spot; 2]> {
        let to = self.loops.header(l);
        let entering = self.loops.entering_blocks(&self.cfg, l);
        if entering.len() > MOST_EDGES {
            return SmallVec::from_slice(&[Spot::Start(to)]);
        }
        let reachable = entering.into_iter().filter(|b| self.cfg.is_reachable(*b));
        reachable.map(|from| Spot::Edge { from, to }).collect()
    }
    /// The edges around `l`; none if there are too many to look at each.
    pub(super) fn backedges(&self, l: LoopId) -> SmallVec<[Spot; 2]> {
        let to = self.loops.header(l);
        let latches = self.loops.latches(&self.cfg, l);
        if latches.len() > MOST_EDGES {
            return SmallVec::new();
        }
        latches.into_iter().map(|from| Spot::Edge { from, to }).collect()
    }
}
