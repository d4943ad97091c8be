//! How many iterations are put in front of a loop, and whether one is put behind it, and why.

use super::{LoopPeel, Missed, PEELED, Reason};
use crate::cost::profile::is_profiled;
use crate::cost::{Iteration, Relief, Table, What, settled_by, weigh_reliefs};
use crate::counted::{Facts, Unfit, least_count, plan_in_front};
use crate::iteration_split::check::points;
use crate::loop_metadata;
use crate::pass::Shape;
use crate::size::weight_of;
use crate::uniform::Accesses;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;
use backedge_scev::expand::Plan;
use backedge_scev::recognize::{Recurrence, Step};
use rustc_hash::FxHashMap;

/// How many phis of a header are looked at.
const MOST_PHIS: usize = 64;

/// What is to be done with a loop.
#[derive(Debug)]
pub(super) enum Choice {
    /// Iterations in front.
    First(First),
    /// The last iteration behind; the plan computes the backedge-taken count in front.
    Last(Plan),
}

/// First iterations that are put in front of a loop.
#[derive(Debug)]
pub(super) struct First {
    /// How many.
    pub(super) count: usize,
    /// Why.
    pub(super) reason: Reason,
    /// Whether phis alternate that need not be computed then.
    pub(super) alternates: bool,
    /// Stores that the loop need not make then.
    pub(super) stored: Vec<Inst>,
    /// What was weighed, if the number is not given.
    pub(super) table: Option<Table>,
}

impl First {
    fn asked(count: usize) -> Self {
        Self { count, reason: Reason::Asked, alternates: false, stored: Vec::new(), table: None }
    }
}

/// Something that is simpler from some iteration on.
struct Cause {
    /// How many iterations are before.
    after: usize,
    reason: Reason,
    /// What an iteration need not execute from then on.
    spares: Vec<Inst>,
}

/// Chooses for a loop of `size` instructions, of which an iteration is `iteration`.
pub(super) fn decide(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    (size, iteration): (usize, Iteration),
    options: &LoopPeel,
) -> Result<Choice, Missed> {
    if options.last {
        return last(scev, facts).map(Choice::Last);
    }
    let first = match options.count {
        Some(0) => return Err(Missed::NoReason),
        Some(count) => First::asked(count),
        None => match weighed(scev, shape, (l, facts), (size, iteration), options) {
            Ok(first) => first,
            Err(missed) => by_profile(scev, shape, (l, facts), (size, iteration), options).ok_or(missed)?,
        },
    };
    if facts.constant_max.is_some_and(|max| max.bits() < first.count as u128) {
        return Err(Missed::TooFewIterations);
    }
    if size.saturating_mul(first.count) > options.most_instructions {
        return Err(Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions }));
    }
    Ok(Choice::First(first))
}

/// As many iterations as profile data says that the loop makes, if these are few and not known otherwise: it will mostly
/// end in the peeled ones. The loop must end at its latch, but for exits that the program does not come back from.
fn by_profile(
    scev: &ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    (size, iteration): (usize, Iteration),
    options: &LoopPeel,
) -> Option<First> {
    let (env, body) = (scev.at.env, scev.body());
    let profiled = options.profile && facts.constant.is_none() && is_profiled(env, scev.at.func?);
    let expected = iteration.expected.filter(|_| profiled)?;
    let peeled = loop_metadata::number(env, body, facts.ring.latch, PEELED).map_or(0, |n| n.bits());
    let most = (options.most_instructions / size.max(1)).saturating_sub(1).min(options.most_iterations);
    let mut others =
        shape.loops.exiting_edges(&shape.cfg, l).into_iter().filter(|e| e.from != facts.ring.latch);
    let dead = |b| body.terminator(b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Unreachable));
    if u128::from(expected) + peeled > most as u128 || !others.all(|e| dead(e.to)) {
        return None;
    }
    let count = usize::try_from(expected).ok()?;
    Some(First { reason: Reason::Profile, ..First::asked(count) })
}

