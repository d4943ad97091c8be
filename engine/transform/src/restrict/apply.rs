//! The edits of both passes.

use super::check::{End, Final, LiveOut, Turn};
use super::parts::Order;
use crate::clone::chain::replace_incoming;
use crate::counted::{Facts, Which, count_rounds};
use crate::edges::go_to;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, Use, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use backedge_scev::expand::Plan;

/// Makes the loop exit where the branch first takes its idle successor.
pub(super) fn invert(editor: &mut Editor<'_>, turn: &Turn) {
    let Some(branch) = editor.body().terminator(turn.block) else { return };
    let (exit, way) = way_out(editor, turn);
    let leaving = match turn.order {
        Order::Alone | Order::Unknown => {
            let index = editor.body().successors(turn.block).iter().position(|b| *b == turn.idle);
            let Some(index) = index else { return };
            editor.remove_edge_from_phis(turn.idle, turn.block);
            editor.set_successor(branch, index, exit);
            turn.block
        }
        Order::First { rest, freeze } => {
            let after = block_after_test(editor, turn);
            editor.replace_phi_block(turn.taken, turn.block, after);
            editor.replace_phi_block(turn.idle, turn.block, after);
            let first = defined(editor, turn, turn.comparison.into(), freeze);
            test(editor, turn, turn.block, first, [after, exit]);
            test(editor, turn, after, rest, [turn.taken, turn.idle]);
            turn.block
        }
        Order::Last { rest, freeze } => {
            let after = block_after_test(editor, turn);
            editor.replace_phi_block(turn.taken, turn.block, after);
            let first = defined(editor, turn, rest, freeze);
            test(editor, turn, turn.block, first, [after, turn.idle]);
            test(editor, turn, after, turn.comparison.into(), [turn.taken, exit]);
            after
        }
    };
    match way {
        WayOut::Exit(values) => {
            for (phi, value) in values {
                editor.add_incoming(phi, value, leaving);
            }
        }
        WayOut::Told { which, tests, values } => {
            let from = which.lead(editor, exit, &tests);
            for (values, from) in values.into_iter().zip(from) {
                for (phi, value) in values {
                    editor.add_incoming(phi, value, from);
                }
            }
        }
    }
}

/// The target of an inverted exit.
enum WayOut<'a> {
    /// The exit block itself; its phis get these values.
    Exit(Vec<(Inst, Value)>),
    /// A new block that branches to the exit block selected by these tests, with those values.
    Told { which: &'a Which, tests: Vec<Value>, values: Vec<Vec<(Inst, Value)>> },
}

/// The target block of an inverted exit and its contents. Values for it are computed before the loop.
fn way_out<'a>(editor: &mut Editor<'_>, turn: &'a Turn) -> (Block, WayOut<'a>) {
    match &turn.end {
        End::Same { leaves, values, .. } => (leaves.to, WayOut::Exit(final_values(editor, values))),
        End::Told(which, values) => {
            let tests = which.tests(editor);
            let mut emit = |(phi, last): &(Inst, Final)| (*phi, emit(editor, last));
            let values = values.iter().map(|of| of.iter().map(&mut emit).collect()).collect();
            let name = editor.body().block_name(turn.block).map(|n| format!("{n}.idle"));
            let block = editor.add_block_after(turn.block, name.as_deref());
            (block, WayOut::Told { which, tests, values })
        }
    }
}

fn block_after_test(editor: &mut Editor<'_>, turn: &Turn) -> Block {
    let name = editor.body().block_name(turn.block).map(|n| format!("{n}.part"));
    editor.add_block_after(turn.block, name.as_deref())
}

/// `value`, frozen before the branch if `freeze`.
fn defined(editor: &mut Editor<'_>, turn: &Turn, value: Value, freeze: bool) -> Value {
    if !freeze {
        return value;
    }
    let name = editor.body().value_name(value).map(|n| format!("{n}.fr")).unwrap_or_default();
    Builder::new(editor, Position::BeforeTerminator(turn.block)).freeze(value, &name)
}

/// Ends `block` in a branch to the first of `ways` if `part`, a part of the condition, has the value that the taken
/// branch needs, otherwise to the second.
fn test(editor: &mut Editor<'_>, turn: &Turn, block: Block, part: Value, ways: [Block; 2]) {
    if let Some(old) = editor.body().terminator(block) {
        editor.remove(old);
    }
    let [if_true, if_false] = if turn.at_first { ways } else { [ways[1], ways[0]] };
    Builder::new(editor, Position::End(block)).cond_br(part, if_true, if_false);
}

fn final_values(editor: &mut Editor<'_>, values: &[LiveOut]) -> Vec<(Inst, Value)> {
    values.iter().map(|out| (out.phi, emit(editor, &out.last))).collect()
}

