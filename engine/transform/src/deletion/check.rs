//! Whether a loop can be deleted. Cheap checks come first; ScalarEvolution is queried last.

use super::first::exits_in_first_iteration;
use super::remarks::DeletionMissed;
use crate::cleanup::dead::is_removable;
use crate::cleanup::simplify::known::condition_at;
use crate::clone::Ring;
use crate::counted::{Which, facts, which_exit};
use crate::pass::Unit;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_analysis::loops::Edge;
use backedge_analysis::must_execute::{called_intrinsic, irreducible_cycles_end, must_leave};
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, EntitySet, Inst};
use backedge_ir::inst::{BinaryOp, InstKind, Value};
use backedge_ir::intrinsic::Intrinsic;
use backedge_scev::{Kept, ScalarEvolution};
use smallvec::SmallVec;

/// Maximum number of instructions hoisted out of a loop for its live-out values: they execute even where the loop would
/// not compute them.
const MAX_HOISTED: usize = 32;

/// The edit to make.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// The preheader is never reached: each first block always goes to the second block instead.
    NeverEntered(Vec<(Block, Block)>),
    /// Redirect the preheader to this exit block.
    Skip(Skip),
    /// Redirect the preheader to the exit block determined by the counts of the exits.
    Decide(Decide),
    /// Control never continues from the preheader.
    Endless,
    /// The backedge is never taken.
    BreakBackedge,
}

/// How to bypass a loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Skip {
    /// The exit block.
    pub(super) exit: Option<Block>,
    /// Whether there are other exit blocks, which are equivalent.
    pub(super) several: bool,
    /// The values of its phis; `None` for an unused phi.
    pub(super) values: Vec<(Inst, Option<Value>)>,
    /// The loop instructions that compute these values, operands first.
    pub(super) hoisted: Vec<Inst>,
}

/// How to bypass a loop if its exits differ.
#[derive(Clone, Debug)]
pub(super) struct Decide {
    /// How to determine the exit taken.
    pub(super) which: Which,
    /// For each exit the values of the exit block's phis; `None` for an unused phi.
    pub(super) values: Vec<Vec<(Inst, Option<Value>)>>,
    /// The loop instructions that compute these values, operands first.
    pub(super) hoisted: Vec<Inst>,
}

pub(super) fn check(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> Result<Plan, DeletionMissed> {
    let at = unit.at();
    let preheader = shape.loops.preheader(&shape.cfg, l).ok_or(DeletionMissed::NotSimplified)?;
    if !shape.cfg.is_reachable(preheader) {
        return Ok(Plan::NeverEntered(Vec::new()));
    }
    if let Some(guards) = guards_that_skip(at, shape, preheader) {
        return Ok(Plan::NeverEntered(guards));
    }
    let mut scev = None;
    let missed = match skip(at, shape, l, &mut scev) {
        Ok(plan) => return Ok(plan),
        Err(missed) => missed,
    };
    let single = shape.loops.single_latch(&shape.cfg, l).is_some();
    let scev = scev.get_or_insert_with(|| Kept::new(at));
    if single && (never_goes_back(scev, l) || exits_in_first_iteration(at, shape, l, preheader)) {
        return Ok(Plan::BreakBackedge);
    }
    Err(missed)
}

/// The predecessors of the preheader and their actual successors, if they never branch to the preheader.
fn guards_that_skip(at: At<'_>, shape: &Shape, preheader: Block) -> Option<Vec<(Block, Block)>> {
    let guards: EntitySet<Block> = shape.cfg.preds(preheader).iter().copied().collect();
    let instead = |guard: Block| {
        let terminator = at.body.terminator(guard)?;
        let data = at.body.inst(terminator);
        let InstKind::CondBr = data.kind else { return None };
        let truth = condition_at(at, data.operands[0], terminator)?;
        let taken = data.blocks[usize::from(!truth)];
        (taken != preheader).then_some((guard, taken))
    };
    let ways: Option<Vec<(Block, Block)>> = guards.iter().map(instead).collect();
    ways.filter(|ways| !ways.is_empty())
}

fn never_goes_back(scev: &mut ScalarEvolution<'_>, l: LoopId) -> bool {
    let counts = scev.counts(l);
    [counts.constant_max, counts.symbolic_max].into_iter().any(|count| {
        !scev.is_could_not_compute(count) && scev.as_constant(count).is_some_and(|c| c.is_zero())
    })
}

/// How to bypass the loop.
fn skip<'a>(
    at: At<'a>,
    shape: &Shape,
    l: LoopId,
    scev: &mut Option<Kept<'a>>,
) -> Result<Plan, DeletionMissed> {
    let Shape { cfg, loops, .. } = shape;
    for &inst in loops.blocks(l).iter().flat_map(|b| at.body.insts(*b)) {
        check_effect(at, inst)?;
    }
    let mut edges = loops.exiting_edges(cfg, l);
    if !loops.has_dedicated_exits(cfg, l) {
        return Err(DeletionMissed::NotSimplified);
    }
    if edges.is_empty() {
        let ends =
            irreducible_cycles_end(at, loops, l) && loops.nest(l).all(|inner| must_leave(at, loops, inner));
        return if ends { Ok(Plan::Endless) } else { Err(DeletionMissed::MayNotEnd) };
    }
    let several = |edges: &[Edge]| edges.iter().any(|e| e.to != edges[0].to);
    if several(&edges) {
        let scev = scev.get_or_insert_with(|| Kept::new(at));
        let counts = scev.counts(l);
        let never = |e: &Edge| counts.exits.iter().any(|(b, count)| *b == e.from && count.never);
        if !edges.iter().all(never) {
            edges.retain(|e| !never(e));
        }
    }
    let exits = || Exits { body: at.body, shape, l, edges: &edges, skip: Skip::default() };
    let plan = match exits().skip() {
        Ok(skip) => Plan::Skip(skip),
        Err(missed) if edges.len() > 1 => {
            let scev = scev.get_or_insert_with(|| Kept::new(at));
            exits().decide(scev).map(Plan::Decide).ok_or(missed)?
        }
        Err(missed) => return Err(missed),
    };
    if !irreducible_cycles_end(at, loops, l) {
        return Err(DeletionMissed::MayNotEnd);
    }
    let scev = scev.get_or_insert_with(|| Kept::new(at));
    let ends = |inner: LoopId| must_leave(at, loops, inner) || is_bounded(scev, inner);
    if loops.nest(l).all(ends) { Ok(plan) } else { Err(DeletionMissed::MayNotEnd) }
}

