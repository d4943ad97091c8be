//! The search for neighbouring loops that one region can contain; see [`super::extent`].

use super::extent::Extent;
use super::needed::is_reorderable;
use super::values::Values;
use crate::barrier::Barrier;
use backedge_analysis::LoopId;
use backedge_analysis::cache::IrreducibleCycles;
use backedge_analysis::effects::called_function;
use backedge_analysis::loops::use_block;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::intrinsic::Intrinsic;
use rustc_hash::FxHashSet;

/// Limit on the blocks between loops: bounds the search for neighbours. Beyond it the loops are not neighbours.
const MOST_BLOCKS_BETWEEN: usize = 32;
/// Limit on the instructions between loops: a region includes them, and they grow its dependence graph. Beyond it the
/// loops are not neighbours.
const MOST_INSTS_BETWEEN: usize = 200;

impl Extent {
    /// The extent of a single loop.
    pub(super) fn of_loop(values: &Values<'_>, l: LoopId) -> Self {
        let blocks = values.loops.blocks(l).to_vec();
        let set = blocks.iter().copied().collect();
        Self { loops: vec![l], head: None, blocks, open: Vec::new(), set }
    }
    /// This extent plus the loop `next`, if they are neighbours and no block belongs to another region that was
    /// taken. The error is the barrier between them, if only that keeps them from being neighbours.
    pub(super) fn with_neighbour(&self, values: &Values<'_>, next: LoopId) -> Result<Self, Option<Barrier>> {
        let first = self.loops[0];
        let around = values.loops.parent(first);
        if values.loops.parent(next) != around {
            return Err(None);
        }
        let mut loops = self.loops.clone();
        loops.push(next);
        let find = |head: Option<Block>| Finder { values, around, first, head }.find(&loops);
        match self.head {
            Some(head) => find(Some(head)),
            None => find(None).or_else(|barrier| match head_of(values, first) {
                Some(head) => find(Some(head)).map_err(|other| barrier.or(other)),
                None => Err(barrier),
            }),
        }
    }
}

/// The block whose branch decides whether control reaches `l`, if the path from it to the loop has no other entry.
fn head_of(values: &Values<'_>, l: LoopId) -> Option<Block> {
    let mut at = values.loops.preheader(&values.cfg, l)?;
    for _ in 0..MOST_BLOCKS_BETWEEN {
        let [pred] = values.cfg.preds(at) else { return None };
        at = *pred;
        if values.cfg.succs(at).len() > 1 {
            return (values.loops.innermost(at) == values.loops.parent(l)).then_some(at);
        }
    }
    None
}

/// Whether the region contains a cycle that is not a loop.
fn has_irreducible_cycle(values: &Values<'_>, extent: &Extent) -> bool {
    let cycles = values.at.get::<IrreducibleCycles>();
    cycles.0.iter().any(|cycle| cycle.blocks.iter().all(|block| extent.contains(*block)))
}

struct Finder<'f, 'a> {
    values: &'f Values<'a>,
    around: Option<LoopId>,
    first: LoopId,
    head: Option<Block>,
}