fn emit(editor: &mut Editor<'_>, value: &Final) -> Value {
    match value {
        Final::Kept(value) => *value,
        Final::Computed(plan) => plan.emit(editor),
    }
}

/// The data for restricting the bound, computed before the loop.
#[derive(Debug)]
pub(super) struct Bound {
    /// The exit block of the latch.
    pub(super) exit: Block,
    /// The final values of its phis.
    pub(super) values: Vec<LiveOut>,
    /// How to compute the number of the first idle iteration.
    pub(super) iteration: Plan,
    /// How to compute the backedge-taken count of the latch's exit.
    pub(super) count: Plan,
}

/// Limits the loop to the iterations that may take the branch: those before the first iteration from which on all are
/// idle, and before the latch leaves. Skips the loop if the first iteration is idle. The other iterations execute the
/// idle part too, which has no visible effect.
pub(super) fn restrict(editor: &mut Editor<'_>, facts: &Facts, turn: &Turn, bound: &Bound) {
    let ring = &facts.ring;
    let (latch, exit) = (ring.latch, bound.exit);
    let values = final_values(editor, &bound.values);
    let iteration = bound.iteration.emit(editor);
    let count = bound.count.emit(editor);
    let ty = editor.body().ty(count);
    let bits = ty.int_bits().unwrap_or(1);
    let (zero, one) = (editor.int(Int::zero(bits)), editor.int(Int::one(bits)));
    let mut at = Builder::new(editor, Position::BeforeTerminator(ring.preheader));
    // count + 1 is used only if count < `iteration`, so it does not wrap.
    let within = at.icmp(IntPredicate::Ule, iteration, count, "bound.within");
    let all = at.binary(BinaryOp::Add, count, one, BinaryFlags::default(), "");
    let rounds = at.select(within, iteration, all, "bound");
    let none = at.icmp(IntPredicate::Eq, iteration, zero, "bound.none");
    let preheader = editor.add_block_after(ring.preheader, None);
    enter(editor, facts, preheader, exit, none);
    // On the edge around the loop, values that idle iterations keep have their initial value.
    for (out, (phi, value)) in bound.values.iter().zip(&values) {
        let first = at_entry(editor, facts, *value, preheader);
        editor.add_incoming(*phi, first, ring.preheader);
        if let Final::Computed(_) = out.last {
            replace_incoming(editor, *phi, latch, latch, *value);
        }
    }
    // The comparison is constant in the remaining iterations, and the latch leaves after the last of them.
    if turn.order == Order::Alone {
        go_to(editor, turn.block, turn.taken);
    }
    let held = editor.int(Int::bool(turn.at_first));
    editor.replace_uses(turn.comparison.into(), held);
    count_down(editor, facts, preheader, latch, rounds);
}

/// Makes the old preheader branch to the loop through `preheader`, or to `exit` if no iteration is needed.
fn enter(editor: &mut Editor<'_>, facts: &Facts, preheader: Block, exit: Block, none: Value) {
    let ring = &facts.ring;
    editor.replace_phi_block(ring.header, ring.preheader, preheader);
    Builder::new(editor, Position::End(preheader)).br(ring.header);
    if let Some(old) = editor.body().terminator(ring.preheader) {
        editor.remove(old);
    }
    Builder::new(editor, Position::End(ring.preheader)).cond_br(none, exit, preheader);
}

/// The value of `value`, invariant or a header phi, when the loop is entered from `preheader`.
fn at_entry(editor: &Editor<'_>, facts: &Facts, value: Value, preheader: Block) -> Value {
    let body = editor.body();
    let of_header = value
        .as_inst()
        .filter(|i| body.inst(*i).kind.is_phi() && body.block_of(*i) == Some(facts.ring.header));
    of_header.and_then(|phi| body.incoming_from(phi, preheader)).unwrap_or(value)
}

/// Makes the latch leave after `rounds` iterations.
fn count_down(editor: &mut Editor<'_>, facts: &Facts, preheader: Block, latch: Block, rounds: Value) {
    let header = facts.ring.header;
    let Some(branch) = editor.body().terminator(latch) else { return };
    let stays_if_true = editor.body().successors(latch).first() == Some(&header);
    let pred = if stays_if_true { IntPredicate::Ne } else { IntPredicate::Eq };
    let (ty, position) = (editor.body().ty(rounds), Position::Before(branch));
    let done = count_rounds(editor, preheader, header, latch, position, ty);
    let test = Builder::new(editor, position).icmp(pred, done, rounds, "round.end");
    editor.set_operand(Use { user: branch, index: 0 }, test);
}
