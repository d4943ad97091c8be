//! Outer loops: the lanes are their iterations, and all lanes execute the inner loops together.
//!
//! This is possible if all control flow inside is *uniform*: every branch, of inner loops and around blocks, goes the
//! same way in all iterations of the outer loop. Then lanes execute the same blocks in the same order, each lane
//! computes exactly what its iteration does, and only phis of the outer header need a classification. Two things
//! change: the time at which lanes access memory ([`super::across`]), and that later lanes begin before earlier ones
//! have ended. So the inner loops must terminate, and calls must return and not access memory ([`super::ops`]).
//!
//! A value is *varying* if it depends on a phi of the outer header; all others are uniform. At the same point of the
//! inner iterations a uniform value is the same in all lanes, because all lanes compute it from the same values by the
//! same operations, and because no other lane writes memory at a uniform address ([`super::across`] checks this). A
//! nondeterministic operation (`freeze`) makes one choice for all lanes, which each lane could have made. If a uniform
//! value is poison, it is poison in all lanes; the first lane always executes, so a branch on it is UB in the source.
//!
//! The analysis is optimistic: values are uniform until found varying, so a phi of an inner header is uniform if its
//! start value and its next value are.

use super::exits::Exits;
use super::ops::{self, Op};
use super::phis::{self, HeaderPhi};
use super::{Form, Legality, LegalityMissed, Limits, Masks, Nest, across, exits, live, walk};
use crate::VPlan;
use crate::massage::Uniformity;
use crate::plan::BlockId;
use backedge_analysis::LoopId;
use backedge_analysis::must_execute::must_make_progress;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_scev::ScalarEvolution;
use backedge_transform::cost::USUAL_TRIPS;
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit for the number of inner loops: each access is compared under all loops around it. Larger nests are not
/// vectorized.
const MOST_LOOPS: usize = 32;
/// Cap for estimated execution counts of a block per iteration of the outer loop, so that costs do not overflow.
pub(crate) const MOST_TRIPS: u64 = 1 << 16;

/// For the plan of a loop nest: all control flow inside is uniform, so massaging does not change it.
impl Uniformity for Legality {
    fn is_uniform_loop(&self, plan: &VPlan, header: BlockId) -> bool {
        let origin = plan.block(header).origin;
        self.nest.is_some() && origin.is_some_and(|b| b != self.form.header && self.form.blocks.contains(&b))
    }
    fn is_uniform_branch(&self, plan: &VPlan, block: BlockId) -> bool {
        let leaves = |b: &Block| self.exits.all.iter().any(|e| e.from == *b);
        let origin = plan.block(block).origin;
        self.nest.is_some() && origin.is_some_and(|b| self.form.blocks.contains(&b) && !leaves(&b))
    }
}

/// [`super::check`] for loop nests.
pub(super) fn check(
    scev: &mut ScalarEvolution<'_>,
    form: Form,
    limits: Limits,
) -> Result<Legality, LegalityMissed> {
    if limits.fold_tail {
        return Err(LegalityMissed::TailNotFolded);
    }
    let inner = inner_loops(scev, &form)?;
    let exits = exits::check(scev, &form)?;
    let loops = scev.loops();
    if exits.all.iter().any(|e| loops.innermost(e.from) != Some(form.l)) {
        return Err(LegalityMissed::ConditionalExit);
    }
    if exits.uncounted().next().is_some() {
        return Err(LegalityMissed::EarlyExitOfNest);
    }
    let mut ops = ops::check(scev, &form, false)?;
    for op in ops.values_mut().filter(|op| **op == Op::Blend) {
        *op = Op::Joined;
    }
    let uniform = uniform(scev, &form);
    let frequency = frequency(scev, &form, &inner);
    let nest = Nest { uniform, frequency };
    check_branches(scev, &form, &exits, &nest)?;
    let masks = Masks::default();
    let phis = phis::check(scev, &form, &masks).map_err(|missed| match missed {
        LegalityMissed::RecurrenceOrder => LegalityMissed::Phi,
        other => other,
    })?;
    let is_done = |kind: &HeaderPhi| match kind {
        HeaderPhi::Induction(_) => true,
        HeaderPhi::Reduction(r) => r.stores.is_empty(),
        HeaderPhi::Selection(_) | HeaderPhi::FirstOrder(_) => false,
    };
    if !phis.iter().all(|(_, kind)| is_done(kind)) {
        return Err(LegalityMissed::Phi);
    }
    let accesses = walk::find(scev, &form, &ops, &nest)?;
    let dependences = across::find(scev, &form, &accesses, exits.taken, limits)?;
    let live_outs = live::find(scev, &form, &exits, &phis);
    Ok(Legality {
        form,
        exits,
        ops,
        masks,
        phis,
        accesses,
        interleaved: Vec::new(),
        dependences,
        early: None,
        live_outs,
        fold_tail: false,
        nest: Some(nest),
    })
}

