//! Conditions in a loop that hold up to some iteration and then no more, where nothing that can be seen is done in the
//! iterations in which they don't: the loop need not make those.
//!
//! | pass | what it makes of `for (i = 1; i != n; i++) if (i < a) body` |
//! |---|---|
//! | `early-exit-inversion` | `for (i = 1; i != n; i++) { if (i >= a) break; body }`: two exits, no other branch |
//! | `bound-restriction` | `if (1 < a) for (i = 1; i != min(n, a); i++) body`: one exit, no other branch |
//!
//! The edge conditions: the condition changes at most once, over all iterations that happen; what comes before it in an
//! iteration is seen by nobody; the loop would have come to its end; what it leaves behind is known, or stays as it is
//! when the condition no longer holds. The lesser of the bounds is compared as a number of iterations, so it does not
//! matter whether `n` or `a` are reached at all, nor that one of them lies on the other side of where counting wraps.
//! Inversion takes loops with several exits that lead to different ends too, if their counts tell by which one the loop would
//! have been left.
//!
//! Of `i < a && b`, with `and` or as a select, it is enough that one part changes; the other one stays in the loop. What is
//! left behind is looked at again: `i < a && i < b` leaves nothing.
//!
//! Needs a loop in loop simplify form and LCSSA form, and restores both.

mod apply;
mod check;
mod parts;

use crate::cleanup::clean_loop;
use crate::counted::{COUNT_BUDGET, Facts, Unfit, facts_and, plan_in_front};
use crate::debug_records;
use crate::form;
use crate::loop_metadata;
use crate::pass::{LoopPass, Unit};
use crate::weights;
use apply::Bound;
use backedge_ir::entity::Block;
use backedge_ir::inst::InstKind;
use backedge_scev::ScalarEvolution;
use check::{End, Turn};
use parts::Order;
use std::fmt;

/// The name of the pass that leaves early.
pub const INVERSION: &str = "early-exit-inversion";
/// The name of the pass that restricts the bound.
pub const RESTRICTION: &str = "bound-restriction";

/// What a pass did to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Done {
    /// The loop is left where the condition no longer holds.
    Inverted,
    /// The loop makes the iterations in which it holds.
    Restricted,
}

impl Done {
    /// The name of what was done.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Inverted => "Inverted",
            Self::Restricted => "Restricted",
        }
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inverted => "left where the condition no longer holds",
            Self::Restricted => "restricted to the iterations in which the condition holds",
        })
    }
}

/// Why a pass did nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// The loop is not in loop simplify form, or must not be touched.
    Unfit(Unfit),
    /// No branch within the loop is passed by each iteration.
    NoBranch,
    /// No such branch depends on a comparison that changes at most once.
    NotMonotonic,
    /// Something is done when the condition does not hold that can be seen.
    Seen,
    /// There is a loop within that runs when the condition does not hold.
    InnerLoop,
    /// There are several ways out that lead to different ends, or none, when the condition does not hold, and it can't
    /// be told which of them it is, or makes no bound.
    SeveralExits,
    /// It is not known that the loop ends.
    MayRunForever,
    /// What the loop leaves behind is not known.
    LiveOut,
    /// The bounds can't be computed in front of the loop, or the latch does not decide on them.
    NotCounted,
    /// Of a condition of several parts the one that changes may be poison where it is not looked at.
    MayBePoison,
}

impl Missed {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfit(why) => why.name(),
            Self::NoBranch => "NoBranch",
            Self::NotMonotonic => "NotMonotonic",
            Self::Seen => "Seen",
            Self::InnerLoop => "InnerLoop",
            Self::SeveralExits => "SeveralExits",
            Self::MayRunForever => "MayRunForever",
            Self::LiveOut => "LiveOut",
            Self::NotCounted => "NotCounted",
            Self::MayBePoison => "MayBePoison",
        }
    }
}

impl From<Unfit> for Missed {
    fn from(why: Unfit) -> Self {
        Self::Unfit(why)
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unfit(why) => return why.fmt(f),
            Self::NoBranch => "no branch within it is passed by each iteration",
            Self::NotMonotonic => "no branch depends on a comparison that changes at most once",
            Self::Seen => "something is done when the condition does not hold",
            Self::InnerLoop => "a loop within it runs when the condition does not hold",
            Self::SeveralExits => "there is not one way out when the condition does not hold",
            Self::MayRunForever => "it may run forever",
            Self::LiveOut => "what it leaves behind is not known",
            Self::NotCounted => "the bounds can't be computed in front of it",
            Self::MayBePoison => "the comparison that changes may be poison where others decide",
        })
    }
}

/// `early-exit-inversion`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EarlyExitInversion;

/// `bound-restriction`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BoundRestriction;

/// How often a loop is looked at again.
const MOST_TURNS: usize = 4;

