//! Canonical exit tests: a counter of the loop is compared for equality with its value in the last iteration.
//!
//! For an exit that each iteration passes, with count n: `{s,+,c}`, c = ±1, equals `s + c·n` in the iteration in
//! which the exit is taken, and in no earlier one if n is less than 2^w; the same holds for `{s+c,+,c}`. So a `!=`
//! comparison with that limit is equivalent to the test.
//!
//! The counter is used only if it is poison no more often than `{s,+,c}`, whose start must be neither poison nor
//! undef; the limit is frozen if it may be undef. If the limit is poison, runs without UB do not reach the test.
//!
//! Worthwhile if instructions of the loop become dead with the old test, or if the limit exists already and the old
//! test used an ordered comparison.

use super::check::{Counter, Facts, counters, is_defined};
use super::edits::{Compare, Edit, Edits, New};
use super::exits::test_of;
use super::flags::strengthened;
use super::remarks::IndVarsMissed;
use crate::cleanup::dead::is_removable;
use crate::counted::Exit;
use crate::shape::Shape;
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::expand::{self, Options, Plan};
use backedge_scev::{Expr, ScalarEvolution};

/// Maximum number of instructions examined that feed a test and can be removed with it: further ones stay.
const MOST_FEEDING: usize = 32;

/// A counter on which a test can be made.
struct Candidate {
    counter: Value,
    limit: Limit,
    /// The number of instructions of the loop that become dead.
    saved: usize,
    cost: u32,
}

enum Limit {
    Int(Int),
    Plan(Expr, Plan),
    Planned(New),
}

/// Collects the edits; returns the number of rewritten tests.
pub(super) fn find(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    budget: u32,
    edits: &mut Edits,
) -> usize {
    let body = scev.body();
    let mut done = 0;
    for exit in facts.exits.iter().filter(|e| e.is_analyzable() && !e.never) {
        if edits.settled.contains(exit.block) {
            continue;
        }
        let Some(test) = test_of(body, shape, facts, exit) else { continue };
        let mut candidates = Vec::new();
        for counter in counters(scev, body, facts) {
            candidates.extend(candidate(scev, shape, facts, exit, counter, edits));
        }
        let best = candidates
            .into_iter()
            .filter(|c| is_worth_it(body, test, c))
            .min_by_key(|c| (std::cmp::Reverse(c.saved), c.cost));
        let Some(best) = best else { continue };
        if best.cost > budget {
            edits.miss(IndVarsMissed::ExpensiveLimit);
            continue;
        }
        let right = match best.limit {
            Limit::Int(value) => New::Int(value),
            Limit::Planned(new) => new,
            Limit::Plan(expr, plan) => edits.plan(expr, facts.entry, plan),
        };
        let stays_if_true = shape.loops.contains(facts.l, body.inst(test).blocks[0]);
        let pred = if stays_if_true { P::Ne } else { P::Eq };
        let compare = Compare { pred, left: New::Value(best.counter), right, before: test, name: "exitcond" };
        edits.list.push(Edit::Compared(Use { user: test, index: 0 }, compare));
        done += 1;
    }
    done
}

/// The test of `exit` on `counter`, if it is possible.
fn candidate(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    exit: &Exit,
    counter: Counter,
    edits: &Edits,
) -> Option<Candidate> {
    let (test, count) = (scev.body().terminator(exit.block)?, exit.exact?);
    let Counter { phi, start, step } = counter;
    scev.as_constant(step).filter(|c| c.is_one() || c.is_all_ones())?;
    let width = scev.width(start);
    let fits = scev.width(count) <= width || !scev.unsigned_max(count).trunc_loses_unsigned(width);
    if !fits || !is_defined(scev, start, facts.entry) {
        return None;
    }
    let this = scev.add_rec(facts.l, &[start, step]);
    let before = expand::existing(scev, this, test).filter(|v| *v == Value::Inst(phi))?;
    // Prefer the value after the step: then the one before it need not stay live.
    let (counter, times) = match stepped(scev, shape, facts, counter, this, test) {
        Some(value) => (value.into(), plus_one(scev, facts, count, width)),
        None => (before, count),
    };
    let limit = scev.evaluate_at(&[start, step], times);
    if scev.is_could_not_compute(limit) {
        return None;
    }
    let saved = dying(scev, shape, facts, test, counter, edits).len();
    let (limit, cost) = if let Some(value) = scev.as_constant(limit) {
        (Limit::Int(value), 0)
    } else if let Some(known) =
        edits.planned(limit, facts.entry).filter(|_| is_defined(scev, limit, facts.entry))
    {
        (Limit::Planned(known), 0)
    } else {
        let options = Options { freeze: true, ..Options::default() };
        let plain = expand::plan(scev, limit, facts.entry, Options::default()).ok()?;
        // If the old test compares with the same value unfrozen, the new one need not freeze it.
        let plan = if compares_with(scev, test, limit) && plain.is_empty() {
            plain
        } else {
            expand::plan(scev, limit, facts.entry, options).ok()?
        };
        let cost = plan.cost();
        (Limit::Plan(limit, plan), cost)
    };
    Some(Candidate { counter, limit, saved, cost })
}

