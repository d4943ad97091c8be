//! Whether a loop is copied to be unswitched, and on which condition.
//!
//! The cost of a candidate is the code that there will be twice: the loop without what only one of the copies keeps,
//! which are the blocks that are reached only over one of the decision's edges. The cheapest candidate is taken, if its
//! cost is below a threshold.
//!
//! Each unswitching leaves a loop and a copy of it, which have the other conditions still, so `n` conditions may make
//! `2^n` loops. Against that the cost is scaled, as LLVM's pass does it: by how many loops there are already beside
//! this one, by the size of the loop around it, and by two for each condition beyond the first few.

use super::candidates::{Candidate, Decides};
use super::check::Facts;
use super::condition::Invariant;
use super::{Missed, SimpleLoopUnswitch};
use crate::pass::Shape;
use crate::size::is_free;
use backedge_ir::body::Body;
use backedge_ir::constant::ConstData;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;
use rustc_hash::FxHashMap;

/// How many conditions a loop may have before more of them make unswitching dearer (LLVM's
/// `-unswitch-num-initial-unscaled-candidates`).
const UNSCALED_CANDIDATES: usize = 8;
/// Loops at top level may have that many times as many siblings as others (LLVM's `-unswitch-siblings-toplevel-div`).
const TOP_LEVEL_SIBLINGS: usize = 2;
/// A parent loop makes unswitching dearer by its blocks divided by this (LLVM's `-unswitch-parent-blocks-div`).
const PARENT_BLOCKS: usize = 8;

/// A choice.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) candidate: Candidate,
    /// How much code there will be twice, scaled.
    pub(super) cost: usize,
}

/// The cheapest of `candidates`, if it is cheap enough.
pub(super) fn decide(
    (env, body): (&Env, &Body),
    shape: &Shape,
    facts: &Facts,
    candidates: &[Candidate],
    options: SimpleLoopUnswitch,
) -> Result<Choice, Missed> {
    let limit = options.threshold;
    let costs = Costs::new((env, body), shape, facts, candidates);
    let scaled = |c: &Candidate| costs.of(c).saturating_mul(costs.scale(c, limit));
    let cheapest = candidates.iter().map(|c| (scaled(c), c)).min_by_key(|(cost, _)| *cost);
    match cheapest {
        None => Err(Missed::NoInvariantCondition),
        Some((cost, _)) if cost >= limit => Err(Missed::TooExpensive { cost, limit }),
        Some((cost, candidate)) => Ok(Choice { candidate: candidate.clone(), cost }),
    }
}

/// What all candidates of a loop share, so that there may be many of them.
struct Costs<'a> {
    env: &'a Env,
    body: &'a Body,
    shape: &'a Shape,
    facts: &'a Facts,
    latches: Vec<Block>,
    /// The cost of the blocks of the loop that a block dominates.
    trees: FxHashMap<Block, usize>,
    /// How many times the loop may be doubled by all candidates.
    clones: usize,
}

impl<'a> Costs<'a> {
    fn new(
        (env, body): (&'a Env, &'a Body),
        shape: &'a Shape,
        facts: &'a Facts,
        candidates: &[Candidate],
    ) -> Self {
        let latches = shape.loops.latches(&shape.cfg, facts.l);
        let mut costs = Self { env, body, shape, facts, latches, trees: FxHashMap::default(), clones: 0 };
        costs.trees = costs.of_trees();
        costs.clones = candidates.iter().map(|c| costs.clones_by(c)).sum();
        costs
    }
    /// How much code there will be twice (with more than two copies: more often).
    fn of(&self, candidate: &Candidate) -> usize {
        let all = self.of_tree(self.facts.header);
        let alone: usize = self.kept_by_one(candidate).into_iter().map(|b| self.of_tree(b)).sum();
        all.saturating_sub(alone).saturating_mul(candidate.sides() - 1)
    }
    /// The targets of the decision that are the heads of parts which only one of the copies keeps.
    fn kept_by_one(&self, candidate: &Candidate) -> Vec<Block> {
        let successors = self.body.inst(candidate.site).successors();
        let alone: Vec<Block> = match &candidate.decides {
            Decides::Select(_) => Vec::new(),
            // Control does not go on in one of them.
            Decides::Guard(_) => return self.shape.dominators.children(candidate.block).to_vec(),
            Decides::Branch(Invariant::Whole(_)) => successors.to_vec(),
            // Where the parts do not decide, the copy may go both ways.
            Decides::Branch(Invariant::Parts { decides, .. }) => vec![successors[usize::from(*decides)]],
            Decides::Switch { targets, .. } => targets.clone(),
            Decides::OneWay(way) if way.forever => successors.to_vec(),
            // The way that the copy does not go.
            Decides::OneWay(way) => vec![successors[usize::from(way.value)]],
        };
        alone.into_iter().filter(|b| self.is_reached_only_from(*b, candidate.block)).collect()
    }
    /// Whether `target`, in the loop, is entered over edges from `from` only, or from where it dominates.
    fn is_reached_only_from(&self, target: Block, from: Block) -> bool {
        let Shape { cfg, dominators, loops } = self.shape;
        let mut preds = cfg.preds(target).iter();
        loops.contains(self.facts.l, target)
            && target != self.facts.header
            && preds.all(|p| *p == from || dominators.dominates(target, *p))
    }
    /// The cost of the blocks of the loop that `root` dominates.
    fn of_tree(&self, root: Block) -> usize {
        self.trees.get(&root).copied().unwrap_or(0)
    }
    /// The same of all blocks of the loop, from those on that dominate none: what dominates a block of the loop, but for
    /// what dominates the header, is in the loop.
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
        self.body.insts(block).iter().map(|i| self.of_inst(*i)).sum()
    }
    /// The code that `inst` becomes, roughly: calls pass their arguments, constant offsets go into addresses.
    fn of_inst(&self, inst: Inst) -> usize {
        if is_free(self.env, self.body, inst) {
            return 0;
        }
        let data = self.body.inst(inst);
        match &data.kind {
            InstKind::Call(info) | InstKind::Invoke(info) | InstKind::CallBr(info) => 1 + info.arg_count(),
            InstKind::Gep { .. } => {
                let constant = |v: &_| match self.body.as_int(*v) {
                    Some(_) => true,
                    None => backedge_ir::inst::Value::as_const(*v)
                        .is_some_and(|c| matches!(self.body.constant(c).data, ConstData::Zero)),
                };
                usize::from(!data.operands[1..].iter().all(constant))
            }
            InstKind::Switch => data.blocks.len(),
            InstKind::Br | InstKind::Freeze => 0,
            _ => 1,
        }
    }

    /// By what the cost of `candidate` is multiplied.
    fn scale(&self, candidate: &Candidate, most: usize) -> usize {
        // One of the copies is left at once there: it is no loop.
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
    /// On how many ways from `candidate` the loop may go on.
    fn stays(&self, candidate: &Candidate) -> usize {
        let each_round = self.dominates_latches(candidate.block);
        if matches!(candidate.decides, Decides::Guard(_)) {
            return if each_round { 1 } else { 2 };
        }
        let mut seen = EntitySet::new();
        let targets = self.body.inst(candidate.site).successors().iter();
        let inside = |b: &Block| !each_round || self.shape.loops.contains(self.facts.l, *b);
        targets.filter(|b| seen.insert(**b) && inside(b)).count()
    }
    fn dominates_latches(&self, block: Block) -> bool {
        self.latches.iter().all(|latch| self.shape.dominators.dominates(block, *latch))
    }
}
