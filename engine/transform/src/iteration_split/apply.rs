//! The edit: bounds in front of the loop, the cut, and what is settled by it.
//!
//! With the split at iteration T, and a backedge-taken count of B by the exits that the first loop does not test:
//!
//! | the first loop makes | the second loop makes | when |
//! |---|---|---|
//! | min(T, B) iterations | all that are left, at least one | several exits are counted |
//! | T iterations if T <= B | all that are left | only the latch's exit is counted |
//! | B + 1 iterations if T > B | none | the same; B + 1 does not wrap, as it is at most T |
//!
//! In the first case the second loop may consist of iteration B < T alone, in which the comparison is as at first: it is
//! whether T > B there, which is the same in all its iterations.
//!
//! Of a comparison that is the other in iteration T only, that iteration is put in front of the second loop.

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

/// How many iterations the two loops make on average, if that is known of the whole.
#[derive(Copy, Clone, Debug)]
pub(super) struct Expected {
    /// The block whose exit says so, and the place of its way on.
    pub(super) exit: (Block, usize),
    /// How many the first loop makes, if that exit is not tested there.
    pub(super) first: Option<u64>,
    /// How many the second one makes.
    pub(super) second: u64,
}

/// What the branch weights say of the two loops. Of a comparison that is settled by the split, they say how long it is as
/// at first.
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

/// Splits the loop; returns the two loops.
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

/// What the comparison is in the second loop, as far as it has changed: it is as at first still where the split does not
/// come before the last iteration.
fn beyond(editor: &mut Editor<'_>, at_first: bool, within: Value, left_between: bool) -> Value {
    match (left_between, at_first, within.as_inst()) {
        (false, false, _) => within,
        (false, true, Some(compared)) => {
            let truth = editor.int(Int::bool(true));
            let mut at = Builder::new(editor, Position::After(compared));
            at.binary(BinaryOp::Xor, within, truth, BinaryFlags::default(), "split.beyond")
        }
        // A comparison of constants is a constant.
        (false, true, None) => {
            let is_within = editor.body().as_int(within).is_some_and(Int::is_one);
            editor.int(Int::bool(!is_within))
        }
        (true, ..) => editor.int(Int::bool(!at_first)),
    }
}