/// Whether ScalarEvolution knows a bound of the trip count.
fn is_bounded(scev: &mut ScalarEvolution<'_>, l: LoopId) -> bool {
    let counts = scev.counts(l);
    [counts.constant_max, counts.symbolic_max, counts.exact].iter().any(|c| !scev.is_could_not_compute(*c))
}

/// Checks that an instruction can be removed if it is unused.
fn check_effect(at: At<'_>, inst: Inst) -> Result<(), DeletionMissed> {
    let data = at.body.inst(inst);
    let silent = match &data.kind {
        InstKind::Br | InstKind::CondBr | InstKind::Switch | InstKind::DebugRecord(_) => true,
        // Reaching it is UB, so bypassing it is a refinement.
        InstKind::Unreachable => true,
        InstKind::Call(_) => {
            let intrinsic = data.call().and_then(|c| called_intrinsic(at.env, at.body, c));
            let says = matches!(
                intrinsic,
                Some(Intrinsic::Assume | Intrinsic::NoAliasScopeDecl | Intrinsic::PseudoProbe)
            );
            says || is_removable(at.env, at.body, inst)
        }
        _ => is_removable(at.env, at.body, inst),
    };
    if silent { Ok(()) } else { Err(DeletionMissed::Effect { what: data.kind.mnemonic() }) }
}

/// The exits of a loop, and the facts found so far.
struct Exits<'b> {
    body: &'b Body,
    shape: &'b Shape,
    l: LoopId,
    edges: &'b [Edge],
    skip: Skip,
}

