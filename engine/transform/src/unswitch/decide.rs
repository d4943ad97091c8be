//! Decides whether to unswitch a loop by copying it, and on which condition.
//!
//! The cost of a candidate is the amount of duplicated code: the loop without the blocks that only one copy keeps,
//! namely those reached only through one edge of the decision. The cheapest candidate is chosen if its cost is below
//! a threshold.
//!
//! Each unswitching leaves two loops that still have the other conditions, so `n` conditions may create `2^n` loops.
//! To prevent this the cost is scaled as in LLVM's pass: by the number of sibling loops, by the size of the parent
//! loop, and by two for each condition beyond the first few.

use super::SimpleLoopUnswitch;
use super::candidates::{Candidate, Decides};
use super::check::Facts;
use super::condition::Invariant;
use super::remarks::UnswitchMissed;
use crate::shape::Shape;
use crate::size::is_free;
use backedge_analysis::cache::At;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::InstKind;
use rustc_hash::FxHashMap;

/// Number of conditions in a loop beyond which each one doubles the cost (LLVM's
/// `-unswitch-num-initial-unscaled-candidates`).
const UNSCALED_CANDIDATES: usize = 8;
/// Top-level loops may have this many times as many siblings as others (LLVM's `-unswitch-siblings-toplevel-div`).
const TOP_LEVEL_SIBLINGS: usize = 2;
/// A parent loop scales the cost by its block count divided by this (LLVM's `-unswitch-parent-blocks-div`).
const PARENT_BLOCKS: usize = 8;

/// The chosen candidate.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) candidate: Candidate,
    /// The scaled amount of duplicated code.
    pub(super) cost: usize,
}

/// The cheapest of `candidates`, if it is cheap enough.
pub(super) fn decide(
    at: At<'_>,
    shape: &Shape,
    facts: &Facts,
    candidates: &[Candidate],
    options: SimpleLoopUnswitch,
) -> Result<Choice, UnswitchMissed> {
    let limit = options.threshold;
    let costs = Costs::new(at, shape, facts, candidates);
    let scaled = |c: &Candidate| costs.of(c).saturating_mul(costs.scale(c, limit));
    let cheapest = candidates.iter().map(|c| (scaled(c), c)).min_by_key(|(cost, _)| *cost);
    match cheapest {
        None => Err(UnswitchMissed::NoInvariantCondition),
        Some((cost, _)) if cost >= limit => Err(UnswitchMissed::TooExpensive { cost, limit }),
        Some((cost, candidate)) => Ok(Choice { candidate: candidate.clone(), cost }),
    }
}

/// Data shared by all candidates of a loop, so that many of them stay affordable.
struct Costs<'a> {
    at: At<'a>,
    shape: &'a Shape,
    facts: &'a Facts,
    latches: Vec<Block>,
    /// For each block, the cost of the loop's blocks that it dominates.
    trees: FxHashMap<Block, usize>,
    /// How many times all candidates together may double the loop.
    clones: usize,
}

