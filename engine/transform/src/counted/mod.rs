//! What is so of a loop whose iterations are to be taken apart: what its exits count, and whether it can be copied. What
//! unrolling, peeling, splitting and restricting iterations share; what is known of counts is of use to `indvars` too.
//!
//! Needs nothing. Guarantees of a [`Ring`] that [`check_form`] gives: loop simplify form, and blocks that can be copied.

mod rounds;
mod which;

pub(crate) use rounds::count_rounds;
pub(crate) use which::{COUNT_BUDGET, Which, which_exit};

use crate::clone::{Ring, Uncopyable, check};
use crate::cost::{Iteration, size_and_iteration};
use crate::pass::{Shape, Unit};
use backedge_analysis::LoopId;
use backedge_ir::body::Body;
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::InstKind;
use backedge_ir::int::Int;
use backedge_ir::loop_options::allows_only_forced;
use backedge_scev::expand::{self, Plan};
use backedge_scev::{Expr, Kept, NAry, ScalarEvolution};
use std::fmt;

/// How many instructions copies may come to, whatever is asked for.
pub(crate) const MOST_INSTRUCTIONS: usize = 32 * 1024;

/// Why the iterations of a loop can't be taken apart, whatever that would be good for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unfit {
    /// The loop is not in loop simplify form.
    NotSimplified,
    /// It can't be copied.
    Uncopyable(Uncopyable),
    /// Its metadata says that nothing is to be done that it does not ask for, and it does not ask for this.
    NotForced,
    /// It would become too large.
    TooLarge {
        /// How many instructions it has.
        size: usize,
        /// How many all copies may have.
        limit: usize,
    },
}

impl Unfit {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotSimplified => "NotSimplified",
            Self::Uncopyable(why) => why.name(),
            Self::NotForced => "NotForced",
            Self::TooLarge { .. } => "TooLarge",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSimplified => f.write_str("the loop is not in loop simplify form"),
            Self::Uncopyable(why) => write!(f, "the loop can't be copied: {why}"),
            Self::NotForced => f.write_str("its metadata allows only what it asks for"),
            Self::TooLarge { size, limit } => {
                write!(f, "copies of its {size} instructions would be more than {limit}")
            }
        }
    }
}

/// One exiting block of the loop itself (not of a loop within).
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// The block.
    pub(crate) block: Block,
    /// The one successor in the loop that it has beside the exits, if there is just one.
    pub(crate) stay: Option<Block>,
    /// The place of that successor in the terminator, which copies keep.
    pub(crate) stay_at: usize,
    /// The one exit block that it leaves for, if there is just one.
    pub(crate) leave: Option<Block>,
    /// Whether each iteration passes it.
    pub(crate) passed: bool,
    /// The exact count of iterations before the one in which it leaves.
    pub(crate) exact: Option<Expr>,
    /// The same as a number.
    pub(crate) constant: Option<Int>,
    /// It is known never to leave.
    pub(crate) never: bool,
}

impl Exit {
    /// Whether its test can be left out where its count says that it stays.
    pub(crate) fn is_analyzable(&self) -> bool {
        self.passed && self.stay.is_some() && (self.exact.is_some() || self.never)
    }
}

/// What is so of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// Its blocks.
    pub(crate) ring: Ring,
    /// Its exits, in the order in which they are passed.
    pub(crate) exits: Vec<Exit>,
    /// A number that its backedge-taken count does not exceed.
    pub(crate) constant_max: Option<Int>,
    /// Its backedge-taken count, if that is a number.
    pub(crate) constant: Option<Int>,
    /// What divides the number of its iterations.
    pub(crate) trip_multiple: u64,
    /// The instructions of the loop itself that each iteration executes, in the order of execution.
    pub(crate) executed: Vec<Inst>,
}

/// Whether `l` has the form that this needs, and can be copied.
pub(crate) fn check_form(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> Result<Ring, Unfit> {
    let ring = check_form_but_copies(unit, shape, l)?;
    check::check(unit.env(), unit.body(), &ring.blocks).map_err(Unfit::Uncopyable)?;
    Ok(ring)
}

/// The same, but whether it can be copied.
pub(crate) fn check_form_but_copies(unit: &Unit<'_>, shape: &Shape, l: LoopId) -> Result<Ring, Unfit> {
    let body = unit.body();
    let ring = Ring::of(body, shape, l).ok_or(Unfit::NotSimplified)?;
    if !shape.loops.has_dedicated_exits(&shape.cfg, l) {
        return Err(Unfit::NotSimplified);
    }
    Ok(ring)
}

/// What `scev` knows of `l`, whose blocks are `ring`.
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
    // Blocks that dominate the latch dominate each other; reverse post-order is the order in which they come.
    let passed = shape.loops.own_blocks(l).filter(|b| shape.dominators.dominates(*b, ring.latch));
    let executed = passed.flat_map(|b| scev.body().insts(b)).copied().collect();
    Facts {
        ring,
        exits,
        constant_max: constant(scev, counts.constant_max),
        constant: constant(scev, counts.exact),
        trip_multiple: u64::try_from(counts.trip_multiple.bits()).unwrap_or(1).max(1),
        executed,
    }
}

/// What is so of the loop with that header, and what `decide` makes of it; why not, where its iterations can't be taken
/// apart.
pub(crate) fn facts_and<T, M: From<Unfit>>(
    unit: &mut Unit<'_>,
    header: Block,
    decide: impl FnOnce(&mut ScalarEvolution<'_>, &Shape, LoopId, &Facts) -> Result<T, M>,
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
    let decision = decide(&mut scev, &shape, l, &facts);
    Some(decision.map(|decision| (facts, decision)))
}

/// The same where copies of the loop's body are weighed: `decide` is told how many instructions it has and what an
/// iteration costs, too.
pub(crate) fn facts_and_weighed<T, M: From<Unfit>>(
    unit: &mut Unit<'_>,
    header: Block,
    decide: impl FnOnce(&mut ScalarEvolution<'_>, &Shape, (LoopId, &Facts), (usize, Iteration)) -> Result<T, M>,
) -> Option<Result<(Facts, T), M>> {
    facts_and(unit, header, |scev, shape, l, facts| {
        let weight = size_and_iteration(scev.at, facts);
        decide(scev, shape, (l, facts), weight)
    })
}

/// Where `block` goes on in the loop, and where it leaves for, if there is one block of either kind.
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

/// The least count of those exits, by their place in [`Facts::exits`], which is the order in which they are passed: while
/// none of the earlier ones is zero, a later one is reached, and its count is no poison.
pub(crate) fn least_count(scev: &mut ScalarEvolution<'_>, facts: &Facts, exits: &[usize]) -> Option<Expr> {
    let counts: Vec<Expr> = exits.iter().filter_map(|i| facts.exits[*i].exact).collect();
    let width = counts.iter().map(|e| scev.width(*e)).max()?;
    let wide: Vec<Expr> = counts.into_iter().map(|e| scev.zext(e, width)).collect();
    Some(match &wide[..] {
        [one] => *one,
        all => scev.min_max(NAry::UMinSeq, all),
    })
}

/// How `expr` is computed in front of the loop, frozen: a count that is poison there makes the source's own test of the
/// exit undefined where it comes to that.
pub(crate) fn plan_in_front(scev: &mut ScalarEvolution<'_>, facts: &Facts, expr: Expr) -> Option<Plan> {
    let at = scev.body().terminator(facts.ring.preheader)?;
    let options = expand::Options { freeze: true, ..expand::Options::default() };
    expand::plan(scev, expr, at, options).ok()
}
