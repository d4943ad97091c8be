//! How many iterations are put in front of a loop, and whether one is put behind it, and why.

use super::causes::{Cause, causes};
use super::settled::Settled;
use super::{LoopPeel, Missed, PEELED, Reason};
use crate::cost::profile::entry_count;
use crate::cost::{Iteration, Relief, Table, What, settled_by, weigh_reliefs};
use crate::counted::{Exit, Facts, Unfit, least_count, plan_in_front};
use crate::iteration_split::check::{Point, points};
use crate::iteration_split::decide::BOUNDS;
use crate::loop_metadata;
use crate::pass::Shape;
use crate::size::weight_of;
use backedge_analysis::LoopId;
use backedge_analysis::cache::At;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::InstKind;
use backedge_scev::expand::Plan;
use backedge_scev::{Expr, ScalarEvolution};

/// What computing the count may cost where the last iteration is put behind, in units of an addition.
const COUNT_BUDGET: u32 = 24;

/// What is to be done with a loop.
#[derive(Debug)]
pub(super) enum Choice {
    /// Iterations in front.
    First(First),
    /// The last iteration behind.
    Last(Last),
}

/// A last iteration that is put behind a loop.
#[derive(Debug)]
pub(super) struct Last {
    /// How the backedge-taken count of the exits that are counted is computed in front of the loop.
    pub(super) count: Plan,
    /// Those exits, by their place in [`Facts::exits`]: only the last iteration tests them.
    pub(super) counted: Vec<usize>,
    /// Comparisons that are the other in the last iteration, and only there, with what they are before.
    pub(super) settled: Vec<(Inst, bool)>,
    /// What was weighed, if it is not asked for.
    pub(super) table: Option<Table>,
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
    /// What changes in the peeled iterations and not behind them.
    pub(super) settled: Vec<Settled>,
    /// What was weighed, if the number is not given.
    pub(super) table: Option<Table>,
}

impl First {
    fn asked(count: usize) -> Self {
        let (stored, settled) = (Vec::new(), Vec::new());
        Self { count, reason: Reason::Asked, alternates: false, stored, settled, table: None }
    }
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
        let counted = counted(facts);
        let count = least_count(scev, facts, &counted).ok_or(Missed::NotCounted)?;
        let count = plan_in_front(scev, facts, count).ok_or(Missed::NotCounted)?;
        return Ok(Choice::Last(Last { count, counted, settled: Vec::new(), table: None }));
    }
    let first = match options.count {
        Some(0) => return Err(Missed::NoReason),
        Some(count) => First::asked(count),
        None => match weighed(scev, shape, (l, facts), (size, iteration), options) {
            Ok(Choice::First(first)) => first,
            Ok(Choice::Last(_)) if size > options.most_instructions => {
                return Err(Missed::Unfit(Unfit::TooLarge { size, limit: options.most_instructions }));
            }
            Ok(Choice::Last(last)) => return Ok(Choice::Last(last)),
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
    let is_called = entry_count(env, scev.at.func?).is_some_and(|count| count > 0);
    let profiled = options.profile && facts.constant.is_none() && is_called && iteration.tight.is_none();
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

/// The iterations for which most speaks, if it is worth it.
fn weighed(
    scev: &mut ScalarEvolution<'_>,
    shape: &Shape,
    (l, facts): (LoopId, &Facts),
    (size, iteration): (usize, Iteration),
    options: &LoopPeel,
) -> Result<Choice, Missed> {
    if !options.simplifying {
        return Err(Missed::NoReason);
    }
    let points = points(scev, shape, l);
    let mut settled: Vec<Settled> =
        points.iter().filter_map(|point| Settled::comparison(scev, point)).collect();
    settled.extend(Settled::extremes(scev, shape, l));
    let mut causes = causes(scev, shape, (l, facts), &settled);
    causes.retain(|c| (1..=options.most_iterations).contains(&c.after));
    let last = changes_at_last(scev, facts, &points);
    if causes.is_empty() && last.is_none() {
        return Err(Missed::NoReason);
    }
    let mut counts: Vec<usize> = causes.iter().map(|c| c.after).collect();
    counts.sort_unstable();
    counts.dedup();
    let at = scev.at;
    // What alternates does so without being computed behind two iterations, not behind more; rounds begin at one place.
    let serves = |c: &Cause, count: usize| {
        let only = matches!(c.reason, Reason::Alternates | Reason::Lanes);
        if only { c.after == count } else { c.after <= count }
    };
    let relief_of = |count: usize| {
        let serving = || causes.iter().filter(|c| serves(c, count));
        let spares = serving().flat_map(|c| c.spares.iter().copied());
        let added = u32::try_from(size.saturating_mul(count)).unwrap_or(u32::MAX);
        let relief = relief(at, What::Peeled(count), spares.collect(), (added, count as u64));
        let in_rounds = serving().map(|c| c.in_rounds).max().unwrap_or(0);
        Relief { spared: relief.spared.saturating_add(in_rounds), ..relief }
    };
    let mut reliefs: Vec<Relief> = counts.into_iter().map(relief_of).collect();
    if let Some((_, settled)) = &last {
        let comparisons: Vec<Inst> = settled.iter().map(|(i, _)| *i).collect();
        let spares = settled_by(at.body, shape, l, &comparisons).into_iter().chain(comparisons);
        let added = u32::try_from(size).unwrap_or(u32::MAX).saturating_add(BOUNDS);
        reliefs.push(relief(at, What::PeeledLast, spares.collect(), (added, 1)));
    }
    let table = weigh_reliefs(&options.machine, iteration, &reliefs);
    let count = match (table.chosen, last) {
        (Some(What::Peeled(count)), _) => count,
        (Some(What::PeeledLast), Some((count, settled))) => {
            return Ok(Choice::Last(Last { count, counted: counted(facts), settled, table: Some(table) }));
        }
        _ => return Err(Missed::NotWorthIt(table)),
    };
    // The first of the longest: the order of phis and comparisons is that of the text.
    let reason = causes.iter().find(|c| c.after == count).map_or(Reason::Asked, |c| c.reason);
    let stored = causes.iter().filter(|c| c.reason == Reason::Stored && c.after <= count);
    let stored = stored.flat_map(|c| c.spares.iter().copied()).collect();
    let alternates = causes.iter().any(|c| c.reason == Reason::Alternates && serves(c, count));
    settled.retain(|s| s.after <= count);
    Ok(Choice::First(First { count, reason, alternates, stored, settled, table: Some(table) }))
}

/// What is made of a loop, in which an iteration need not execute `spared`, but for some.
fn relief(at: At<'_>, what: What, spared: EntitySet<Inst>, (added, as_before): (u32, u64)) -> Relief {
    // A phi is a copy in the latch; one that is invariant is none.
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

/// The comparisons that are the other in the last iteration and not before, with what they are before; and how the
/// backedge-taken count is computed, which is the number of that iteration.
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

/// The exits that are counted, by their place in [`Facts::exits`]: the last iteration by their count can be put behind the
/// loop, which the others may leave before.
fn counted(facts: &Facts) -> Vec<usize> {
    let is_counted = |e: &Exit| e.is_analyzable() && e.exact.is_some() && e.leave.is_some();
    (0..facts.exits.len()).filter(|i| is_counted(&facts.exits[*i])).collect()
}

/// The count of all exits, if they are all counted.
fn count_of_all(scev: &mut ScalarEvolution<'_>, facts: &Facts) -> Option<Expr> {
    let counted = counted(facts);
    if counted.len() == facts.exits.len() { least_count(scev, facts, &counted) } else { None }
}
