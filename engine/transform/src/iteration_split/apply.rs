//! The edit: computes the bounds before the loop, cuts it, and simplifies settled comparisons.
//!
//! With the split at iteration T, and backedge-taken count B by the exits that the first loop does not test:
//!
//! | first loop | second loop | case |
//! |---|---|---|
//! | min(T, B) iterations | all remaining ones, at least one | several exits are counted |
//! | T iterations if T <= B | all remaining ones | only the latch's exit is counted |
//! | B + 1 iterations if T > B | none | the same; B + 1 does not wrap, as it is at most T |
//!
//! In the first case the second loop may consist of iteration B < T alone, in which the comparison still has its
//! first value. The comparison is replaced by T <= B or its negation, which is the same in all iterations of the
//! second loop.
//!
//! If a comparison differs in iteration T only, that iteration is peeled before the second loop.

use super::cut::{Bounds, Cut, Halves, split};
use super::decide::{Choice, Settled};
use crate::clone::chain::prepend;
use crate::counted::Facts;
use crate::weights;
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::opcode::IntPredicate;

/// The expected iteration counts of the two loops, if that of the original loop is known.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expected {
    /// The exiting block whose weights give the count, and the index of its successor that stays.
    pub(super) exit: (Block, usize),
    /// The count of the first loop, if that exit is not tested there.
    pub(super) first: Option<u64>,
    /// The count of the second loop.
    pub(super) second: u64,
}

/// The expected counts by branch weights. For a comparison settled by the split, its weights give the share of
/// iterations with its first value.
pub(super) fn expected(env: &Env, body: &Body, facts: &Facts, choice: &Choice) -> Option<Expected> {
    let (exit, trips) = weights::telling(env, body, &facts.exits)?;
    let by_branch = |settled: Settled| {
        let branch = body.code_uses(settled.inst.into()).map(|u| u.user);
        let branch = branch.into_iter().find(|u| matches!(body.inst(*u).kind, InstKind::CondBr))?;
        let [yes, no] = weights::of(env, body, branch)?[..] else { return None };
        let (as_at_first, all) = (if settled.at_first { yes } else { no }, yes.checked_add(no)?);
        trips.checked_mul(as_at_first)?.checked_div(all)
    };
    let first = choice.at.or_else(|| by_branch(choice.comparison?))?.min(trips);
    let is_dropped = choice.dropped.iter().any(|i| facts.exits[*i].block == exit.block);
    let (exit, second) = ((exit.block, exit.stay_at), trips - first);
    Some(Expected { exit, first: is_dropped.then_some(first), second })
}

/// Splits the loop; returns both loops.
pub(super) fn apply(editor: &mut Editor<'_>, facts: &Facts, choice: &Choice) -> Halves {
    let ring = &facts.ring;
    let iteration = choice.iteration.emit(editor);
    let count = choice.count.emit(editor);
    let one = editor.int(Int::one(editor.body().ty(count).int_bits().unwrap_or(1)));
    let mut at = Builder::new(editor, Position::BeforeTerminator(ring.preheader));
    let within = at.icmp(IntPredicate::Ule, iteration, count, "split.within");
    let (rounds, rest) = if choice.leaves_between {
        let all = at.binary(BinaryOp::Add, count, one, BinaryFlags::default(), "");
        (at.select(within, iteration, all, "rounds"), Some(within))
    } else {
        (at.select(within, iteration, count, "rounds"), None)
    };
    let dropped = choice.dropped.iter().map(|i| &facts.exits[*i]);
    let leave = facts.exits.iter().find(|e| e.block == ring.latch).and_then(|e| e.leave);
    let cut = Cut {
        ring: ring.clone(),
        stays: dropped.filter_map(|e| Some((e.block, e.stay?))).collect(),
        factor: 1,
        leave: leave.filter(|_| choice.leaves_between),
        tag: "post",
    };
    let halves = split(editor, &cut, Bounds { rounds, rest });
    if let Some(settled) = choice.comparison {
        let then = beyond(editor, settled.at_first, within, rest.is_some());
        settle(editor, settled, &halves, then);
    }
    halves
}

/// Replaces the comparison where it is settled; from the split on it is `then`.
fn settle(editor: &mut Editor<'_>, settled: Settled, halves: &Halves, then: Value) {
    let first = editor.int(Int::bool(settled.at_first));
    if let Some(copy) = halves.copies.inst(settled.inst) {
        if settled.stays {
            editor.replace_uses(copy.into(), then);
        } else if settled.once {
            let between = prepend(editor, &halves.second, 1, "at");
            if let Some(only) = between.first().and_then(|c| c.inst(copy)) {
                editor.replace_uses(only.into(), then);
            }
            editor.replace_uses(copy.into(), first);
        }
    }
    editor.replace_uses(settled.inst.into(), first);
}

/// The value of the comparison in the second loop after its change. It still has its first value if the split is not
/// before the last iteration.
fn beyond(editor: &mut Editor<'_>, at_first: bool, within: Value, left_between: bool) -> Value {
    match (left_between, at_first, within.as_inst()) {
        (false, false, _) => within,
        (false, true, Some(compared)) => {
            let truth = editor.int(Int::bool(true));
            let mut at = Builder::new(editor, Position::After(compared));
            at.binary(BinaryOp::Xor, within, truth, BinaryFlags::default(), "split.beyond")
        }
        // A comparison of constants was folded.
        (false, true, None) => {
            let is_within = editor.body().as_int(within).is_some_and(Int::is_one);
            editor.int(Int::bool(!is_within))
        }
        (true, ..) => editor.int(Int::bool(!at_first)),
    }
}