/// The number of iterations for which most speaks, if it is worth it.
fn weighed(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    (size, iteration): (usize, Iteration),
    options: &LoopPeel,
) -> Result<First, Missed> {
    let mut causes = causes(scev, shape, l, facts);
    causes.retain(|c| (1..=options.most_iterations).contains(&c.after));
    if causes.is_empty() {
        return Err(Missed::NoReason);
    }
    let mut counts: Vec<usize> = causes.iter().map(|c| c.after).collect();
    counts.sort_unstable();
    counts.dedup();
    let at = scev.at;
    // What alternates does so without being computed behind two iterations, not behind more.
    let serves =
        |c: &Cause, count: usize| if c.reason == Reason::Alternates { count == 2 } else { c.after <= count };
    let relief = |count: usize| {
        let spares = causes.iter().filter(|c| serves(c, count)).flat_map(|c| c.spares.iter().copied());
        let spared: EntitySet<Inst> = spares.collect();
        // A phi is a copy in the latch; one that is invariant is none.
        let weight = |i: Inst| weight_of(at.env, at.body, i).max(1);
        let is_branch = |i: &Inst| at.body.inst(*i).kind.is_terminator();
        Relief {
            what: What::Peeled(count),
            spared: spared.iter().map(weight).fold(0, u32::saturating_add),
            branches: spared.iter().filter(is_branch).count() as u32,
            added: u32::try_from(size.saturating_mul(count)).unwrap_or(u32::MAX),
            as_before: count as u64,
        }
    };
    let reliefs: Vec<Relief> = counts.into_iter().map(relief).collect();
    let table = weigh_reliefs(&options.machine, iteration, &reliefs);
    let Some(What::Peeled(count)) = table.chosen else { return Err(Missed::NotWorthIt(table)) };
    // The first of the longest: the order of phis and comparisons is that of the text.
    let reason = causes.iter().find(|c| c.after == count).map_or(Reason::Asked, |c| c.reason);
    let stored = causes.iter().filter(|c| c.reason == Reason::Stored && c.after <= count);
    let stored = stored.flat_map(|c| c.spares.iter().copied()).collect();
    let alternates = causes.iter().any(|c| c.reason == Reason::Alternates && serves(c, count));
    Ok(First { count, reason, alternates, stored, table: Some(table) })
}

/// What is simpler from some iteration on.
fn causes(scev: &mut ScalarEvolution<'_>, shape: &Shape, l: LoopId, facts: &Facts) -> Vec<Cause> {
    let phis: Vec<Inst> = scev.body().phis(facts.ring.header).take(MOST_PHIS).collect();
    let mut causes = Vec::new();
    let mut depths = FxHashMap::default();
    for &phi in &phis {
        if let Some(after) = invariant_after(scev.body(), shape, l, facts, phi, &mut depths) {
            let mut spares = settled_by(scev.body(), shape, l, &[phi]);
            spares.push(phi);
            causes.push(Cause { after, reason: Reason::Invariant, spares });
        }
        let Some(recurrence) = scev.recurrence(phi.into()).filter(|r| r.l == l) else { continue };
        let step = scev.body().incoming_from(phi, facts.ring.latch).and_then(Value::as_inst);
        match recurrence.step {
            Step::Xor | Step::Reflect => {
                causes.push(Cause {
                    after: 2,
                    reason: Reason::Alternates,
                    spares: step.into_iter().collect(),
                });
            }
            // What has settled where it starts would be peeled for ever.
            Step::And | Step::Or | Step::Extreme(_) if has_settled(scev, facts, phi, &recurrence) => {}
            Step::And | Step::Or | Step::Extreme(_) => {
                let settled: Vec<Inst> = step.into_iter().chain([phi]).collect();
                let mut spares = settled_by(scev.body(), shape, l, &settled);
                spares.extend(step);
                causes.push(Cause { after: 1, reason: Reason::Settles, spares });
            }
            Step::Mul | Step::Shl | Step::LShr | Step::AShr | Step::UDiv => {}
        }
    }
    for point in points(scev, shape, l).into_iter().filter(|p| p.stays) {
        let iteration = scev.as_constant(point.iteration).and_then(|n| usize::try_from(n.bits()).ok());
        let mut spares = settled_by(scev.body(), shape, l, &[point.comparison]);
        spares.push(point.comparison);
        causes.extend(iteration.map(|after| Cause { after, reason: Reason::Decided, spares }));
    }
    let stored = stores_of_what_is_there(scev, l, &facts.executed);
    causes.extend(stored.into_iter().map(|s| Cause { after: 1, reason: Reason::Stored, spares: vec![s] }));
    causes
}