/// `count` plus one, modulo 2^width; computed in the narrower type if that does not wrap.
fn plus_one(scev: &mut ScalarEvolution<'_>, facts: &Facts, count: Expr, width: u32) -> Expr {
    let narrow = scev.width(count);
    let most = scev.constant(Int::all_ones(narrow));
    if narrow < width && !scev.is_entry_guarded(facts.l, P::Ne, count, most) {
        let (count, one) = (scev.zext(count, width), scev.int(width, 1));
        return scev.add(&[count, one]);
    }
    let one = scev.int(narrow, 1);
    scev.add(&[count, one])
}

/// The addition that computes the next value of the counter, whose recurrence is `this`, if it precedes the test and
/// is poison only where the counter is.
fn stepped(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    Counter { phi, step, .. }: Counter,
    this: Expr,
    test: Inst,
) -> Option<Inst> {
    let body = scev.body();
    let next = body.incoming_from(phi, facts.ring.latch)?.as_inst()?;
    let data = body.inst(next);
    let InstKind::Binary(BinaryOp::Add, flags) = data.kind else { return None };
    let (block, at) = (body.block_of(next)?, body.block_of(test)?);
    let is_before = block == at || shape.dominators.strictly_dominates(block, at);
    let by = if data.operands[0] == Value::Inst(phi) { data.operands[1] } else { data.operands[0] };
    let adds = data.operands.contains(&phi.into()) && scev.expr(by) == Some(step);
    let plain = BinaryFlags::default();
    let known = strengthened(scev, BinaryOp::Add, plain, [this, step], block);
    let holds = (known.nuw || !flags.nuw) && (known.nsw || !flags.nsw);
    (is_before && adds && holds).then_some(next)
}

/// Whether the test has `limit` as an operand.
fn compares_with(scev: &mut ScalarEvolution<'_>, test: Inst, limit: Expr) -> bool {
    let body = scev.body();
    let Some(condition) = body.inst(test).operands[0].as_inst() else { return false };
    let data = body.inst(condition);
    matches!(data.kind, InstKind::ICmp { .. }) && data.operands.iter().any(|v| scev.expr(*v) == Some(limit))
}

/// Whether the new test is better than the old one.
fn is_worth_it(body: &Body, test: Inst, candidate: &Candidate) -> bool {
    if candidate.saved > 1 {
        return true;
    }
    let there = match &candidate.limit {
        Limit::Int(_) | Limit::Planned(_) => true,
        Limit::Plan(_, plan) => plan.is_empty(),
    };
    let condition = body.inst(test).operands[0].as_inst().map(|i| body.inst(i));
    let ordered = condition.is_some_and(|c| match c.kind {
        InstKind::ICmp { pred, .. } => {
            !matches!(pred, P::Eq | P::Ne) && c.operands.contains(&candidate.counter)
        }
        _ => false,
    });
    there && ordered && candidate.saved > 0
}

/// The instructions of the loop that become dead if the test uses `counter`. The counters of tests that `edits`
/// rewrites stay needed: two tests that exchange their counters would save nothing.
fn dying(
    scev: &ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    test: Inst,
    counter: Value,
    edits: &Edits,
) -> EntitySet<Inst> {
    let body = scev.body();
    let inside = |i: Inst| shape.loops.contains_inst(body, facts.l, i);
    let mut after: Vec<Inst> = Vec::new();
    let mut work: Vec<Value> = vec![body.inst(test).operands[0]];
    while let Some(value) = work.pop() {
        let Some(inst) = value.as_inst().filter(|i| inside(*i) && value != counter) else { continue };
        if after.contains(&inst) || !is_removable(scev.at.env, body, inst) || after.len() == MOST_FEEDING {
            continue;
        }
        after.push(inst);
        work.extend(&body.inst(inst).operands);
    }
    let tested = |i: &Inst| {
        let on = |edit: &Edit| match edit {
            Edit::Compared(_, Compare { left: New::Value(left), .. }) => left.as_inst() == Some(*i),
            _ => false,
        };
        edits.list.iter().any(on)
    };
    let mut dead: EntitySet<Inst> = after.iter().copied().filter(|i| !tested(i)).collect();
    loop {
        let kept = |i: &Inst| {
            dead.contains(*i)
                && body
                    .code_uses((*i).into())
                    .any(|u| u.user != test && !dead.contains(u.user) || counter.as_inst() == Some(u.user))
        };
        let Some(needed) = after.iter().copied().find(kept) else { return dead };
        dead.remove(needed);
    }
}
