//! The conditions that hold at a place of the body: those of the edges and assumptions that dominate it.

use super::{Comparison, ScalarEvolution};
use crate::expr::Expr;
use backedge_analysis::LoopId;
use backedge_analysis::conditions::{Claim, FactPlace, edge_dominates};
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::range::ConstantRange;
use backedge_ir::entity::Block;
use backedge_ir::inst::{Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Limit on the number of entering edges or backedges that are checked one by one: each is a query of its own. With
/// more, only conditions of the header count for entries, and nothing for backedges.
const MOST_EDGES: usize = 8;

/// A place in the body.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Spot {
    /// The start of a block.
    Start(Block),
    /// An edge.
    Edge {
        /// The source block.
        from: Block,
        /// The target block.
        to: Block,
    },
}

/// A condition on expressions.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Known {
    /// A comparison holds.
    Compare(Comparison),
    /// An expression lies in a range.
    Within(Expr, ConstantRange),
    /// Bits of an expression are known.
    Bits(Expr, KnownBits),
}

/// For each queried block, the closest block up the dominator tree (or the block itself) at whose start facts hold that
/// do not hold at the start of its immediate dominator.
pub(super) type Nearest = FxHashMap<Block, Option<Block>>;

/// Indices of facts, the closest first.
type Numbers = SmallVec<[u32; 32]>;

impl ScalarEvolution<'_> {
    /// Adds the facts that start to hold inside `block`.
    fn inside(&self, block: Block, found: &mut Numbers) {
        let of_block = self.conditions.of_block(block).iter().rev().copied();
        found.extend(of_block.filter(|i| matches!(self.conditions.fact(*i).place, FactPlace::After(_))));
    }
    /// Adds the facts of an edge.
    fn on_edge(&self, from: Block, to: Block, found: &mut Numbers) {
        let of_block = self.conditions.of_block(from).iter().rev().copied();
        found.extend(of_block.filter(|i| self.conditions.fact(*i).place == FactPlace::Edge { from, to }));
    }
    /// Adds the facts that hold at the start of `block` but not at the start of its immediate dominator.
    fn entering(&self, block: Block, found: &mut Numbers) {
        let Some(above) = self.dominators.idom(block) else { return };
        if self.conditions.of_block(above).is_empty() {
            return;
        }
        if edge_dominates(&self.cfg, &self.dominators, above, block, block) {
            self.on_edge(above, block, found);
        }
        self.inside(above, found);
    }
    /// The closest block up the dominator tree, including `block`, at whose start new facts hold.
    fn nearest(&mut self, block: Block) -> Option<Block> {
        let mut passed: SmallVec<[Block; 16]> = SmallVec::new();
        let mut at = Some(block);
        let nearest = loop {
            let Some(block) = at else { break None };
            if let Some(known) = self.guards.nearest.get(&block) {
                break *known;
            }
            passed.push(block);
            let mut found = Numbers::new();
            self.entering(block, &mut found);
            if !found.is_empty() {
                break Some(block);
            }
            at = self.dominators.idom(block);
        };
        self.guards.nearest.extend(passed.into_iter().map(|b| (b, nearest)));
        nearest
    }
    /// The facts that hold at `spot`, the closest first, up to the search limit. Excludes facts about a value of a loop
    /// that has ended before `spot`, if the value has no expression yet or the loop's values are not used outside. No
    /// queried expression contains such a value, so these facts are irrelevant, and visiting them would take time
    /// proportional to all earlier loops.
    pub(super) fn facts_holding(&mut self, spot: Spot) -> Numbers {
        let most = self.limits.search as usize;
        let mut found = Numbers::new();
        let start = match spot {
            Spot::Start(block) => block,
            Spot::Edge { from, to } => {
                if self.cfg.succs(from).iter().filter(|s| **s == to).count() == 1 {
                    self.on_edge(from, to, &mut found);
                }
                self.inside(from, &mut found);
                from
            }
        };
        let mut at = self.nearest(start);
        while let Some(block) = at
            && found.len() < most
        {
            self.entering(block, &mut found);
            at = self.dominators.idom(block).and_then(|above| self.nearest(above));
        }
        let conditions = self.conditions.clone();
        found.retain(|fact| {
            !conditions.fact(*fact).claim.values().any(|value| self.is_of_exited_loop(value, start))
        });
        found
    }
    /// Whether `value` is computed in a loop that does not contain `block`, and either has no expression yet or that
    /// loop's values are not used outside of the loop.
    fn is_of_exited_loop(&mut self, value: Value, block: Block) -> bool {
        let defined = value.as_inst().and_then(|i| self.at.body.block_of(i));
        let inner = defined.and_then(|b| self.loops.innermost(b));
        inner.is_some_and(|l| {
            !self.loops.contains(l, block) && (self.exprs(value).is_empty() || !self.has_outside_uses(l))
        })
    }
    /// Whether a value that `l` computes is used outside of `l`.
    fn has_outside_uses(&mut self, l: LoopId) -> bool {
        if let Some(known) = self.guards.has_outside_uses.get(&l) {
            return *known;
        }
        let body = self.at.body;
        let is_outside = |u: Use| body.block_of(u.user).is_none_or(|b| !self.loops.contains(l, b));
        let mut insts = self.loops.blocks_unordered(l).iter().flat_map(|b| body.insts(*b));
        let known = insts.any(|i| body.code_uses((*i).into()).any(is_outside));
        self.guards.has_outside_uses.insert(l, known);
        known
    }
    /// Whether a fact starts to hold inside `l`.
    pub(super) fn begins_inside(&self, fact: u32, l: LoopId) -> bool {
        let block = match self.conditions.fact(fact).place {
            FactPlace::Edge { from, .. } => Some(from),
            FactPlace::After(inst) => self.at.body.block_of(inst),
        };
        block.is_some_and(|b| self.loops.contains(l, b))
    }
    /// The condition on expressions that a fact implies.
    pub(super) fn known_of(&mut self, fact: u32) -> Option<Known> {
        match self.conditions.fact(fact).claim {
            Claim::Compare { pred, left, right } => {
                // Addresses are compared in all their bits.
                if let Some(space) = self.at.body.ty(left).ptr_space()
                    && self.at.env.layout.index_bits(space) != self.at.env.layout.pointer(space).bits
                {
                    return None;
                }
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                Some(Known::Compare(Comparison { pred, left, right }))
            }
            Claim::Is { value, truth } => {
                let expr = self.expr(value)?;
                let right = self.constant(Int::bool(truth));
                Some(Known::Compare(Comparison { pred: IntPredicate::Eq, left: expr, right }))
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
    /// The entering edges of `l`; if there are too many, only the start of its header.
    pub(super) fn entries(&self, l: LoopId) -> SmallVec<[Spot; 2]> {
        let to = self.loops.header(l);
        let entering = self.loops.entering_blocks(&self.cfg, l);
        if entering.len() > MOST_EDGES {
            return SmallVec::from_slice(&[Spot::Start(to)]);
        }
        let reachable = entering.into_iter().filter(|b| self.cfg.is_reachable(*b));
        reachable.map(|from| Spot::Edge { from, to }).collect()
    }
    /// The backedges of `l`; none if there are too many.
    pub(super) fn backedges(&self, l: LoopId) -> SmallVec<[Spot; 2]> {
        let to = self.loops.header(l);
        let latches = self.loops.latches(&self.cfg, l);
        if latches.len() > MOST_EDGES {
            return SmallVec::new();
        }
        latches.into_iter().map(|from| Spot::Edge { from, to }).collect()
    }
}