/// Whether a recurrence that settles after one step is known to start with what it settles to: its start is what an
/// operation of the same kind with the same value gives, or the step changes nothing of it as far as expressions know.
fn has_settled(scev: &mut ScalarEvolution<'_>, facts: &Facts, phi: Inst, recurrence: &Recurrence) -> bool {
    if scev.recurrence_at_iteration(recurrence, 1) == Some(recurrence.start) {
        return true;
    }
    let (body, ring) = (scev.body(), &facts.ring);
    let inst_from = |block| body.incoming_from(phi, block).and_then(Value::as_inst).map(|i| body.inst(i));
    let (Some(start), Some(step)) = (inst_from(ring.preheader), inst_from(ring.latch)) else { return false };
    let is_same_operation = match (&start.kind, &step.kind) {
        (InstKind::Binary(a, _), InstKind::Binary(b, _)) => a == b,
        (InstKind::Call(_), InstKind::Call(_)) => {
            start.call().map(|c| c.callee()) == step.call().map(|c| c.callee())
        }
        _ => false,
    };
    // The other operand of the step is the phi.
    let by = step.operands.iter().find(|v| **v != Value::Inst(phi));
    is_same_operation && by.is_some_and(|by| start.operands.iter().take(2).any(|v| v == by))
}

/// Of `executed`, which each iteration executes, the stores that change nothing but in the first iteration: the same value
/// to the same address, which nothing else in the loop writes to.
fn stores_of_what_is_there(scev: &ScalarEvolution<'_>, l: LoopId, executed: &[Inst]) -> Vec<Inst> {
    let body = scev.body();
    let candidate = |inst: &&Inst| {
        let data = body.inst(**inst);
        let plain = matches!(&data.kind, InstKind::Store(a) if !a.volatile && a.ordering.is_none());
        plain && data.operands.iter().all(|v| scev.loops().is_invariant(body, l, *v))
    };
    let candidates: Vec<Inst> = executed.iter().filter(candidate).copied().collect();
    if candidates.is_empty() {
        return candidates;
    }
    let accesses = Accesses::of(scev, l);
    candidates.into_iter().filter(|s| accesses.only_written_by(scev, *s, &[*s])).collect()
}

/// After how many iterations `phi`, of the header, is invariant: one if what it is carried on by is, one more than the
/// phi that it is carried on by. `None` if it never is.
fn invariant_after(
    body: &Body,
    shape: &Shape,
    l: LoopId,
    facts: &Facts,
    phi: Inst,
    known: &mut FxHashMap<Inst, Option<usize>>,
) -> Option<usize> {
    let mut chain = Vec::new();
    let mut at = phi;
    let end = loop {
        if let Some(depth) = known.get(&at) {
            break *depth;
        }
        // A phi that is met again is carried on by itself.
        known.insert(at, None);
        chain.push(at);
        let carried: Value = body.incoming_from(at, facts.ring.latch)?;
        if shape.loops.is_invariant(body, l, carried) {
            break Some(0);
        }
        match carried.as_inst() {
            Some(next) if body.inst(next).kind.is_phi() && body.block_of(next) == Some(facts.ring.header) => {
                at = next;
            }
            _ => break None,
        }
    };
    let mut depth = end;
    for phi in chain.into_iter().rev() {
        depth = depth.map(|d| d + 1);
        known.insert(phi, depth);
    }
    known[&phi]
}

/// How the count of all exits is computed in front of the loop: the last iteration can be put behind it then.
fn last(scev: &mut ScalarEvolution<'_>, facts: &Facts) -> Result<Plan, Missed> {
    let all = facts.exits.iter().all(|e| e.is_analyzable() && e.exact.is_some() && e.leave.is_some());
    if !all || facts.exits.is_empty() {
        return Err(Missed::NotCounted);
    }
    let every: Vec<usize> = (0..facts.exits.len()).collect();
    let count = least_count(scev, facts, &every).ok_or(Missed::NotCounted)?;
    plan_in_front(scev, facts, count).ok_or(Missed::NotCounted)
}
