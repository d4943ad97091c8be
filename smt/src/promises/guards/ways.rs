//! Determines which decisions make control reach a block.
//!
//! A block executes if its immediate dominator executes and the decision there leads to the block. A block after a loop
//! requires that the loop was entered, that the loop has exited, and, if the loop has several exits, all decisions in
//! it.

use super::memory;
use super::values::{Sense, hashed};
use super::{Conditions, Guard, Guards, Loops};
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::module::Env;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// Maximum number of blocks in a loop, or between a branch and the block where its paths join: bounds the time for one
/// branch, about which nothing is known beyond it.
const MANY_BETWEEN: usize = 256;
/// Maximum number of consecutive blocks that only lead to another block: a cycle of them must not be followed forever.
const MANY_EMPTY: usize = 8;

/// The conditions of a block in addition to those of its parent in the chain.
pub(super) struct Own {
    conditions: Conditions,
    /// A hash of these conditions and of those of all parents.
    chain: u64,
}

/// The parent of a block: the block whose conditions also hold in it.
#[derive(Copy, Clone)]
enum Above {
    /// The immediate dominator.
    Dominator(Block),
    /// The header of the loop that was exited.
    Left(Block),
    /// The immediate dominator, in an irreducible cycle that was exited.
    Irreducible(Block),
}

impl Above {
    fn block(self) -> Block {
        match self {
            Self::Dominator(block) | Self::Left(block) | Self::Irreducible(block) => block,
        }
    }
}

