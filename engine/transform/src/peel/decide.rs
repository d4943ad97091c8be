//! Decides how many iterations to peel before a loop, or whether to peel the last one, and why.

use super::causes::{Cause, causes};
use super::remarks::{PeelMissed, Reason};
use super::settled::Settled;
use super::{LoopPeel, PEELED};
use crate::cost::profile::entry_count;
use crate::cost::{LoopCost, Relief, Table, What, settled_by, weigh_reliefs};
use crate::counted::{Exit, Facts, Unfit, least_count, plan_in_front};
use crate::iteration_split::check::{Point, points};
use crate::iteration_split::decide::BOUNDS;
use crate::loop_metadata;
use crate::shape::Shape;
use crate::size::weight_of;
use backedge_analysis::cache::At;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::InstKind;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, ScalarEvolution};

/// Cost limit for computing the count when peeling the last iteration, in units of an addition: the code runs on each
/// entry of the loop, even for few iterations.
const COUNT_BUDGET: u32 = 24;

/// The chosen transform of a loop.
#[derive(Debug)]
pub(super) enum Choice {
    /// Peel first iterations.
    First(First),
    /// Peel the last iteration.
    Last(Last),
}

/// A last iteration to peel.
#[derive(Debug)]
pub(super) struct Last {
    /// How to compute the backedge-taken count of the counted exits before the loop.
    pub(super) count: Plan,
    /// These exits, as indices into [`Facts::exits`]: only the last iteration tests them.
    pub(super) counted: Vec<usize>,
    /// Comparisons that change in the last iteration only, with their value before it.
    pub(super) settled: Vec<(Inst, bool)>,
    /// The cost table, unless peeling was requested.
    pub(super) table: Option<Table>,
}

/// First iterations to peel.
#[derive(Debug)]
pub(super) struct First {
    /// The number of iterations.
    pub(super) count: usize,
    /// The reason.
    pub(super) reason: Reason,
    /// Whether there are alternating phis that need no computation after peeling.
    pub(super) alternates: bool,
    /// Stores that become redundant in the loop.
    pub(super) stored: Vec<Inst>,
    /// Values that change in the peeled iterations and not after them.
    pub(super) settled: Vec<Settled>,
    /// The cost table, unless the number was requested.
    pub(super) table: Option<Table>,
}

impl First {
    fn asked(count: usize) -> Self {
        let (stored, settled) = (Vec::new(), Vec::new());
        Self { count, reason: Reason::Asked, alternates: false, stored, settled, table: None }
    }
}

/// Chooses the transform of a loop.
pub(super) fn decide(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    cost: LoopCost,
    options: &LoopPeel,
) -> Result<Choice, PeelMissed> {
    if options.last {
        let counted = counted(facts);
        let count = least_count(scev, facts, &counted).ok_or(PeelMissed::NotCounted)?;
        let count = plan_in_front(scev, facts, count).ok_or(PeelMissed::NotCounted)?;
        return Ok(Choice::Last(Last { count, counted, settled: Vec::new(), table: None }));
    }
    let too_large = Unfit::TooLarge { size: cost.size, limit: options.most_instructions };
    let too_large = PeelMissed::Unfit(too_large);
    let first = match options.count {
        Some(0) => return Err(PeelMissed::NoReason),
        Some(count) => First::asked(count),
        None => match weighed(scev, shape, facts, cost, options) {
            Ok(Choice::First(first)) => first,
            Ok(Choice::Last(_)) if cost.size > options.most_instructions => {
                return Err(too_large);
            }
            Ok(Choice::Last(last)) => return Ok(Choice::Last(last)),
            Err(missed) => by_profile(scev, shape, facts, cost, options).ok_or(missed)?,
        },
    };
    if facts.constant_max.is_some_and(|max| max.bits() < first.count as u128) {
        return Err(PeelMissed::TooFewIterations);
    }
    if cost.size.saturating_mul(first.count) > options.most_instructions {
        return Err(too_large);
    }
    Ok(Choice::First(first))
}

/// Peels as many iterations as profile data predicts, if these are few and the count is not known otherwise: the loop
/// usually ends in the peeled ones. The loop must end at its latch, except for exits from which the program does not
/// return.
fn by_profile(
    scev: &ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    cost: LoopCost,
    options: &LoopPeel,
) -> Option<First> {
    let (env, body) = (scev.at.env, scev.body());
    let is_called = entry_count(env, scev.at.func?).is_some_and(|count| count > 0);
    let profiled = options.profile && facts.constant.is_none() && is_called && cost.iteration.tight.is_none();
    let expected = cost.iteration.expected.filter(|_| profiled)?;
    let peeled = loop_metadata::number(env, body, facts.ring.latch, PEELED).map_or(0, |n| n.bits());
    let most = (options.most_instructions / cost.size.max(1)).saturating_sub(1).min(options.most_iterations);
    let mut others =
        shape.loops.exiting_edges(&shape.cfg, facts.l).into_iter().filter(|e| e.from != facts.ring.latch);
    let dead = |b| body.terminator(b).is_some_and(|t| matches!(body.inst(t).kind, InstKind::Unreachable));
    if u128::from(expected) + peeled > most as u128 || !others.all(|e| dead(e.to)) {
        return None;
    }
    let count = usize::try_from(expected).ok()?;
    Some(First { reason: Reason::Profile, ..First::asked(count) })
}