impl Finder<'_, '_> {
    fn find(&self, loops: &[LoopId]) -> Result<Extent, Option<Barrier>> {
        let values = self.values;
        let mut set = self.ways_to(loops).ok_or(None)?;
        self.follow(&mut set);
        let mut blocks: Vec<Block> = set.iter().copied().collect();
        blocks.sort_by_key(|block| values.cfg.position(*block));
        let mut extent = Extent { loops: loops.to_vec(), head: self.head, blocks, open: Vec::new(), set };
        let is_taken = |block| values.is_taken(block);
        if extent.sources().any(is_taken)
            || has_irreducible_cycle(values, &extent)
            || !self.ends_simply(&extent)
        {
            return Err(None);
        }
        if let Some(barrier) = self.barrier(&extent) {
            return Err(Some(barrier));
        }
        extent.open = self.open(&extent).ok_or(None)?;
        Ok(extent)
    }
    /// The blocks on paths from the start of the region to its last loop, if they contain all of `loops` and no other
    /// loop.
    fn ways_to(&self, loops: &[LoopId]) -> Option<FxHashSet<Block>> {
        let values = self.values;
        let mut set: FxHashSet<Block> = FxHashSet::default();
        let mut work = vec![values.loops.header(*loops.last()?)];
        let mut between = 0;
        while let Some(block) = work.pop() {
            if Some(block) == self.head || set.contains(&block) {
                continue;
            }
            // Every block dominates an unreachable one, so dominance proves nothing about it.
            if !values.cfg.is_reachable(block) {
                return None;
            }
            let is_after = match self.head {
                Some(head) => values.dominators.strictly_dominates(head, block),
                None => values.dominators.dominates(values.loops.header(self.first), block),
            };
            if !is_after {
                return None;
            }
            let innermost = values.loops.innermost(block);
            let l = innermost.filter(|_| innermost != self.around);
            let l = l.and_then(|l| values.loops.ancestors(l).take_while(|a| Some(*a) != self.around).last());
            match l {
                Some(l) if !loops.contains(&l) => return None,
                Some(l) => {
                    set.extend(values.loops.blocks(l));
                    if l != self.first || self.head.is_some() {
                        let preds = values.cfg.preds(values.loops.header(l));
                        work.extend(preds.iter().filter(|pred| !values.loops.contains(l, **pred)));
                    }
                }
                None => {
                    between += 1;
                    if between > MOST_BLOCKS_BETWEEN {
                        return None;
                    }
                    set.insert(block);
                    work.extend(values.cfg.preds(block));
                }
            }
        }
        loops.iter().all(|l| set.contains(&values.loops.header(*l))).then_some(set)
    }
    /// The exit blocks, in reverse post-order.
    fn exits(&self, set: &FxHashSet<Block>) -> Vec<Block> {
        let mut exits = Vec::new();
        for block in self.head.iter().chain(set) {
            for to in self.values.cfg.succs(*block) {
                if !set.contains(to) && !exits.contains(to) {
                    exits.push(*to);
                }
            }
        }
        exits.sort_by_key(|block| self.values.cfg.position(*block));
        exits
    }
    /// Adds the blocks that only branch to another exit block.
    fn follow(&self, set: &mut FxHashSet<Block>) {
        for _ in 0..MOST_BLOCKS_BETWEEN {
            let exits = self.exits(set);
            let is_inside = |block: &Block| set.contains(block) || Some(*block) == self.head;
            let only_goes_on = |block: &&Block| {
                let succs = self.values.cfg.succs(**block);
                matches!(succs, [to] if exits.contains(to) && to != *block)
                    && self.values.loops.innermost(**block) == self.around
                    && self.values.cfg.preds(**block).iter().all(is_inside)
            };
            let Some(block) = exits.iter().find(only_goes_on) else { break };
            set.insert(*block);
        }
    }
    /// The blocks that are in none of the loops.
    fn between<'e>(&'e self, extent: &'e Extent) -> impl Iterator<Item = Block> + 'e {
        extent.blocks.iter().copied().filter(|block| self.values.loops.innermost(*block) == self.around)
    }
    /// Whether the blocks between the loops end in terminators that a region may contain.
    fn ends_simply(&self, extent: &Extent) -> bool {
        let body = self.values.at.body;
        let ends = |block: Block| body.terminator(block).map(|end| &body.inst(end).kind);
        let is_end = |block: Block| {
            matches!(ends(block), Some(InstKind::Br | InstKind::CondBr | InstKind::Switch))
                && !body.is_pinned(block)
        };
        self.between(extent).chain(extent.head).all(is_end)
    }
    /// The barrier between the loops: the first instruction that cannot be moved, or too many instructions.
    fn barrier(&self, extent: &Extent) -> Option<Barrier> {
        let (env, body) = (self.values.at.env, self.values.at.body);
        let insts = || self.between(extent).flat_map(|block| body.insts(block)).copied();
        let may_move = |inst: &Inst| {
            let kind = &body.inst(*inst).kind;
            let is_stated = matches!(kind, InstKind::Store(_) | InstKind::Load(_) | InstKind::Call(_));
            kind.is_phi()
                || kind.is_terminator()
                || matches!(kind, InstKind::DebugRecord(_))
                || is_reorderable(self.values, *inst) && (is_stated || kind.is_pure())
        };
        let stays = insts().find(|inst| !may_move(inst)).map(|inst| {
            let data = body.inst(inst);
            let callee = data.call().and_then(|call| called_function(body, call));
            let intrinsic = callee.and_then(|func| Intrinsic::from_function_name(&env.funcs[func].name));
            Barrier::of_inst(&data.kind, intrinsic)
        });
        let is_too_much = || (insts().count() > MOST_INSTS_BETWEEN).then_some(Barrier::TooMuch);
        stays.or_else(is_too_much)
    }
    /// The values of [`Extent::open`]; `None` if there are some, but no single exit block that only the region reaches.
    fn open(&self, extent: &Extent) -> Option<Vec<Inst>> {
        let body = self.values.at.body;
        let is_used_after = |inst: &Inst| {
            let mut uses = body.code_uses((*inst).into()).map(|u| use_block(body, u));
            uses.any(|at| at.is_none_or(|block| !extent.contains(block)))
        };
        let insts = self.between(extent).flat_map(|block| body.insts(block)).copied();
        let open: Vec<Inst> = insts.filter(is_used_after).collect();
        if open.is_empty() {
            return Some(open);
        }
        let [exit] = self.exits(&extent.set)[..] else { return None };
        let preds = self.values.cfg.preds(exit);
        preds.iter().all(|pred| extent.sources().any(|block| block == *pred)).then_some(open)
    }
}
