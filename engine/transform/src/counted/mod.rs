//! Facts for passes that divide the iterations of a loop: the counts of its exits, and whether it can be copied.
//! Shared by unrolling, peeling, splitting and bound restriction; `indvars` uses the counts too.
//!
//! Needs nothing. Guarantees that a [`Ring`] from [`check_form`] is in loop-simplify form, and that its blocks can be
//! copied.

mod facts;
mod rounds;
mod unfit;
mod which;

pub(crate) use facts::{Exit, Facts};
pub use unfit::Unfit;

pub(crate) use rounds::count_rounds;
pub(crate) use which::{COUNT_BUDGET, Which, which_exit};

use crate::clone::{Ring, check};
use crate::cost::LoopCost;
use crate::pass::Unit;
use crate::shape::Shape;
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::Block;
use backedge_ir::inst::InstKind;
use backedge_ir::loop_options::allows_only_forced;
use backedge_scev::expand::{self, Plan};
use backedge_scev::{Expr, Kept, NAry, ScalarEvolution};

/// Upper limit for the size of all copies, in instructions, whatever is requested: keeps the code that one loop
/// becomes, and the time of later passes, bounded.
pub(crate) const MOST_INSTRUCTIONS: usize = 32 * 1024;

/// Checks that `l` has the required form and can be copied.
pub(crate) fn check_form(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> Result<Ring, Unfit> {
    let ring = check_form_but_copies(unit, shape, l)?;
    check::check(unit.env(), unit.body(), &ring.blocks).map_err(Unfit::Uncopyable)?;
    Ok(ring)
}

/// Checks only the form.
pub(crate) fn check_form_but_copies(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> Result<Ring, Unfit> {
    let body = unit.body();
    let ring = Ring::of(body, shape, l).ok_or(Unfit::NotSimplified)?;
    if !shape.loops.has_dedicated_exits(&shape.cfg, l) {
        return Err(Unfit::NotSimplified);
    }
    Ok(ring)
}

/// The facts about `l`, whose blocks are `ring`.
pub(crate) fn facts(scev: &mut ScalarEvolution<'_>, shape: &Shape, l: LoopId, ring: Ring) -> Facts {
    let counts = scev.counts(l);
    let constant = |scev: &ScalarEvolution<'_>, expr| {
        (!scev.is_could_not_compute(expr)).then(|| scev.as_constant(expr)).flatten()
    };
    let mut exits = Vec::new();
    for (block, count) in &counts.exits {
        let own = shape.loops.innermost(*block) == Some(l);
        let (stay, leave) = ways(scev.body(), shape, l, *block);
        let successors = scev.body().successors(*block);
        exits.push(Exit {
            block: *block,
            stay,
            stay_at: successors.iter().position(|b| Some(*b) == stay).unwrap_or(0),
            leave,
            passed: own && shape.dominators.dominates(*block, ring.latch),
            exact: (!scev.is_could_not_compute(count.exact)).then_some(count.exact),
            constant: constant(scev, count.exact),
            never: count.never,
        });
    }
    // Blocks that dominate the latch are totally ordered by dominance; reverse post-order is execution order.
    let passed = shape.loops.own_blocks(l).filter(|b| shape.dominators.dominates(*b, ring.latch));
    let executed = passed.flat_map(|b| scev.body().insts(b)).copied().collect();
    Facts {
        l,
        ring,
        exits,
        constant_max: constant(scev, counts.constant_max),
        constant: constant(scev, counts.exact),
        trip_multiple: u64::try_from(counts.trip_multiple.bits()).unwrap_or(1).max(1),
        executed,
    }
}

/// Collects the facts about the loop with that header and calls `decide`; an error if its iterations cannot be
/// divided.
pub(crate) fn facts_and<T, M: From<Unfit>>(
    unit: &mut Unit<'_>,
    header: Block,
    decide: impl FnOnce(&mut ScalarEvolution<'_>, &Shape, &Facts) -> Result<T, M>,
) -> Option<Result<(Facts, T), M>> {
    let shape = unit.shape();
    let l = shape.loops.with_header(header)?;
    let ring = match check_form(unit, &shape, l) {
        Ok(ring) => ring,
        Err(why) => return Some(Err(why.into())),
    };
    if allows_only_forced(unit.env(), unit.body(), ring.latch) {
        return Some(Err(Unfit::NotForced.into()));
    }
    let mut scev = Kept::new(unit.at());
    let facts = facts(&mut scev, &shape, l, ring);
    let decision = decide(&mut scev, &shape, &facts);
    Some(decision.map(|decision| (facts, decision)))
}

/// Like [`facts_and`], for decisions about copies of the loop's body: `decide` also gets the cost of the loop.
pub(crate) fn facts_and_weighed<T, M: From<Unfit>>(
    unit: &mut Unit<'_>,
    header: Block,
    decide: impl FnOnce(&mut ScalarEvolution<'_>, &Shape, &Facts, LoopCost) -> Result<T, M>,
) -> Option<Result<(Facts, T), M>> {
    facts_and(unit, header, |scev, shape, facts| {
        let cost = LoopCost::measure(scev.at, facts);
        decide(scev, shape, facts, cost)
    })
}

/// The only successor of `block` in the loop and the only one outside, each if there is exactly one.
fn ways(body: &Body, shape: &Shape, l: LoopId, block: Block) -> (Option<Block>, Option<Block>) {
    let conditional = body
        .terminator(block)
        .is_some_and(|t| matches!(body.inst(t).kind, InstKind::CondBr | InstKind::Switch));
    if !conditional {
        return (None, None);
    }
    let only = |inside: bool| {
        let mut of = body.successors(block).iter().filter(|b| shape.loops.contains(l, **b) == inside);
        let first = *of.next()?;
        of.all(|b| *b == first).then_some(first)
    };
    (only(true), only(false))
}

/// The minimum of the counts of those exits, given as indices into [`Facts::exits`] (in passing order). A later exit
/// is reached only if no earlier count is zero, and then its count is not poison, so the minimum is sequential.
pub(crate) fn least_count(scev: &mut ScalarEvolution<'_>, facts: &Facts, exits: &[usize]) -> Option<Expr> {
    let counts: Vec<Expr> = exits.iter().filter_map(|i| facts.exits[*i].exact).collect();
    let width = counts.iter().map(|e| scev.width(*e)).max()?;
    let wide: Vec<Expr> = counts.into_iter().map(|e| scev.zext(e, width)).collect();
    Some(match &wide[..] {
        [one] => *one,
        all => scev.min_max(NAry::UMinSeq, all),
    })
}

/// How to compute `expr` before the loop, frozen: if a count is poison there, the source's own test of the exit is UB
/// once it is reached.
pub(crate) fn plan_in_front(scev: &mut ScalarEvolution<'_>, facts: &Facts, expr: Expr) -> Option<Plan> {
    let at = scev.body().terminator(facts.ring.preheader)?;
    let options = expand::Options { freeze: true, ..expand::Options::default() };
    expand::plan(scev, expr, at, options).ok()
}