impl Guards<'_> {
    /// A hash of the conditions of `inst`: instructions of two functions with the same hash execute in the same runs.
    pub(in crate::promises) fn chain(&mut self, inst: Inst) -> Option<u64> {
        let block = self.body.block_of(inst).filter(|b| self.dominators.is_reachable(*b))?;
        let returned = self.returned(block, Some(inst));
        Some(extended(self.chain_of(block), &returned))
    }
    /// A hash of the branches that decide whether `inst` executes.
    pub(in crate::promises) fn branches(&mut self, inst: Inst) -> u64 {
        let mut conditions = self.conditions(inst);
        conditions.retain(|guard| !matches!(guard, Guard::Returned(_)));
        hashed(conditions)
    }
    /// The conditions under which `inst` executes.
    pub(super) fn conditions(&mut self, inst: Inst) -> Conditions {
        let Some(block) = self.body.block_of(inst).filter(|b| self.dominators.is_reachable(*b)) else {
            return Vec::new();
        };
        let mut found = self.returned(block, Some(inst));
        found.extend(self.conditions_of(block));
        found
    }
    /// The conditions at the start of `block`.
    fn conditions_of(&mut self, block: Block) -> Conditions {
        self.prepare(block);
        let mut found = Vec::new();
        let mut at = Some(block);
        while let Some(block) = at {
            found.extend(self.of_blocks[&block].conditions.iter().copied());
            at = self.above(block).map(Above::block);
        }
        found
    }
    /// The conditions under which `inst` executes in the first iteration of its innermost loop. `None` if they are
    /// unknown, or if the first iteration may access other memory than later iterations.
    pub(super) fn conditions_at_first(&mut self, inst: Inst) -> Option<Conditions> {
        let block = self.body.block_of(inst).filter(|block| self.dominators.is_reachable(*block))?;
        let header = *self.schedule.around(block).last()?;
        let sense = Sense::First(header);
        let data = self.body.inst(inst);
        let operands = match data.kind {
            InstKind::Store(_) => data.operands[1..].to_vec(),
            _ => data.operands.to_vec(),
        };
        for operand in operands {
            let user = Some(block);
            if self.value_in(operand, user, sense) != self.value_in(operand, user, Sense::Plain) {
                return None;
            }
        }
        let mut found = self.returned_in(block, Some(inst), sense);
        let mut at = block;
        while at != header {
            let Above::Dominator(above) = self.above(at)? else { return None };
            let succs: Vec<Block> = self.cfg.succs(above).to_vec();
            if !succs.iter().all(|succ| self.leads_to(*succ, at)) {
                let ways = self.ways(above, at);
                let only = self.cfg.preds(at).iter().all(|pred| *pred == above);
                let condition = self.body.terminator(above).filter(|_| only && ways.len() == 1)?;
                let data = self.body.inst(condition);
                if !matches!(data.kind, InstKind::CondBr) {
                    return None;
                }
                found.push(Guard::Way(self.value_in(data.operands[0], Some(above), sense), ways == [0]));
            }
            found.extend(self.returned_in(above, None, sense));
            at = above;
        }
        found.extend(self.conditions_of(header));
        Some(found)
    }
    /// A hash of the conditions on the edge from `pred` to `block`, as for an empty block on that edge.
    pub(super) fn edge(&mut self, pred: Block, block: Block) -> u64 {
        if !self.dominators.is_reachable(pred) {
            return 0;
        }
        let ways = self.ways(pred, block);
        match self.left_loop(pred, block) {
            Some(header) if self.dominators.dominates(header, pred) => {
                let conditions = self.exit(header, block, Some(pred));
                extended(self.chain_of(header), &conditions)
            }
            Some(_) => hashed((self.of, pred, block)),
            None => {
                let mut conditions = self.returned(pred, None);
                if ways.len() < self.cfg.succs(pred).len() {
                    conditions.push(self.decision(pred, &ways));
                }
                // A backedge differs from an entry edge.
                let is_back = self.dominators.dominates(block, pred);
                hashed((extended(self.chain_of(pred), &conditions), is_back))
            }
        }
    }
    fn chain_of(&mut self, block: Block) -> u64 {
        self.prepare(block);
        self.of_blocks[&block].chain
    }
    /// The successor indices of `from` that lead to `to`.
    fn ways(&self, from: Block, to: Block) -> Vec<usize> {
        self.cfg.succs(from).iter().enumerate().filter(|(_, succ)| **succ == to).map(|(at, _)| at).collect()
    }
    /// The header of the outermost loop that contains `from` but not `to`.
    fn left_loop(&self, from: Block, to: Block) -> Option<Block> {
        self.schedule.around(from).iter().copied().find(|header| !self.schedule.is_inside(to, *header))
    }
    fn above(&self, block: Block) -> Option<Above> {
        let above = self.dominators.idom(block)?;
        Some(match self.left_loop(above, block) {
            None => Above::Dominator(above),
            Some(header) if self.dominators.dominates(header, block) => Above::Left(header),
            Some(_) => Above::Irreducible(above),
        })
    }
    /// Computes the conditions of `block` and its parents.
    fn prepare(&mut self, block: Block) {
        let mut way = Vec::new();
        let mut at = Some(block);
        while let Some(block) = at.filter(|b| !self.of_blocks.contains_key(b)) {
            way.push(block);
            at = self.above(block).map(Above::block);
        }
        for block in way.into_iter().rev() {
            let above = self.above(block);
            let conditions = match above {
                None => Vec::new(),
                Some(Above::Left(header)) => self.exit(header, block, None),
                Some(Above::Irreducible(_)) => vec![Guard::Passed(hashed((self.of, block)))],
                Some(Above::Dominator(above)) => {
                    let mut conditions = self.returned(above, None);
                    conditions.extend(self.between(above, block));
                    conditions
                }
            };
            let before = above.map_or(0, |above| self.of_blocks[&above.block()].chain);
            let chain = extended(before, &conditions);
            self.of_blocks.insert(block, Own { conditions, chain });
        }
    }
    /// The condition that the calls of `block` have returned; only those before `end`, if given.
    fn returned(&mut self, block: Block, end: Option<Inst>) -> Conditions {
        self.returned_in(block, end, Sense::Plain)
    }
    fn returned_in(&mut self, block: Block, end: Option<Inst>, sense: Sense) -> Conditions {
        let before = self.body.insts(block).iter().copied().take_while(|inst| Some(*inst) != end);
        let calls: Vec<Inst> = before.filter(|inst| may_stay(self.env, self.body, *inst)).collect();
        calls.into_iter().map(|call| Guard::Returned(self.hash_of(call, sense))).collect()
    }
    /// The condition that the terminator of `block` takes one of these successors.
    fn decision(&mut self, block: Block, ways: &[usize]) -> Guard {
        let Some(end) = self.body.terminator(block) else { return Guard::Passed(hashed((self.of, block))) };
        let data = self.body.inst(end);
        match data.kind {
            InstKind::CondBr => Guard::Way(self.value(data.operands[0], end), ways == [0]),
            _ => Guard::Ways(self.hash_of(end, Sense::Plain), hashed(ways)),
        }
    }
    /// The decision at `above`, the immediate dominator of `block`. No loop is exited in between.
    fn between(&mut self, above: Block, block: Block) -> Option<Guard> {
        let succs: Vec<Block> = self.cfg.succs(above).to_vec();
        if succs.iter().all(|succ| self.leads_to(*succ, block)) {
            return None;
        }
        // Control first arrives this way, and again only from blocks that `block` dominates.
        let mut preds = self.cfg.preds(block).iter();
        let alone = preds.all(|pred| *pred == above || self.dominators.dominates(block, *pred));
        let ways = self.ways(above, block);
        if alone && !ways.is_empty() {
            return Some(self.decision(above, &ways));
        }
        let blocks = self.blocks_between(above, block);
        Some(Guard::Passed(self.joined_ways(above, blocks, (None, block))))
    }
    /// The conditions of the exit from the loop of `header` to `block`, in addition to those of the header; only of the
    /// exit through `pred`, if given.
    fn exit(&mut self, header: Block, block: Block, pred: Option<Block>) -> Conditions {
        let is_inside = |guards: &Self, block: Block| guards.schedule.is_inside(block, header);
        let inside: Vec<Block> = self.cfg.rpo().iter().copied().filter(|b| is_inside(self, *b)).collect();
        let mut exits: Vec<(Block, Block)> = Vec::new();
        for from in &inside {
            let out = self.cfg.succs(*from).iter().filter(|to| !is_inside(self, **to));
            exits.extend(out.map(|to| (*from, *to)));
        }
        let stays = |b: &Block| self.body.insts(*b).iter().any(|i| may_stay(self.env, self.body, *i));
        let is_only = match pred {
            Some(_) => exits.len() == 1,
            None => exits.iter().all(|(_, to)| self.leads_to(*to, block)),
        };
        if is_only && !inside.iter().any(stays) {
            return match self.loops {
                Loops::End => Vec::new(),
                Loops::MayStay => {
                    vec![Guard::Left(hashed((self.chain_of(header), self.loops_around(header))))]
                }
            };
        }
        let mut blocks = match pred {
            Some(_) => Some(FxHashSet::default()),
            None => self.blocks_between(header, block),
        };
        blocks = blocks.filter(|_| inside.len() <= MANY_BETWEEN);
        if let Some(blocks) = &mut blocks {
            blocks.extend(inside);
        }
        vec![Guard::Passed(self.joined_ways(header, blocks, (pred, block)))]
    }
    /// A hash of all decisions in `blocks` from `first` on, and of the edges that lead to the end, only from the given
    /// block if there is one.
    fn joined_ways(
        &mut self,
        first: Block,
        blocks: Option<FxHashSet<Block>>,
        (from, end): (Option<Block>, Block),
    ) -> u64 {
        let Some(blocks) = blocks else { return hashed((self.of, first, from, end)) };
        let mut hasher = FxHasher::default();
        let mut order = vec![first];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            if at != first || blocks.contains(&first) {
                self.returned(at, None).hash(&mut hasher);
            }
            if let Some(inst) = self.body.terminator(at) {
                self.hash_of(inst, Sense::Plain).hash(&mut hasher);
            }
            for succ in self.cfg.succs(at).to_vec() {
                let known = order.iter().position(|other| *other == succ);
                let is_on_way = blocks.contains(&succ);
                if known.is_none() && is_on_way {
                    order.push(succ);
                }
                let number = known.or(is_on_way.then(|| order.len() - 1));
                let is_end = succ == end && from.is_none_or(|from| from == at);
                (number, is_end).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
    /// The blocks on paths from `above` to `block` that do not pass `block`; `None` if there are too many.
    fn blocks_between(&self, above: Block, block: Block) -> Option<FxHashSet<Block>> {
        let mut found: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![block];
        while let Some(at) = work.pop() {
            for &pred in self.cfg.preds(at) {
                let is_new = pred != above && pred != block && !self.dominators.dominates(block, pred);
                if is_new && self.dominators.is_reachable(pred) && found.insert(pred) {
                    work.push(pred);
                }
            }
            if found.len() > MANY_BETWEEN {
                return None;
            }
        }
        Some(found)
    }
    /// Whether control at the start of `from` reaches `to` without a branch and without a call that may not return.
    fn leads_to(&self, mut from: Block, to: Block) -> bool {
        for _ in 0..MANY_EMPTY {
            if from == to {
                return true;
            }
            let is_plain = !self.body.insts(from).iter().any(|i| may_stay(self.env, self.body, *i));
            match self.cfg.succs(from) {
                [next] if is_plain => from = *next,
                _ => return false,
            }
        }
        false
    }
}

/// The hash of a chain extended by conditions.
fn extended(chain: u64, conditions: &[Guard]) -> u64 {
    if conditions.is_empty() { chain } else { hashed((chain, conditions)) }
}

/// Whether control may not pass `inst`: a call that may run forever, end the program or throw; or a volatile write.
fn may_stay(env: &Env, body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let is_volatile = matches!(&data.kind, InstKind::Store(access) if access.volatile);
    is_volatile
        || data.call().is_some_and(|call| {
            let callee = body.called_function(call.callee()).map(|func| &env.funcs[func]);
            let intrinsic = callee.and_then(|func| func.intrinsic);
            let has = |flag| {
                let lists = [Some(&call.info.fn_attrs), callee.map(|func| &func.attrs)];
                let is_stated = lists.into_iter().flatten().any(|list| env.has_attr(list, flag));
                is_stated || intrinsic.is_some_and(|intrinsic| intrinsic.facts().has(flag))
            };
            let is_volatile = intrinsic.is_some() && memory::is_volatile(body, call);
            is_volatile || !(has(FlagAttr::WillReturn) && has(FlagAttr::NoUnwind))
        })
}