impl Exits<'_> {
    fn skip(mut self) -> Result<Skip, DeletionMissed> {
        let mut seen: EntitySet<Block> = EntitySet::new();
        let exits: Vec<Block> = self.edges.iter().map(|e| e.to).filter(|b| seen.insert(*b)).collect();
        if exits.len() > 1 && !self.all_lead_to_one(&exits) {
            return Err(DeletionMissed::ExitsDiffer { count: exits.len() });
        }
        for phi in self.body.phis(exits[0]) {
            if self.body.code_uses(phi.into()).next().is_none() {
                self.skip.values.push((phi, None));
                continue;
            }
            let value = self.value_of(phi).filter(|v| self.can_be_computed_before(*v)).ok_or_else(|| {
                let phi = self.body.value_name(phi.into()).map(str::to_owned);
                DeletionMissed::ResultUsed { phi }
            })?;
            self.skip.values.push((phi, Some(value)));
        }
        self.skip.exit = Some(exits[0]);
        self.skip.several = exits.len() > 1;
        Ok(self.skip)
    }
    /// The same if the counts of several exits determine the exit taken.
    fn decide(mut self, scev: &mut ScalarEvolution<'_>) -> Option<Decide> {
        let ring = Ring::of(self.body, self.shape, self.l)?;
        let facts = facts(scev, self.shape, self.l, ring);
        let which = which_exit(scev, &facts, |_| true)?;
        let mut values = Vec::new();
        for way in &which.ways {
            let mut of_phis = Vec::new();
            for phi in self.body.phis(way.to) {
                let is_used = self.body.code_uses(phi.into()).next().is_some();
                let value = self.body.incoming_from(phi, way.from)?;
                if is_used && !self.can_be_computed_before(value) {
                    return None;
                }
                of_phis.push((phi, is_used.then_some(value)));
            }
            values.push(of_phis);
        }
        Some(Decide { which, values, hoisted: self.skip.hoisted })
    }
    /// The single value that `phi` takes on all relevant exiting edges.
    fn value_of(&self, phi: Inst) -> Option<Value> {
        let mut values = self
            .body
            .inst(phi)
            .incoming()
            .filter(|(_, b)| self.edges.iter().any(|e| e.from == *b))
            .map(|e| e.0);
        let value = values.next()?;
        values.all(|v| v == value).then_some(value)
    }
    /// Whether all exit blocks only branch to one common block, with the same values.
    fn all_lead_to_one(&self, exits: &[Block]) -> bool {
        let target = |exit: Block| {
            let passes =
                |i: &&Inst| matches!(self.body.inst(**i).kind, InstKind::Phi(_) | InstKind::DebugRecord(_));
            let mut rest = self.body.insts(exit).iter().filter(|i| !passes(i));
            let branch = self.body.inst(*rest.next()?);
            let alone = rest.next().is_none() && !self.body.is_pinned(exit);
            (alone && matches!(branch.kind, InstKind::Br)).then(|| branch.blocks[0])
        };
        let Some(join) = target(exits[0]) else { return false };
        if !exits.iter().all(|e| target(*e) == Some(join)) || exits.contains(&join) {
            return false;
        }
        // The phis of the exit blocks are used only by phis of the join block.
        let joins = |phi: Inst| {
            self.body.code_uses(phi.into()).all(|u| {
                let user = self.body.inst(u.user);
                user.kind.is_phi() && self.body.block_of(u.user) == Some(join)
            })
        };
        if !exits.iter().all(|e| self.body.phis(*e).all(joins)) {
            return false;
        }
        self.body.phis(join).all(|phi| {
            let through = |exit: Block| {
                let value = self.body.incoming_from(phi, exit)?;
                match value.as_inst().filter(|i| self.body.block_of(*i) == Some(exit)) {
                    Some(inner) => self.value_of(inner),
                    None => Some(value),
                }
            };
            let first = through(exits[0]);
            first.is_some() && exits.iter().all(|e| through(*e) == first)
        })
    }
    /// Whether `value` is available before the loop, or computable by instructions that can be hoisted; records
    /// these.
    fn can_be_computed_before(&mut self, value: Value) -> bool {
        // Post-order: an entry is visited again after its operands.
        let mut work: SmallVec<[(Value, bool); 8]> = SmallVec::from_slice(&[(value, false)]);
        while let Some((value, expanded)) = work.pop() {
            let Some(inst) =
                value.as_inst().filter(|i| self.shape.loops.contains_inst(self.body, self.l, *i))
            else {
                continue;
            };
            if self.skip.hoisted.contains(&inst) {
                continue;
            }
            if expanded {
                self.skip.hoisted.push(inst);
                continue;
            }
            if !can_be_hoisted(self.body, inst) || self.skip.hoisted.len() + work.len() >= MAX_HOISTED {
                return false;
            }
            work.push((value, true));
            work.extend(self.body.inst(inst).operands.iter().map(|v| (*v, false)));
        }
        true
    }
}

/// Whether an instruction has no side effect and can be executed speculatively before the loop.
fn can_be_hoisted(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    match &data.kind {
        InstKind::Binary(op, _) if op.is_division() => {
            let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
            body.as_int(data.operands[1]).is_some_and(|d| !(d.is_zero() || signed && d.is_all_ones()))
        }
        kind => kind.is_pure(),
    }
}
