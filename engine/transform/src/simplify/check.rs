//! The missing parts of loop-simplify form, in the order of LLVM's repairs, and the choice between the two repairs
//! for several backedges.

use super::remarks::{MAX_BACKEDGES_TO_SEPARATE, SimplifyDone, SimplifyMissed};
use crate::shape::Shape;
use crate::undef::has_undef;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::call_has;
use backedge_ir::attr::FlagAttr;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{CallView, Value};
use backedge_ir::module::Env;

/// A missing part of the form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Lack {
    /// Unreachable blocks have edges to blocks of the loop other than its header.
    Entry(Vec<Block>),
    /// There is no preheader; these blocks enter the loop.
    Preheader(Vec<Block>),
    /// These exit blocks have predecessors outside the loop too; listed with their predecessors in the loop.
    Exits(Vec<(Block, Vec<Block>)>),
    /// These header phis always have the given value.
    ConstantPhis(Vec<(Inst, Value)>),
    /// There are several backedges, this many.
    Latch(usize),
}

/// One repair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Repair {
    /// End these blocks in `unreachable`.
    Cut(Vec<Block>),
    /// Insert a preheader before the header, entered by these blocks.
    Preheader(Vec<Block>),
    /// Split these predecessors off these exit blocks.
    Exits(Vec<(Block, Vec<Block>)>),
    /// Replace these phis.
    FoldPhis(Vec<(Inst, Value)>),
    /// Insert the header of an outer loop before the header, entered by these blocks.
    Separate(Vec<Block>),
    /// Merge this many backedges.
    Unify(usize),
}

impl Repair {
    /// The remark for the repair.
    pub(crate) fn done(&self) -> SimplifyDone {
        match self {
            Self::Cut(blocks) => SimplifyDone::UnreachablePredecessorsCut { count: blocks.len() },
            Self::Preheader(_) => SimplifyDone::PreheaderInserted,
            Self::Exits(exits) => SimplifyDone::ExitsDedicated { count: exits.len() },
            Self::FoldPhis(phis) => SimplifyDone::PhisFolded { count: phis.len() },
            Self::Separate(_) => SimplifyDone::NestSeparated,
            Self::Unify(count) => SimplifyDone::BackedgesUnified { count: *count },
        }
    }
}

/// The first missing part of `l`.
pub(super) fn first_lack(body: &Body, shape: &Shape, l: LoopId) -> Option<Lack> {
    let Shape { cfg, loops, .. } = shape;
    let unreachable = unreachable_entries(shape, l);
    if !unreachable.is_empty() {
        return Some(Lack::Entry(unreachable));
    }
    if loops.preheader(cfg, l).is_none() {
        return Some(Lack::Preheader(loops.entering_blocks(cfg, l)));
    }
    let exits = shared_exits(shape, l);
    if !exits.is_empty() {
        return Some(Lack::Exits(exits));
    }
    let phis = constant_phis(body, loops.header(l));
    if !phis.is_empty() {
        return Some(Lack::ConstantPhis(phis));
    }
    let backedges = loops.backedges(cfg, l).len();
    (backedges > 1).then_some(Lack::Latch(backedges))
}

/// The repairs of the preheader and the exits of `l`. They are independent, since edges into the header and edges out
/// of the loop are disjoint.
pub(crate) fn entry_and_exit_repairs(shape: &Shape, l: LoopId) -> Vec<Repair> {
    let Shape { cfg, loops, .. } = shape;
    let entry = loops.preheader(cfg, l).is_none().then(|| Repair::Preheader(loops.entering_blocks(cfg, l)));
    let exits = shared_exits(shape, l);
    entry.into_iter().chain((!exits.is_empty()).then_some(Repair::Exits(exits))).collect()
}

/// The unreachable blocks with edges to blocks of `l` other than its header, each once.
fn unreachable_entries(shape: &Shape, l: LoopId) -> Vec<Block> {
    let Shape { cfg, loops, .. } = shape;
    let has = |b: &Block| *b != loops.header(l) && cfg.preds(*b).iter().any(|p| !cfg.is_reachable(*p));
    if !loops.blocks_unordered(l).iter().any(has) {
        return Vec::new();
    }
    let inside = loops.blocks(l).iter().filter(|b| **b != loops.header(l));
    let preds = inside.flat_map(|b| cfg.preds(*b)).copied().filter(|p| !cfg.is_reachable(*p));
    let mut seen = EntitySet::new();
    preds.filter(|p| seen.insert(*p)).collect()
}