impl LoopPass for EarlyExitInversion {
    fn text(&self) -> String {
        INVERSION.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        repeat(unit, header, INVERSION, Done::Inverted, |unit| {
            let (facts, turn, ()) = match find(unit, header, testable)? {
                Ok(found) => found,
                Err(missed) => return Some(Err(missed)),
            };
            begin(unit, &facts, &turn);
            apply::invert(&mut unit.env_and_editor_at(facts.ring.latch).1, &turn);
            Some(Ok(()))
        })
    }
}

impl LoopPass for BoundRestriction {
    fn text(&self) -> String {
        RESTRICTION.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        repeat(unit, header, RESTRICTION, Done::Restricted, |unit| {
            let (facts, turn, bound) = match find(unit, header, bound)? {
                Ok(found) => found,
                Err(missed) => return Some(Err(missed)),
            };
            begin(unit, &facts, &turn);
            apply::restrict(&mut unit.env_and_editor_at(facts.ring.latch).1, &facts, &turn, &bound);
            Some(Ok(()))
        })
    }
}

/// Takes away what is not so of fewer iterations: it was counted how often the branch goes either way, and how many
/// iterations there were with the idle ones; and debug records behind the loop are reached with other values.
fn begin(unit: &mut Unit<'_>, facts: &Facts, turn: &Turn) {
    let ring = &facts.ring;
    loop_metadata::estimate(unit, ring.latch, |_| None);
    let mut editor = unit.editor();
    weights::forget(&mut editor, turn.end.from().into_iter().chain([turn.block]));
    let behind = debug_records::behind(editor.body(), &ring.blocks);
    debug_records::detach(&mut editor, &behind);
}

/// Lets `once` change the loop as often as it can; why it can't is said of a loop that it does not change at all.
fn repeat(
    unit: &mut Unit<'_>,
    header: Block,
    pass: &'static str,
    done: Done,
    once: impl Fn(&mut Unit<'_>) -> Option<Result<(), Missed>>,
) -> Option<Block> {
    for times in 0..MOST_TURNS {
        let label = unit.label(header);
        match once(unit)? {
            Ok(()) => unit.remark_at(pass, label, done.clone()),
            Err(missed) => {
                if times == 0 {
                    unit.remark(pass, header, missed);
                }
                break;
            }
        }
        form::restore(unit);
        clean_loop(unit, header)?;
    }
    Some(header)
}

/// The branch that the loop may be left at, with what `more` needs beyond.
fn find<T>(
    unit: &mut Unit<'_>,
    header: Block,
    more: impl Fn(&mut ScalarEvolution<'_>, &Facts, &Turn) -> Result<T, Missed>,
) -> Option<Result<(Facts, Turn, T), Missed>> {
    let found = facts_and(unit, header, |scev, shape, l, facts| check::turn(scev, shape, l, facts, more));
    found.map(|found| found.map(|(facts, (turn, more))| (facts, turn, more)))
}

/// Whether the loop can be left by a branch on the comparison that changes.
fn testable(_: &mut ScalarEvolution<'_>, facts: &Facts, turn: &Turn) -> Result<(), Missed> {
    match turn.order {
        Order::Unknown => Err(Missed::MayBePoison),
        // The loop is closed by the branch itself.
        Order::First { .. } | Order::Last { .. } if turn.block == facts.ring.latch => {
            Err(Missed::SeveralExits)
        }
        Order::Alone | Order::First { .. } | Order::Last { .. } => Ok(()),
    }
}

/// How the bounds are computed in front of the loop, of which the lesser one is to count.
fn bound(scev: &mut ScalarEvolution<'_>, facts: &Facts, turn: &Turn) -> Result<Bound, Missed> {
    let End::Same { leaves, values, .. } = &turn.end else { return Err(Missed::SeveralExits) };
    let latch = facts.exits.iter().find(|e| e.block == facts.ring.latch).ok_or(Missed::NotCounted)?;
    let goes_both_ways = latch.stay == Some(facts.ring.header) && latch.leave == Some(leaves.to);
    let terminator = scev.body().terminator(latch.block);
    let is_branch = terminator.is_some_and(|t| matches!(scev.body().inst(t).kind, InstKind::CondBr));
    if leaves.from != facts.ring.latch || !goes_both_ways || !is_branch {
        return Err(Missed::NotCounted);
    }
    if !values.iter().all(|out| out.when_taken) {
        return Err(Missed::LiveOut);
    }
    let (iteration, count) = turn.iteration.zip(latch.exact).ok_or(Missed::NotCounted)?;
    let width = scev.width(iteration).max(scev.width(count));
    let mut plan = |expr| {
        let wide = scev.zext(expr, width);
        plan_in_front(scev, facts, wide).ok_or(Missed::NotCounted)
    };
    let bound =
        Bound { exit: leaves.to, values: values.clone(), iteration: plan(iteration)?, count: plan(count)? };
    let cost = bound.iteration.cost().saturating_add(bound.count.cost());
    if cost > COUNT_BUDGET { Err(Missed::NotCounted) } else { Ok(bound) }
}
