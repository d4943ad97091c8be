//! Must-execute analysis: instructions certainly executed in each iteration of a loop, or once a function is entered.
//!
//! [`guaranteed_to_transfer`] is the query for one instruction; [`MustExecute`] covers a region, which is a loop or a
//! whole function. The claim: whenever control reaches the region's start (the loop's header, the function's entry) and
//! the execution has no UB, each of the instructions is executed before control reaches the start again, leaves the
//! region, or ends in any way. Control that may stay forever in a part of the region counts as ending.
//!
//! Algorithm: in the graph where every end of the region is an edge to one virtual exit, the blocks on every path are
//! exactly those that post-dominate the region's start. Ends are: edges to the start or out of the region, blocks with
//! an instruction after which control may not continue, headers of inner loops that may run forever, and irreducible
//! cycles. Reaching `unreachable` is not an end but UB. Near linear in the region's size.

mod executions;
mod transfer;

pub use executions::Executions;
pub(crate) use transfer::volatile_intrinsic;
pub use transfer::{
    Stops, call_ends, call_has, called_intrinsic, guaranteed_to_transfer, guaranteed_to_transfer_to,
};

use crate::cache::{At, IrreducibleCycles};
use crate::order::Order;
use crate::{Cfg, LoopForest, LoopId};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::idom::{FlowGraph, immediate_dominators};
use backedge_ir::inst::InstKind;
use backedge_ir::loop_options::{function_must_progress, has_mustprogress};
use rustc_hash::FxHashMap;

/// The certainly executed instructions of a region.
#[derive(Clone, Debug)]
pub struct MustExecute {
    l: Option<LoopId>,
    blocks: Vec<Block>,
    /// The first instruction in each of the blocks that may stop control.
    stops: FxHashMap<Block, Option<Inst>>,
}

impl MustExecute {
    /// The instructions executed in each iteration of `l`.
    pub fn of_loop(at: At<'_>, l: LoopId) -> Self {
        let loops = at.loops();
        let header = loops.header(l);
        Self { l: Some(l), ..Self::of_region(at, header, loops.blocks(l), &|b| loops.contains(l, b)) }
    }
    /// The instructions executed whenever the function is entered.
    pub fn of_function(at: At<'_>) -> Self {
        let cfg = at.cfg();
        let Some(entry) = at.body.entry() else {
            return Self { l: None, blocks: Vec::new(), stops: FxHashMap::default() };
        };
        Self::of_region(at, entry, cfg.rpo(), &|_| true)
    }

    fn of_region(at: At<'_>, start: Block, blocks: &[Block], inside: &dyn Fn(Block) -> bool) -> Self {
        let (cfg, stops) = (at.cfg(), at.get::<Stops>());
        let number: FxHashMap<Block, u32> = blocks.iter().enumerate().map(|(i, b)| (*b, i as u32)).collect();
        let cycles = at.get::<IrreducibleCycles>();
        let irreducible: EntitySet<Block> = cycles.0.iter().flat_map(|c| c.blocks.iter().copied()).collect();
        let forest = at.loops();
        let may_end = |block: &Block| match control_in_block(at, &forest, *block) {
            Through::Stops => true,
            Through::Undefined => false,
            Through::MayStay if *block != start => true,
            Through::Passes | Through::MayStay => {
                cfg.succs(*block).iter().any(|s| *s == start || !inside(*s)) || irreducible.contains(*block)
            }
        };
        let ends: Vec<u32> = blocks.iter().filter(|b| may_end(b)).map(|b| number[b]).collect();
        let mut is_end = vec![false; blocks.len()];
        ends.iter().for_each(|n| is_end[*n as usize] = true);
        let graph = Reversed { cfg: &cfg, blocks, start, number: &number, ends: &ends, is_end: &is_end };
        let idom = immediate_dominators(&graph, blocks.len() as u32);
        let mut chain = vec![start];
        let mut next = number.get(&start).and_then(|n| idom[*n as usize]);
        while let Some(&block) = next.and_then(|n| blocks.get(n as usize)) {
            chain.push(block);
            next = idom[number[&block] as usize];
        }
        Self { l: None, stops: chain.iter().map(|b| (*b, stops.first(*b))).collect(), blocks: chain }
    }

    /// The loop; `None` for a whole function.
    pub fn of(&self) -> Option<LoopId> {
        self.l
    }
    /// The blocks that are certainly entered, in execution order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    /// Whether `block` is certainly entered.
    pub fn contains_block(&self, block: Block) -> bool {
        self.stops.contains_key(&block)
    }
    /// Whether `inst` is certainly executed. `order` has the positions of instructions in blocks.
    pub fn contains(&self, body: &Body, order: &Order, inst: Inst) -> bool {
        match body.block_of(inst).and_then(|b| self.stops.get(&b)) {
            Some(Some(stop)) => order.position(inst) <= order.position(*stop),
            Some(None) => true,
            None => false,
        }
    }
}