/// The inner loops, outer ones first; an error if one may not terminate.
fn inner_loops(scev: &mut ScalarEvolution<'_>, form: &Form) -> Result<Vec<LoopId>, LegalityMissed> {
    let (cfg, loops) = (scev.cfg(), scev.loops());
    let inner: Vec<LoopId> = loops.nest(form.l).filter(|l| *l != form.l).collect();
    if inner.len() > MOST_LOOPS {
        return Err(LegalityMissed::TooLarge);
    }
    for &l in &inner {
        if !loops.has_loop_simplify_form(&cfg, l) {
            return Err(LegalityMissed::NotSimplified);
        }
        if !is_bounded(scev, l) && !must_make_progress(scev.at, &loops, l) {
            return Err(LegalityMissed::InnerEndless);
        }
    }
    Ok(inner)
}

/// Whether an exit that every iteration reaches has a known count, so that it is taken unless another exit is taken
/// first.
fn is_bounded(scev: &mut ScalarEvolution<'_>, l: LoopId) -> bool {
    let (cfg, loops, dominators) = (scev.cfg(), scev.loops(), scev.dominators());
    let Some(latch) = loops.single_latch(&cfg, l) else { return false };
    let counts = scev.counts(l);
    counts.exits.iter().any(|(block, count)| {
        !count.never && !scev.is_could_not_compute(count.exact) && dominators.dominates(*block, latch)
    })
}

/// The instructions that do not depend on a phi of the outer header.
fn uniform(scev: &ScalarEvolution<'_>, form: &Form) -> FxHashSet<Inst> {
    let body = scev.body();
    let mut varying: FxHashSet<Inst> = body.phis(form.header).collect();
    let mut work: Vec<Inst> = varying.iter().copied().collect();
    while let Some(inst) = work.pop() {
        for use_ in body.code_uses(inst.into()) {
            if form.contains(use_.user) && varying.insert(use_.user) {
                work.push(use_.user);
            }
        }
    }
    form.insts().iter().copied().filter(|i| !varying.contains(i)).collect()
}

/// Checks that branches go the same way in all lanes.
fn check_branches(
    scev: &ScalarEvolution<'_>,
    form: &Form,
    exits: &Exits,
    nest: &Nest,
) -> Result<(), LegalityMissed> {
    let body = scev.body();
    for block in &form.blocks {
        let Some(branch) = body.terminator(*block) else { return Err(LegalityMissed::NotSimplified) };
        let data = body.inst(branch);
        let decides = matches!(data.kind, InstKind::CondBr) && exits.of_branch(body, branch).is_none();
        if decides && !data.operands.iter().all(|v| nest.is_uniform(form, *v)) {
            return Err(LegalityMissed::NotUniform);
        }
    }
    Ok(())
}

/// The estimated number of executions of each block per iteration of the outer loop: once for each iteration of the
/// surrounding inner loops.
fn frequency(scev: &mut ScalarEvolution<'_>, form: &Form, inner: &[LoopId]) -> FxHashMap<Block, u64> {
    let loops = scev.loops();
    let mut all: FxHashMap<Block, u64> = form.blocks.iter().map(|b| (*b, 1)).collect();
    for &l in inner {
        let trips = trips_of(scev, l);
        for block in loops.blocks_unordered(l) {
            if let Some(times) = all.get_mut(block) {
                *times = times.saturating_mul(trips).min(MOST_TRIPS);
            }
        }
    }
    all
}

/// The trip count of a loop, or an estimate.
pub(crate) fn trips_of(scev: &mut ScalarEvolution<'_>, l: LoopId) -> u64 {
    let counts = scev.counts(l);
    let known = |scev: &ScalarEvolution<'_>, count| scev.as_constant(count).and_then(|n| n.to_u64());
    match (known(scev, counts.exact), known(scev, counts.constant_max)) {
        (Some(exact), _) => exact.saturating_add(1),
        (None, Some(most)) => most.saturating_add(1).min(USUAL_TRIPS),
        (None, None) => USUAL_TRIPS,
    }
}