/// The most profitable number of iterations, if it is worthwhile.
fn weighed(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    facts: &Facts,
    cost: LoopCost,
    options: &LoopPeel,
) -> Result<Choice, PeelMissed> {
    if !options.simplifying {
        return Err(PeelMissed::NoReason);
    }
    let points = points(scev, shape, facts.l);
    let mut settled: Vec<Settled> =
        points.iter().filter_map(|point| Settled::comparison(scev, point)).collect();
    settled.extend(Settled::extremes(scev, shape, facts.l));
    let mut causes = causes(scev, shape, facts, &settled);
    causes.retain(|c| (1..=options.most_iterations).contains(&c.after));
    let last = changes_at_last(scev, facts, &points);
    if causes.is_empty() && last.is_none() {
        return Err(PeelMissed::NoReason);
    }
    let mut counts: Vec<usize> = causes.iter().map(|c| c.after).collect();
    counts.sort_unstable();
    counts.dedup();
    let at = scev.at;
    // Alternating values become free only after two iterations, not after more; rounds begin at one iteration only.
    let serves = |c: &Cause, count: usize| {
        let only = matches!(c.reason, Reason::Alternates | Reason::Lanes);
        if only { c.after == count } else { c.after <= count }
    };
    let relief_of = |count: usize| {
        let serving = || causes.iter().filter(|c| serves(c, count));
        let spares = serving().flat_map(|c| c.spares.iter().copied());
        let added = u32::try_from(cost.size.saturating_mul(count)).unwrap_or(u32::MAX);
        let relief = relief(at, What::Peeled(count), spares.collect(), added, count as u64);
        let in_rounds = serving().map(|c| c.in_rounds).max().unwrap_or(0);
        Relief { spared: relief.spared.saturating_add(in_rounds), ..relief }
    };
    let mut reliefs: Vec<Relief> = counts.into_iter().map(relief_of).collect();
    if let Some((_, settled)) = &last {
        let comparisons: Vec<Inst> = settled.iter().map(|(i, _)| *i).collect();
        let spares = settled_by(at.body, shape, facts.l, &comparisons).into_iter().chain(comparisons);
        let added = u32::try_from(cost.size).unwrap_or(u32::MAX).saturating_add(BOUNDS);
        reliefs.push(relief(at, What::PeeledLast, spares.collect(), added, 1));
    }
    let table = weigh_reliefs(&options.machine, cost.iteration, &reliefs);
    let count = match (table.chosen, last) {
        (Some(What::Peeled(count)), _) => count,
        (Some(What::PeeledLast), Some((count, settled))) => {
            return Ok(Choice::Last(Last { count, counted: counted(facts), settled, table: Some(table) }));
        }
        _ => return Err(PeelMissed::NotWorthIt(table)),
    };
    // The first reason with the largest count, in program order of phis and comparisons.
    let reason = causes.iter().find(|c| c.after == count).map_or(Reason::Asked, |c| c.reason);
    let stored = causes.iter().filter(|c| c.reason == Reason::Stored && c.after <= count);
    let stored = stored.flat_map(|c| c.spares.iter().copied()).collect();
    let alternates = causes.iter().any(|c| c.reason == Reason::Alternates && serves(c, count));
    settled.retain(|s| s.after <= count);
    Ok(Choice::First(First { count, reason, alternates, stored, settled, table: Some(table) }))
}

/// The cost-model entry for a transform after which an iteration need not execute `spared`, except for `as_before`
/// iterations.
fn relief(at: At<'_>, what: What, spared: EntitySet<Inst>, added: u32, as_before: u64) -> Relief {
    // A phi costs a copy in the latch; an invariant phi costs none.
    let weight = |i: Inst| weight_of(at.env, at.body, i).max(1);
    let is_branch = |i: &Inst| at.body.inst(*i).kind.is_terminator();
    Relief {
        what,
        spared: spared.iter().map(weight).fold(0, u32::saturating_add),
        branches: spared.iter().filter(is_branch).count() as u32,
        added,
        as_before,
    }
}

/// The comparisons that change in the last iteration and not before, with their value before it; and how to compute
/// the backedge-taken count, which is the number of that iteration.
fn changes_at_last(
    scev: &mut ScalarEvolution<'_>,
    facts: &Facts,
    points: &[Point],
) -> Option<(Plan, Vec<(Inst, bool)>)> {
    if points.is_empty() || facts.constant.is_some_and(|count| count.is_zero()) {
        return None;
    }
    let count = count_of_all(scev, facts)?;
    let mut settled = Vec::new();
    for point in points {
        let width = scev.width(count).max(scev.width(point.iteration));
        if scev.zext(point.iteration, width) == scev.zext(count, width) {
            settled.push((point.comparison, point.at_first));
        }
    }
    if settled.is_empty() {
        return None;
    }
    let plan = plan_in_front(scev, facts, count).filter(|plan| plan.cost() <= COUNT_BUDGET)?;
    Some((plan, settled))
}

/// The counted exits, as indices into [`Facts::exits`]. The last iteration by their count can be peeled after the
/// loop; the other exits may leave earlier.
fn counted(facts: &Facts) -> Vec<usize> {
    let is_counted = |e: &Exit| e.is_analyzable() && e.exact.is_some() && e.leave.is_some();
    (0..facts.exits.len()).filter(|i| is_counted(&facts.exits[*i])).collect()
}

/// The count of all exits, if all are counted.
fn count_of_all(scev: &mut ScalarEvolution<'_>, facts: &Facts) -> Option<Expr> {
    let counted = counted(facts);
    if counted.len() == facts.exits.len() { least_count(scev, facts, &counted) } else { None }
}
