//! Chooses a split, and plans the values that it needs before the loop.

use super::IterationSetSplit;
use super::check::{Point, points};
use super::remarks::IterationSplitMissed;
use crate::cost::{LoopCost, Relief, Table, What, settled_by, weigh_reliefs};
use crate::counted::{Facts, Unfit, least_count, plan_in_front};
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::int::Int;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, ScalarEvolution};

/// Cost of the bounds and of the branches between the two loops, in instructions, without the count.
pub(crate) const BOUNDS: u32 = 8;

/// The chosen split.
#[derive(Debug)]
pub(super) struct Choice {
    /// How to compute the iteration at which to split.
    pub(super) iteration: Plan,
    /// That iteration, if constant.
    pub(super) at: Option<u64>,
    /// How to compute the count of the exits that the first loop does not test.
    pub(super) count: Plan,
    /// These exits, as indices into [`Facts::exits`].
    pub(super) dropped: Vec<usize>,
    /// Whether the loop is left between the two loops if the first one makes all iterations.
    pub(super) leaves_between: bool,
    /// The comparison that motivates the split, if any.
    pub(super) comparison: Option<Settled>,
    /// The cost table, unless the split was requested.
    pub(super) table: Option<Table>,
}

/// A comparison that is settled by a split.
#[derive(Copy, Clone, Debug)]
pub(super) struct Settled {
    /// The comparison.
    pub(super) inst: Inst,
    /// Its value in the first loop.
    pub(super) at_first: bool,
    /// Whether it has the other value in all iterations of the second loop (except in its only iteration, if that is
    /// the last one).
    pub(super) stays: bool,
    /// Whether it has the other value only in the first of these iterations, with the same exception.
    pub(super) once: bool,
}

impl Settled {
    /// Whether no iteration needs the comparison any more.
    pub(super) fn everywhere(self) -> bool {
        self.stays || self.once
    }
}

/// Chooses a split of a loop.
pub(super) fn decide(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    cost: LoopCost,
    options: &IterationSetSplit,
) -> Result<Choice, IterationSplitMissed> {
    let counted: Vec<usize> = (0..facts.exits.len())
        .filter(|i| facts.exits[*i].is_analyzable() && facts.exits[*i].exact.is_some())
        .collect();
    if counted.is_empty() {
        return Err(IterationSplitMissed::NotCounted);
    }
    let (size, limit) = (cost.size, options.most_instructions);
    if size > limit {
        return Err(IterationSplitMissed::Unfit(Unfit::TooLarge { size, limit }));
    }
    let latch = counted.iter().copied().find(|i| {
        let exit = &facts.exits[*i];
        exit.block == facts.ring.latch && exit.leave.is_some()
    });
    // If only the latch's exit is counted, the first loop can make the last iteration too.
    let leaves_between = counted.len() == 1 && latch.is_some();
    let count = least_count(scev, facts, &counted).ok_or(IterationSplitMissed::NotCounted)?;
    let mut weighed = None;
    let point = match (options.at, options.multiple) {
        (Some(at), _) => (scev.constant(Int::new(64, u128::from(at))), None),
        (None, Some(factor)) => (multiple_below(scev, count, factor), None),
        (None, None) => {
            let points = points(scev, shape, facts.l);
            if points.is_empty() {
                return Err(IterationSplitMissed::NoPoint);
            }
            let (point, table) = best(scev.body(), shape, facts.l, points, cost, options)?;
            weighed = Some(table);
            let Point { comparison: inst, at_first, iteration, stays, once } = point;
            (iteration, Some(Settled { inst, at_first, stays, once: once && !stays }))
        }
    };
    let at = scev.as_constant(point.0).and_then(Int::to_u64);
    let most = scev.unsigned_range(count).unsigned_max().and_then(Int::to_u64);
    // The second loop begins with that iteration, unless that iteration is certainly past its end.
    let is_after = |at| leaves_between && most.is_some_and(|most| at > most);
    if at == Some(0) || options.at.is_some_and(is_after) {
        return Err(IterationSplitMissed::NothingLeft);
    }
    let (iteration, count) = same_width(scev, point.0, count);
    let mut plan = |expr| plan_in_front(scev, facts, expr).ok_or(IterationSplitMissed::ExpensiveCount);
    let (iteration, count) = (plan(iteration)?, plan(count)?);
    if iteration.cost().saturating_add(count.cost()) > options.count_budget {
        return Err(IterationSplitMissed::ExpensiveCount);
    }
    let (dropped, comparison) = (counted, point.1);
    Ok(Choice { iteration, at, count, dropped, leaves_between, comparison, table: weighed })
}

/// The split that saves the most work, if it is worth a copy of the loop (two copies if one iteration is peeled
/// between the loops). If the comparison is settled after the split too, the savings count fully, since both loops
/// lose it; otherwise half.
fn best(
    body: &Body,
    shape: &Shape,
    l: LoopId,
    points: Vec<Point>,
    cost: LoopCost,
    options: &IterationSetSplit,
) -> Result<(Point, Table), IterationSplitMissed> {
    let relief = |point: &Point| {
        let settled = settled_by(body, shape, l, &[point.comparison]);
        let share = if point.stays || point.once { 1 } else { 2 };
        let copies = if point.stays || !point.once { 1 } else { 2 };
        let branches = settled.iter().filter(|i| body.inst(**i).kind.is_terminator()).count() as u32;
        Relief {
            what: What::Split,
            spared: (settled.len() as u32 + 1) / share,
            branches: branches / share,
            added: u32::try_from(cost.size * copies).unwrap_or(u32::MAX).saturating_add(BOUNDS),
            as_before: 0,
        }
    };
    let reliefs: Vec<Relief> = points.iter().map(relief).collect();
    // The first one with the largest savings.
    let most = reliefs.iter().zip(points).reduce(|a, b| if b.0.spared > a.0.spared { b } else { a });
    let (relief, point) = most.ok_or(IterationSplitMissed::NoPoint)?;
    let table = weigh_reliefs(&options.machine, cost.iteration, &[*relief]);
    if table.chosen.is_some() { Ok((point, table)) } else { Err(IterationSplitMissed::NotWorthIt(table)) }
}

/// The greatest multiple of `factor` that is at most `count`.
fn multiple_below(scev: &mut ScalarEvolution<'_>, count: Expr, factor: u64) -> Expr {
    let width = scev.width(count);
    let by = Int::new(64, u128::from(factor));
    // A factor that the type cannot represent exceeds all counts.
    if by.bits() > Int::low_ones(width, width).bits() {
        return scev.constant(Int::zero(width));
    }
    let by = scev.constant(Int::new(width, by.bits()));
    let rounds = scev.udiv(count, by);
    scev.mul(&[rounds, by])
}

/// Both expressions zero-extended to the greater width.
fn same_width(scev: &mut ScalarEvolution<'_>, a: Expr, b: Expr) -> (Expr, Expr) {
    let width = scev.width(a).max(scev.width(b));
    (scev.zext(a, width), scev.zext(b, width))
}
