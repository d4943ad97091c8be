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
    let costs = Costs { env, body, shape, facts };
    let scaled = |c: &Candidate| costs.of(c).saturating_mul(costs.scale(c, candidates, limit));
    let cheapest = candidates.iter().map(|c| (scaled(c), c)).min_by_key(|(cost, _)| *cost);
    match cheapest {
        None => Err(Missed::NoInvariantCondition),
        Some((cost, _)) if cost >= limit => Err(Missed::TooExpensive { cost, limit }),
        Some((cost, candidate)) => Ok(Choice { candidate: candidate.clone(), cost }),
    }
}

struct Costs<'a> {
    env: &'a Env,
    body: &'a Body,
    shape: &'a Shape,
    facts: &'a Facts,
}

impl Costs<'_> {
    /// How much code there will be twice (with more than two copies: more often).
    fn of(&self, candidate: &Candidate) -> usize {
        let all: usize = self.facts.blocks.iter().map(|b| self.of_block(*b)).sum();
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
        let mut cost = 0;
        let mut work = vec![root];
        while let Some(block) = work.pop() {
            if self.shape.loops.contains(self.facts.l, block) {
                cost += self.of_block(block);
                work.extend(self.shape.dominators.children(block));
            }
        }
        cost
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
            InstKind::Call(info) | InstKind::Invoke(info) => 1 + info.arg_count(),
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

    /// By what the cost of `candidate`, one of `all`, is multiplied.
    fn scale(&self, candidate: &Candidate, all: &[Candidate], most: usize) -> usize {
        let Shape { loops, .. } = self.shape;
        let on_each_way_round = |b: Block| self.dominates_latches(b);
        let is_guard = |c: &Candidate| matches!(c.decides, Decides::Guard(_));
        let stays = |c: &Candidate| {
            let mut seen = EntitySet::new();
            if is_guard(c) {
                return if on_each_way_round(c.block) { 1 } else { 2 };
            }
            let targets = self.body.inst(c.site).successors().iter();
            let skip = on_each_way_round(c.block);
            targets.filter(|b| seen.insert(**b) && (!skip || loops.contains(self.facts.l, **b))).count()
        };
        // One of the copies is left at once there: it is no loop.
        let is_select = |c: &Candidate| matches!(c.decides, Decides::Select(_));
        if !is_select(candidate) && on_each_way_round(candidate.block) && stays(candidate) <= 1 {
            return 1;
        }
        let clones: usize =
            all.iter().map(|c| if is_select(c) { 1 } else { stays(c).max(1).ilog2() as usize }).sum();
        let power = clones.saturating_sub(UNSCALED_CANDIDATES).min(usize::BITS as usize - 1);
        let parent = loops.parent(self.facts.l);
        let of_parent = parent.map_or(1, |p| (loops.block_count(p) / PARENT_BLOCKS).max(1));
        let siblings = match parent {
            Some(parent) => loops.children(parent).len(),
            None => loops.top_level().len() / TOP_LEVEL_SIBLINGS,
        };
        let scale = siblings.max(1).saturating_mul(1 << power).saturating_mul(of_parent);
        scale.min(most.max(1))
    }
    fn dominates_latches(&self, block: Block) -> bool {
        let Shape { cfg, dominators, loops } = self.shape;
        loops.latches(cfg, self.facts.l).into_iter().all(|latch| dominators.dominates(block, latch))
    }
}