/// The exit blocks of `l` that have predecessors outside, each with its predecessors in `l`.
fn shared_exits(shape: &Shape, l: LoopId) -> Vec<(Block, Vec<Block>)> {
    let Shape { cfg, loops, .. } = shape;
    let shared = |exit: &Block| cfg.preds(*exit).iter().any(|p| !loops.contains(l, *p));
    // Most loops have none; then the order of their blocks is not needed.
    let exits = loops.blocks_unordered(l).iter().flat_map(|b| cfg.succs(*b));
    // Many blocks may lead to one exit, which then has as many predecessors.
    let mut seen = EntitySet::new();
    if !exits.filter(|b| !loops.contains(l, **b) && seen.insert(**b)).any(shared) {
        return Vec::new();
    }
    let with_preds = |exit: Block| {
        let mut seen = EntitySet::new();
        let preds = cfg.preds(exit).iter().copied();
        (exit, preds.filter(|p| loops.contains(l, *p) && seen.insert(*p)).collect())
    };
    loops.distinct_exit_blocks(cfg, l).into_iter().filter(shared).map(with_preds).collect()
}

/// The phis of `header` whose entries are all the phi itself or one other value, with that value. Excludes values
/// that may be `undef`: all uses of the phi see one choice, while each use of `undef` sees its own.
pub(crate) fn constant_phis(body: &Body, header: Block) -> Vec<(Inst, Value)> {
    let constant = |phi: Inst| {
        let mut others = body.inst(phi).incoming().map(|(v, _)| v).filter(|v| *v != phi.into());
        let value = others.next()?;
        (others.all(|v| v == value) && !has_undef(body, value)).then_some((phi, value))
    };
    let mut found: Vec<(Inst, Value)> = body.phis(header).filter_map(constant).collect();
    // One phi may be the value of another: then fold only one at a time.
    let chained = found.iter().any(|(_, v)| found.iter().any(|(phi, _)| *v == (*phi).into()));
    if chained {
        found.truncate(1);
    }
    found
}

/// The repair for the missing part `lack`.
pub(super) fn decide(
    env: &Env,
    body: &Body,
    shape: &Shape,
    l: LoopId,
    lack: Lack,
) -> (Repair, Option<SimplifyMissed>) {
    match lack {
        Lack::Entry(blocks) => (Repair::Cut(blocks), None),
        Lack::Preheader(preds) => (Repair::Preheader(preds), None),
        Lack::Exits(exits) => (Repair::Exits(exits), None),
        Lack::ConstantPhis(phis) => (Repair::FoldPhis(phis), None),
        Lack::Latch(count) => match outer_predecessors(env, body, shape, l, count) {
            Ok(Some(preds)) => (Repair::Separate(preds), None),
            Ok(None) => (Repair::Unify(count), None),
            Err(missed) => (Repair::Unify(count), Some(missed)),
        },
    }
}

/// The header's predecessors that belong to an outer loop: those on whose edges a header phi changes, if there is a
/// phi that keeps its value on some backedge and changes on another. (A phi that changes on no backedge does not
/// indicate a nest: the outer loop would have no backedge.)
fn outer_predecessors(
    env: &Env,
    body: &Body,
    shape: &Shape,
    l: LoopId,
    backedges: usize,
) -> Result<Option<Vec<Block>>, SimplifyMissed> {
    let loops = &shape.loops;
    let header = loops.header(l);
    let keeps = |phi: Inst, (v, b): (Value, Block)| v == phi.into() && loops.contains(l, b);
    let changes = |phi: Inst, (v, b): (Value, Block)| v != phi.into() && loops.contains(l, b);
    let tells = |phi: &Inst| {
        let entries = || body.inst(*phi).incoming();
        entries().any(|e| keeps(*phi, e)) && entries().any(|e| changes(*phi, e))
    };
    let witness = body.phis(header).find(tells);
    let Some(phi) = witness else { return Ok(None) };
    if backedges >= MAX_BACKEDGES_TO_SEPARATE {
        return Err(SimplifyMissed::TooManyBackedges { count: backedges });
    }
    let insts = loops.blocks(l).iter().flat_map(|b| body.insts(*b));
    if insts.filter_map(|i| body.inst(*i).call()).any(|call| is_convergent(env, body, call)) {
        return Err(SimplifyMissed::ConvergentCall);
    }
    let mut seen = EntitySet::new();
    let outer = body.inst(phi).incoming().filter(|e| !keeps(phi, *e)).map(|(_, b)| b);
    Ok(Some(outer.filter(|b| seen.insert(*b)).collect()))
}

/// Whether `call` or its callee is `convergent`.
fn is_convergent(env: &Env, body: &Body, call: CallView<'_>) -> bool {
    call_has(env, body, call, FlagAttr::Convergent)
}