/// What control may do after it enters a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Through {
    /// Control may stop in the block.
    Stops,
    /// Control reaches `unreachable`.
    Undefined,
    /// Control may stay forever in the loop with this header.
    MayStay,
    /// Control reaches a successor.
    Passes,
}

fn control_in_block(at: At<'_>, forest: &LoopForest, block: Block) -> Through {
    match at.get::<Stops>().first(block) {
        Some(stop) if matches!(at.body.inst(stop).kind, InstKind::Unreachable) => Through::Undefined,
        Some(_) => Through::Stops,
        None if forest.with_header(block).is_some_and(|l| !must_make_progress(at, forest, l)) => {
            Through::MayStay
        }
        None => Through::Passes,
    }
}

/// The region with reversed edges; the virtual exit is the next number after the last block.
struct Reversed<'a> {
    cfg: &'a Cfg,
    blocks: &'a [Block],
    start: Block,
    number: &'a FxHashMap<Block, u32>,
    ends: &'a [u32],
    is_end: &'a [bool],
}

impl FlowGraph for Reversed<'_> {
    fn len(&self) -> usize {
        self.blocks.len() + 1
    }
    fn succ(&self, node: u32, index: usize) -> Option<u32> {
        let Some(&block) = self.blocks.get(node as usize) else { return self.ends.get(index).copied() };
        if block == self.start {
            return None;
        }
        // Only an unreachable predecessor is outside the region; a self-loop of the node replaces it.
        self.cfg.preds(block).get(index).map(|p| self.number.get(p).copied().unwrap_or(node))
    }
    fn preds(&self, node: u32) -> impl Iterator<Item = u32> {
        let block = self.blocks.get(node as usize).copied();
        let succs = block.map_or(&[][..], |b| self.cfg.succs(b));
        let inside = succs.iter().filter(|s| **s != self.start);
        let real = inside.filter_map(|s| self.number.get(s).copied());
        let exit = block.filter(|_| self.is_end[node as usize]).map(|_| self.blocks.len() as u32);
        real.chain(exit)
    }
}

/// Whether running forever in `l` is UB: the function must make progress, or `l` and all loops nested in it must; and
/// nothing in `l` is progress (a volatile access, a synchronizing access, or a call that may do either). A requirement
/// on loops does not extend to irreducible cycles in them.
pub fn must_make_progress(at: At<'_>, forest: &LoopForest, l: LoopId) -> bool {
    let cfg = at.cfg();
    let latches = || forest.nest(l).flat_map(|inner| forest.latches(&cfg, inner));
    let demanded =
        || latches().all(|b| has_mustprogress(at.env, at.body, b)) && !has_irreducible_cycle(at, forest, l);
    (of_function(at) || demanded()) && is_without_progress(at, forest, l)
}

/// Whether staying in `l` itself forever is UB, if all loops and irreducible cycles nested in it end: the function or
/// the loop must make progress, and nothing in the loop is progress.
pub fn must_leave(at: At<'_>, forest: &LoopForest, l: LoopId) -> bool {
    let demanded = || {
        let latches = forest.latches(&at.cfg(), l);
        latches.iter().all(|b| has_mustprogress(at.env, at.body, *b))
    };
    (of_function(at) || demanded()) && is_without_progress(at, forest, l)
}

/// Whether an irreducible cycle lies in `l`.
pub fn has_irreducible_cycle(at: At<'_>, forest: &LoopForest, l: LoopId) -> bool {
    let cycles = at.get::<IrreducibleCycles>();
    cycles.0.iter().any(|c| c.in_loop.is_some_and(|around| forest.contains_loop(l, around)))
}

/// Whether `l` contains no irreducible cycle, or staying in one forever is UB: the function must make progress, and
/// nothing in `l` is progress.
pub fn irreducible_cycles_end(at: At<'_>, forest: &LoopForest, l: LoopId) -> bool {
    !has_irreducible_cycle(at, forest, l) || of_function(at) && is_without_progress(at, forest, l)
}

fn is_without_progress(at: At<'_>, forest: &LoopForest, l: LoopId) -> bool {
    let stops = at.get::<Stops>();
    !forest.blocks_unordered(l).iter().any(|b| stops.may_be_progress(*b))
}

fn of_function(at: At<'_>) -> bool {
    at.func.is_some_and(|f| function_must_progress(at.env, f))
}
