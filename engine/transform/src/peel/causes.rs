//! Reasons to peel: phis, recurrences, comparisons and stores that become simpler from some iteration on.

use super::alternate::Computed;
use super::remarks::Reason;
use super::settled::Settled;
use crate::cost::{FACTORS, settled_by};
use crate::counted::Facts;
use crate::shape::Shape;
use crate::uniform::{Accesses, Rounds, late_rounds, spared};
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_scev::ScalarEvolution;
use backedge_scev::recognize::{Recurrence, Step};
use rustc_hash::FxHashMap;

/// Maximum number of header phis examined: bounds the time for one loop. Further ones give no cause for peeling.
const MOST_PHIS: usize = 64;

/// A simplification that applies from some iteration on.
pub(super) struct Cause {
    /// The number of iterations before it applies.
    pub(super) after: usize,
    pub(super) reason: Reason,
    /// The instructions that an iteration need not execute from then on.
    pub(super) spares: Vec<Inst>,
    /// The average number of instructions saved per iteration if iterations are grouped in rounds.
    pub(super) in_rounds: u32,
}

impl Cause {
    fn new(after: usize, reason: Reason, spares: Vec<Inst>) -> Self {
        Self { after, reason, spares, in_rounds: 0 }
    }
}

/// The simplifications of the loop.
pub(super) fn causes(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    settled: &[Settled],
) -> Vec<Cause> {
    let l = facts.l;
    let phis: Vec<Inst> = scev.body().phis(facts.ring.header).take(MOST_PHIS).collect();
    let mut causes = Vec::new();
    let mut depths = FxHashMap::default();
    for &phi in &phis {
        if let Some(after) = invariant_after(scev.body(), shape, facts, phi, &mut depths) {
            let mut spares = settled_by(scev.body(), shape, l, &[phi]);
            spares.push(phi);
            causes.push(Cause::new(after, Reason::Invariant, spares));
        }
        let Some(recurrence) = scev.recurrence(phi.into()).filter(|r| r.l == l) else { continue };
        let step = scev.body().incoming_from(phi, facts.ring.latch).and_then(Value::as_inst);
        match recurrence.step {
            Step::Xor | Step::Reflect => {
                causes.push(Cause::new(2, Reason::Alternates, step.into_iter().collect()));
            }
            // A recurrence that starts with its final value would be peeled again and again.
            Step::And | Step::Or | Step::Extreme(_) if has_settled(scev, facts, phi, &recurrence) => {}
            Step::And | Step::Or | Step::Extreme(_) => {
                let settled: Vec<Inst> = step.into_iter().chain([phi]).collect();
                let mut spares = settled_by(scev.body(), shape, l, &settled);
                spares.extend(step);
                causes.push(Cause::new(1, Reason::Settles, spares));
            }
            Step::Mul | Step::Shl | Step::LShr | Step::AShr | Step::UDiv => {}
        }
    }
    if let Some(computed) = Computed::of(scev.at.env, scev.body(), facts) {
        causes.push(Cause::new(2, Reason::Alternates, computed.all));
    }
    for settled in settled {
        let invariant = settled.is_invariant_then(scev, l);
        let mut spares =
            if invariant { settled_by(scev.body(), shape, l, &[settled.inst]) } else { Vec::new() };
        spares.push(settled.inst);
        causes.push(Cause::new(settled.after, settled.reason(), spares));
    }
    let stored = redundant_stores(scev, l, &facts.executed);
    causes.extend(stored.into_iter().map(|s| Cause::new(1, Reason::Stored, vec![s])));
    causes.extend(lanes_alike(scev, facts));
    causes
}

/// Rounds with more equal lanes if they begin later.
fn lanes_alike(scev: &mut ScalarEvolution<'_>, facts: &Facts) -> Vec<Cause> {
    let most = FACTORS[FACTORS.len() - 1];
    let late = late_rounds(scev, facts.l, &facts.executed, most);
    let cause = |rounds: Rounds| {
        let spared = |rounds| spared(scev, facts, rounds).instructions;
        let [now, then] = [Rounds::of(rounds.factor), rounds].map(spared);
        let in_rounds = then.saturating_sub(now) / rounds.factor as u32;
        let cause = Cause::new(rounds.first, Reason::Lanes, Vec::new());
        (in_rounds > 0).then_some(Cause { in_rounds, ..cause })
    };
    late.into_iter().filter_map(cause).collect()
}

/// Whether a recurrence that settles after one step is known to start with its final value: the start is the result
/// of the same operation with the same operand, or the step is known not to change it.
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

/// The stores of `executed`, which each iteration executes, that have an effect in the first iteration only: they
/// store the same value to the same address, which nothing else in the loop writes to.
fn redundant_stores(scev: &ScalarEvolution<'_>, l: LoopId, executed: &[Inst]) -> Vec<Inst> {
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

/// The number of iterations after which the header phi `phi` is invariant: one if its next value is invariant, one
/// more than for the phi that is its next value. `None` if it never is.
fn invariant_after(
    body: &Body,
    shape: &Shape,
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
        // A phi that is reached again depends on itself.
        known.insert(at, None);
        chain.push(at);
        let carried: Value = body.incoming_from(at, facts.ring.latch)?;
        if shape.loops.is_invariant(body, facts.l, carried) {
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