impl<'a> Costs<'a> {
    fn new(at: At<'a>, shape: &'a Shape, facts: &'a Facts, candidates: &[Candidate]) -> Self {
        let latches = shape.loops.latches(&shape.cfg, facts.l);
        let mut costs = Self { at, shape, facts, latches, trees: FxHashMap::default(), clones: 0 };
        costs.trees = costs.of_trees();
        costs.clones = candidates.iter().map(|c| costs.clones_by(c)).sum();
        costs
    }
    /// The amount of duplicated code (with more than two copies, multiplied accordingly).
    fn of(&self, candidate: &Candidate) -> usize {
        let all = self.of_tree(self.facts.header);
        let alone: usize = self.kept_by_one(candidate).into_iter().map(|b| self.of_tree(b)).sum();
        all.saturating_sub(alone).saturating_mul(candidate.sides() - 1)
    }
    /// The successors of the decision whose dominator subtrees only one of the copies keeps.
    fn kept_by_one(&self, candidate: &Candidate) -> Vec<Block> {
        let successors = self.at.body.inst(candidate.site).successors();
        let alone: Vec<Block> = match &candidate.decides {
            Decides::Select(_) => Vec::new(),
            // Control does not continue in one of the copies.
            Decides::Guard(_) => return self.shape.dominators.children(candidate.block).to_vec(),
            Decides::Branch(Invariant::Whole(_)) => successors.to_vec(),
            // If the parts do not decide, the copy may take both successors.
            Decides::Branch(Invariant::Parts { decides, .. }) => vec![successors[usize::from(*decides)]],
            Decides::Switch { targets, .. } => targets.clone(),
            Decides::OneWay(way) if way.forever => successors.to_vec(),
            // The successor that the copy never takes.
            Decides::OneWay(way) => vec![successors[usize::from(way.value)]],
        };
        alone.into_iter().filter(|b| self.is_reached_only_from(*b, candidate.block)).collect()
    }
    /// Whether all edges into `target`, in the loop, come from `from` or from blocks that `target` dominates.
    fn is_reached_only_from(&self, target: Block, from: Block) -> bool {
        let Shape { cfg, dominators, loops } = self.shape;
        let mut preds = cfg.preds(target).iter();
        loops.contains(self.facts.l, target)
            && target != self.facts.header
            && preds.all(|p| *p == from || dominators.dominates(target, *p))
    }
    /// The cost of the loop's blocks that `root` dominates.
    fn of_tree(&self, root: Block) -> usize {
        self.trees.get(&root).copied().unwrap_or(0)
    }
    /// These costs for all blocks of the loop, bottom up: the dominators of a block of the loop are in the loop,
    /// except for those of the header.
    fn of_trees(&self) -> FxHashMap<Block, usize> {
        let Shape { cfg, dominators, .. } = self.shape;
        let mut trees: FxHashMap<Block, usize> =
            self.facts.blocks.iter().map(|b| (*b, self.of_block(*b))).collect();
        let mut blocks = self.facts.blocks.clone();
        blocks.sort_unstable_by_key(|b| std::cmp::Reverse(cfg.position(*b)));
        for block in blocks.into_iter().filter(|b| *b != self.facts.header) {
            let cost = trees.get(&block).copied().unwrap_or(0);
            if let Some(sum) = dominators.idom(block).and_then(|idom| trees.get_mut(&idom)) {
                *sum += cost;
            }
        }
        trees
    }
    fn of_block(&self, block: Block) -> usize {
        self.at.body.insts(block).iter().map(|i| self.of_inst(*i)).sum()
    }
    /// Approximate code size of `inst`: calls pass their arguments, constant offsets fold into addresses.
    fn of_inst(&self, inst: Inst) -> usize {
        if is_free(self.at.env, self.at.body, inst) {
            return 0;
        }
        let data = self.at.body.inst(inst);
        match &data.kind {
            InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) => 1 + info.arg_count(),
            InstKind::Gep { .. } => {
                let constant = |v: &_| match self.at.body.as_int(*v) {
                    Some(_) => true,
                    None => backedge_ir::inst::Value::as_const(*v)
                        .is_some_and(|c| matches!(self.at.body.constant(c).data, ConstData::Zero)),
                };
                usize::from(!data.operands[1..].iter().all(constant))
            }
            InstKind::Switch => data.blocks.len(),
            InstKind::Br | InstKind::Freeze => 0,
            _ => 1,
        }
    }

    /// The scale factor for the cost of `candidate`.
    fn scale(&self, candidate: &Candidate, most: usize) -> usize {
        // One copy is left at once at that point, so it is no loop.
        let is_select = matches!(candidate.decides, Decides::Select(_));
        if !is_select && self.dominates_latches(candidate.block) && self.stays(candidate) <= 1 {
            return 1;
        }
        let Shape { loops, .. } = self.shape;
        let power = self.clones.saturating_sub(UNSCALED_CANDIDATES).min(usize::BITS as usize - 1);
        let parent = loops.parent(self.facts.l);
        let of_parent = parent.map_or(1, |p| (loops.block_count(p) / PARENT_BLOCKS).max(1));
        let siblings = match parent {
            Some(parent) => loops.children(parent).len(),
            None => loops.top_level().len() / TOP_LEVEL_SIBLINGS,
        };
        let scale = siblings.max(1).saturating_mul(1 << power).saturating_mul(of_parent);
        scale.min(most.max(1))
    }
    /// How many times `candidate` may double the loop.
    fn clones_by(&self, candidate: &Candidate) -> usize {
        match candidate.decides {
            Decides::Select(_) => 1,
            _ => self.stays(candidate).max(1).ilog2() as usize,
        }
    }
    /// The number of successors of `candidate` after which the loop may continue.
    fn stays(&self, candidate: &Candidate) -> usize {
        let each_round = self.dominates_latches(candidate.block);
        if matches!(candidate.decides, Decides::Guard(_)) {
            return if each_round { 1 } else { 2 };
        }
        let mut seen = EntitySet::new();
        let targets = self.at.body.inst(candidate.site).successors().iter();
        let inside = |b: &Block| !each_round || self.shape.loops.contains(self.facts.l, *b);
        targets.filter(|b| seen.insert(**b) && inside(b)).count()
    }
    fn dominates_latches(&self, block: Block) -> bool {
        self.latches.iter().all(|latch| self.shape.dominators.dominates(block, *latch))
    }
}
