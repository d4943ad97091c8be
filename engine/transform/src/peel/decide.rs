//! How many iterations are put in front of a loop, and whether one is put behind it, and why.

use super::{LoopPeel, Missed, Reason};
use crate::counted::{Facts, Unfit, least_count, plan_in_front};
use crate::iteration_split::check::points;
use crate::pass::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::Value;
use backedge_scev::ScalarEvolution;
use backedge_scev::expand::Plan;
use backedge_scev::recognize::Step;
use rustc_hash::FxHashMap;

/// How many phis of a header are looked at.
const MOST_PHIS: usize = 64;

/// What is to be done with a loop.
#[derive(Debug)]
pub(super) enum Choice {
    /// That many iterations in front.
    First(usize, Reason),
    /// The last iteration behind; the plan computes the backedge-taken count in front.
    Last(Plan),
}

/// Chooses for a loop of `size` instructions.
pub(super) fn decide(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    size: usize,
    options: &LoopPeel,
) -> Result<Choice, Missed> {
    if options.last {
        return last(scev, facts).map(Choice::Last);
    }
    let (count, reason) = match options.count {
        Some(0) => return Err(Missed::NoReason),
        Some(count) => (count, Reason::Asked),
        None => wanted(scev, shape, l, facts, options.most_iterations).ok_or(Missed::NoReason)?,
    };
    if facts.constant_max.is_some_and(|max| max.bits() < count as u128) {
        return Err(Missed::TooFewIterations);
    }
    if size.saturating_mul(count) > options.most_instructions {
        return Err(Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions }));
    }
    Ok(Choice::First(count, reason))
}

/// The most iterations for which there is a reason, up to `most`.
fn wanted(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    l: LoopId,
    facts: &Facts,
    most: usize,
) -> Option<(usize, Reason)> {
    let phis: Vec<Inst> = scev.body().phis(facts.ring.header).take(MOST_PHIS).collect();
    let mut reasons = Vec::new();
    let mut depths = FxHashMap::default();
    for &phi in &phis {
        if let Some(depth) = invariant_after(scev.body(), shape, l, facts, phi, &mut depths) {
            reasons.push((depth, Reason::Invariant));
        }
        let Some(recurrence) = scev.recurrence(phi.into()).filter(|r| r.l == l) else { continue };
        match recurrence.step {
            Step::Xor | Step::Reflect => reasons.push((2, Reason::Alternates)),
            Step::And | Step::Or | Step::Extreme(_) => reasons.push((1, Reason::Settles)),
            Step::Mul | Step::Shl | Step::LShr | Step::AShr | Step::UDiv => {}
        }
    }
    for point in points(scev, shape, l).into_iter().filter(|p| p.stays) {
        let iteration = scev.as_constant(point.iteration).and_then(|n| usize::try_from(n.bits()).ok());
        reasons.extend(iteration.map(|n| (n, Reason::Decided)));
    }
    // The first of the longest: the order of phis and comparisons is that of the text.
    reasons.into_iter().filter(|(n, _)| (1..=most).contains(n)).reduce(|a, b| if b.0 > a.0 { b } else { a })
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
