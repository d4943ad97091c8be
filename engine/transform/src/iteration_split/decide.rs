//! Which split, and what it depends on in front of the loop.

use super::check::{Point, points};
use super::{IterationSetSplit, Missed};
use crate::counted::{Facts, Unfit, least_count, plan_in_front};
use crate::pass::Shape;
use backedge_analysis::LoopId;
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, ScalarEvolution};

/// What is to be done with a loop.
#[derive(Debug)]
pub(super) struct Choice {
    /// How the iteration is computed at which it is split.
    pub(super) iteration: Plan,
    /// How the count of the exits is computed that the first loop does not test.
    pub(super) count: Plan,
    /// Those exits, by their place in [`Facts::exits`].
    pub(super) dropped: Vec<usize>,
    /// Whether the loop is left between the two loops if the first one makes all iterations.
    pub(super) leaves_between: bool,
    /// The comparison that is settled by the split, if that is why.
    pub(super) comparison: Option<Settled>,
}

/// A comparison that is settled by a split.
#[derive(Copy, Clone, Debug)]
pub(super) struct Settled {
    /// The comparison.
    pub(super) inst: Inst,
    /// What it is in the first loop.
    pub(super) at_first: bool,
    /// Whether it is the other in all of the second loop's iterations, but the last if that is the only one.
    pub(super) stays: bool,
}

/// Chooses for a loop of `size` instructions.
pub(super) fn decide(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    size: usize,
    options: &IterationSetSplit,
) -> Result<Choice, Missed> {
    let counted: Vec<usize> = (0..facts.exits.len())
        .filter(|i| facts.exits[*i].is_analyzable() && facts.exits[*i].exact.is_some())
        .collect();
    if counted.is_empty() {
        return Err(Missed::NotCounted);
    }
    if size > options.most_instructions {
        return Err(Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions }));
    }
    let latch = counted.iter().copied().find(|i| {
        let exit = &facts.exits[*i];
        exit.block == facts.ring.latch && exit.leave.is_some()
    });
    // If only the latch's exit is counted, the first loop can make the last iteration too.
    let leaves_between = counted.len() == 1 && latch.is_some();
    let count = least_count(scev, facts, &counted).ok_or(Missed::NotCounted)?;
    let point = match options.at {
        Some(at) => (scev.constant(Int::new(64, u128::from(at))), None),
        None => {
            let point = best(points(scev, shape, l)).ok_or(Missed::NoPoint)?;
            let Point { comparison: inst, at_first, iteration, stays } = point;
            (iteration, Some(Settled { inst, at_first, stays }))
        }
    };
    let (iteration, count) = same_width(scev, point.0, count);
    let mut plan = |expr| plan_in_front(scev, facts, expr).ok_or(Missed::ExpensiveCount);
    let (iteration, count) = (plan(iteration)?, plan(count)?);
    if iteration.cost().saturating_add(count.cost()) > options.count_budget {
        return Err(Missed::ExpensiveCount);
    }
    Ok(Choice { iteration, count, dropped: counted, leaves_between, comparison: point.1 })
}

/// The point to split at: one from which on the comparison stays as it is comes first, as both loops lose it then.
fn best(points: Vec<Point>) -> Option<Point> {
    points.into_iter().reduce(|best, other| if other.stays && !best.stays { other } else { best })
}

/// Both as unsigned numbers of the width of the wider one.
fn same_width(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr) -> (Expr, Expr) {
    let width = scev.width(a).max(scev.width(b));
    (scev.zext(a, width), scev.zext(b, width))
}
