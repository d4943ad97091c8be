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

use super::cut::{Bounds, Cut, split};
use super::decide::{Choice, Settled};
use crate::clone::Copies;
use crate::counted::Facts;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::Block;
use backedge_ir::inst::{BinaryFlags, BinaryOp, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// Splits the loop; returns the header of the second one.
pub(super) fn apply(editor: &mut Editor<'_>, facts: &Facts, choice: &Choice) -> Block {
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
        settle(editor, settled, &halves.copies, within, rest.is_some());
    }
    halves.second.header
}

/// Replaces the comparison where it is settled.
fn settle(editor: &mut Editor<'_>, settled: Settled, copies: &Copies, within: Value, left_between: bool) {
    let Settled { inst, at_first, stays } = settled;
    let first = editor.int(Int::bool(at_first));
    if let Some(copy) = copies.inst(inst).filter(|_| stays) {
        let second = match (left_between, at_first) {
            (true, _) => editor.int(Int::bool(!at_first)),
            // It is as at first unless the split comes before the last iteration.
            (false, false) => within,
            (false, true) => {
                let Some(compared) = within.as_inst() else { return };
                let truth = editor.int(Int::bool(true));
                let mut at = Builder::new(editor, Position::After(compared));
                at.binary(BinaryOp::Xor, within, truth, BinaryFlags::default(), "split.beyond")
            }
        };
        editor.replace_uses(copy.into(), second);
    }
    editor.replace_uses(inst.into(), first);
}
