//! Skips iterations without visible effects: a condition in the loop holds before some iteration and in none after
//! it, and iterations in which it fails do nothing visible.
//!
//! | pass | result for `for (i = 1; i != n; i++) if (i < a) body` |
//! |---|---|
//! | `early-exit-inversion` | `for (i = 1; i != n; i++) { if (i >= a) break; body }`: two exits, no other branch |
//! | `bound-restriction` | `if (1 < a) for (i = 1; i != min(n, a); i++) body`: one exit, no other branch |
//!
//! Preconditions: the condition changes at most once over all iterations that happen; the code before the branch has
//! no visible effect; the loop would have terminated; its live-out values are known, or do not change once the
//! condition fails. The bounds are compared as numbers of iterations, so it does not matter whether `n` or `a` are
//! reached at all, nor on which side of the wrap-around point they are. Inversion also accepts loops with several
//! exits to different blocks, if the counts determine which exit would have been taken.
//!
//! For `i < a && b`, with `and` or as a select, it is enough that one part changes; the other part stays in the loop.
//! The remaining loop is examined again: `i < a && i < b` leaves no branch.
//!
//! Needs a loop in loop-simplify form and LCSSA form, and restores both.

mod apply;
mod check;
mod parts;
mod remarks;

pub use remarks::{RestrictDone, RestrictMissed};

use crate::cleanup::clean_loop;
use crate::counted::Facts;
use crate::counted::{COUNT_BUDGET, facts_and, plan_in_front};
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

/// The name of the pass that exits early.
pub const INVERSION: &str = "early-exit-inversion";
/// The name of the pass that restricts the bound.
pub const RESTRICTION: &str = "bound-restriction";

/// `early-exit-inversion`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EarlyExitInversion;

/// `bound-restriction`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BoundRestriction;

/// Maximum number of times that a loop is transformed: each time removes one condition.
const MOST_TURNS: usize = 4;

impl LoopPass for EarlyExitInversion {
    fn text(&self) -> String {
        INVERSION.to_owned()
    }
    fn run(&self, unit: &mut Unit<'_>, header: Block) -> Option<Block> {
        repeat(unit, header, INVERSION, RestrictDone::Inverted, |unit| {
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
        repeat(unit, header, RESTRICTION, RestrictDone::Restricted, |unit| {
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

/// Drops data that is wrong for fewer iterations: branch weights and trip-count estimates, which count idle
/// iterations, and values of debug records after the loop.
fn begin(unit: &mut Unit<'_>, facts: &Facts, turn: &Turn) {
    let ring = &facts.ring;
    loop_metadata::estimate(unit, ring.latch, |_| None);
    let mut editor = unit.editor();
    weights::forget(&mut editor, turn.end.from().into_iter().chain([turn.block]));
    let after = debug_records::after(editor.body(), &ring.blocks);
    debug_records::detach(&mut editor, &after);
}

/// Applies `once` repeatedly. The reason for a failure is reported only if the loop was not changed at all.
fn repeat(
    unit: &mut Unit<'_>,
    header: Block,
    pass: &'static str,
    done: RestrictDone,
    once: impl Fn(&mut Unit<'_>) -> Option<Result<(), RestrictMissed>>,
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

/// The branch at which the loop may exit, with the result of `more`.
fn find<T>(
    unit: &mut Unit<'_>,
    header: Block,
    more: impl Fn(&mut ScalarEvolution<'_>, &Facts, &Turn) -> Result<T, RestrictMissed>,
) -> Option<Result<(Facts, Turn, T), RestrictMissed>> {
    let found = facts_and(unit, header, |scev, shape, facts| check::turn(scev, shape, facts, more));
    found.map(|found| found.map(|(facts, (turn, more))| (facts, turn, more)))
}

/// Whether a branch on the changing comparison can leave the loop.
fn testable(_: &mut ScalarEvolution<'_>, facts: &Facts, turn: &Turn) -> Result<(), RestrictMissed> {
    match turn.order {
        Order::Unknown => Err(RestrictMissed::MayBePoison),
        // The branch itself is the latch's.
        Order::First { .. } | Order::Last { .. } if turn.block == facts.ring.latch => {
            Err(RestrictMissed::SeveralExits)
        }
        Order::Alone | Order::First { .. } | Order::Last { .. } => Ok(()),
    }
}

/// How to compute before the loop the bounds whose minimum is the new bound.
fn bound(scev: &mut ScalarEvolution<'_>, facts: &Facts, turn: &Turn) -> Result<Bound, RestrictMissed> {
    let End::Same { leaves, values, .. } = &turn.end else { return Err(RestrictMissed::SeveralExits) };
    let latch = facts.exits.iter().find(|e| e.block == facts.ring.latch).ok_or(RestrictMissed::NotCounted)?;
    let goes_both_ways = latch.stay == Some(facts.ring.header) && latch.leave == Some(leaves.to);
    let terminator = scev.body().terminator(latch.block);
    let is_branch = terminator.is_some_and(|t| matches!(scev.body().inst(t).kind, InstKind::CondBr));
    if leaves.from != facts.ring.latch || !goes_both_ways || !is_branch {
        return Err(RestrictMissed::NotCounted);
    }
    if !values.iter().all(|out| out.when_taken) {
        return Err(RestrictMissed::LiveOut);
    }
    let (iteration, count) = turn.iteration.zip(latch.exact).ok_or(RestrictMissed::NotCounted)?;
    let width = scev.width(iteration).max(scev.width(count));
    let mut plan = |expr| {
        let wide = scev.zext(expr, width);
        plan_in_front(scev, facts, wide).ok_or(RestrictMissed::NotCounted)
    };
    let bound =
        Bound { exit: leaves.to, values: values.clone(), iteration: plan(iteration)?, count: plan(count)? };
    let cost = bound.iteration.cost().saturating_add(bound.count.cost());
    if cost > COUNT_BUDGET { Err(RestrictMissed::NotCounted) } else { Ok(bound) }
}
