//! The edits of unrolling. They keep SSA form valid; the caller restores loop-simplify and LCSSA form.

use super::decide::Runtime;
use super::remarks::Form;
use crate::clone::chain::append;
use crate::clone::{Copies, Ring, drop_scopes_declared_in};
use crate::counted::{Exit, Facts};
use crate::debug_records;
use crate::edges::{cut_backedges, go_to_all};
use crate::iteration_split::cut::{Bounds, Cut, Halves, split};
use crate::split::inherit_name;
use crate::undef::pinned;
use crate::uniform::{Lanes, Residue};
use crate::weights::Probability;
use backedge_ir::body::Body;
use backedge_ir::builder::Builder;
use backedge_ir::editor::{Editor, Position};
use backedge_ir::entity::{Block, Inst};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastOp, InstData, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::module::Env;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::types::Type;
use backedge_scev::expand::Plan;
use rustc_hash::FxHashMap;

/// The outcome of an exit's test in one copy of the body.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    Kept,
    Stays,
    Leaves(Block),
}

/// Drops what becomes wrong once the body is copied: alias scopes declared in the loop, which would differ in each
/// copy, and the values of debug records after the loop.
pub(crate) fn prepare(env: &Env, editor: &mut Editor<'_>, facts: &Facts) {
    let records = debug_records::after(editor.body(), &facts.ring.blocks);
    debug_records::detach(editor, &records);
    drop_scopes(env, editor, facts);
}

/// Drops the alias scopes declared in the loop, which would differ in each copy.
pub(super) fn drop_scopes(env: &Env, editor: &mut Editor<'_>, facts: &Facts) {
    for declaration in drop_scopes_declared_in(env, editor, &facts.ring.blocks) {
        editor.remove(declaration);
    }
}

/// The outcome of the test of `exit` in iteration `i`, counted from 0 at loop entry.
pub(crate) fn test_in_iteration(exit: &Exit, i: u128) -> Test {
    if !exit.passed || exit.stay.is_none() {
        return Test::Kept;
    }
    match (exit.constant, exit.leave) {
        _ if exit.never => Test::Stays,
        (Some(count), _) if i < count.bits() => Test::Stays,
        (Some(count), Some(leave)) if i == count.bits() => Test::Leaves(leave),
        _ => Test::Kept,
    }
}

/// The copy `block` of the exiting block of `exit` and its only successor, if `test` decides it.
pub(crate) fn way(body: &Body, exit: &Exit, block: Block, test: Test) -> Option<(Block, Block)> {
    let to = match test {
        Test::Kept => None,
        // In a copy, the successor that stays may be the next copy's header.
        Test::Stays => body.successors(block).get(exit.stay_at).copied(),
        Test::Leaves(to) => Some(to),
    };
    to.map(|to| (block, to))
}

/// Decides the tests of `copies`, which are the first iterations of the loop in order.
pub(crate) fn decide_tests_in_order<'c>(
    editor: &mut Editor<'_>,
    exits: &[Exit],
    copies: impl IntoIterator<Item = &'c Copies>,
) {
    let body = editor.body();
    let copies = (0..).zip(copies);
    let tests = copies.flat_map(|(i, copy)| exits.iter().map(move |exit| (i, copy, exit)));
    let ways: Vec<(Block, Block)> = tests
        .filter_map(|(i, copy, exit)| way(body, exit, copy.block(exit.block), test_in_iteration(exit, i)))
        .collect();
    go_to_all(editor, &ways);
}

/// Simplifies the copies of the body with the known values of `lanes`; `bodies` are the copies after the original
/// body. Values known before the loop are computed at the end of `preheader`.
fn use_lanes(editor: &mut Editor<'_>, preheader: Block, bodies: &[Copies], lanes: &[(Inst, Lanes)]) {
    for (inst, kind) in lanes {
        let original = Value::from(*inst);
        // The values of earlier lanes, which later lanes may reuse.
        let mut values: Vec<Value> = Vec::new();
        for (j, leader) in kind.leaders(bodies.len() + 1).into_iter().enumerate() {
            let here = j.checked_sub(1).map_or(original, |after| bodies[after].value(original));
            let value = match (kind, values.get(leader)) {
                (Lanes::Fixed(constants), _) => editor.int(constants[j]),
                (_, Some(earlier)) => *earlier,
                (Lanes::Residue(residue), None) => first_residue(editor, preheader, residue, j),
                (Lanes::Offset(ahead), None) if j > 0 => offset(editor, here, original, ahead[j]),
                (Lanes::Same | Lanes::Like(_) | Lanes::Steady(_) | Lanes::Offset(_), None) => here,
            };
            values.push(value);
            if value != here
                && let Some(here) = here.as_inst()
            {
                editor.replace_uses(here.into(), value);
            }
        }
    }
}

/// Computes the values that are equal in all lanes before the remainder loop. This is valid since the remainder makes
/// at most one round's iterations, and begins at a round boundary.
fn use_lanes_in_rest(editor: &mut Editor<'_>, halves: &Halves, lanes: &[(Inst, Lanes)]) {
    let ring = &halves.second;
    let mut known: FxHashMap<Inst, Value> = FxHashMap::default();
    for (inst, _) in lanes.iter().filter(|(_, kind)| *kind == Lanes::Same) {
        let Some(inst) = halves.copies.inst(*inst) else { continue };
        let body = editor.body();
        let first = |value: &Value| {
            let Some(of) = value.as_inst() else { return Some(*value) };
            let block = body.block_of(of)?;
            if block == ring.header && body.inst(of).kind.is_phi() {
                body.incoming_from(of, ring.preheader)
            } else if ring.blocks.contains(&block) {
                known.get(&of).copied()
            } else {
                Some(*value)
            }
        };
        let mut data = body.inst(inst).clone();
        let operands: Option<Vec<Value>> = data.operands.iter().map(first).collect();
        let Some(operands) = operands.filter(|_| never_traps(body, &data)) else { continue };
        data.operands = operands.into_iter().collect();
        data.metadata.clear();
        let first = editor.insert(Position::BeforeTerminator(ring.preheader), data);
        inherit_name(editor, first, inst, "rest");
        editor.replace_uses(inst.into(), first.into());
        known.insert(inst, first.into());
    }
}

/// Whether `data` can be executed speculatively.
fn never_traps(body: &Body, data: &InstData) -> bool {
    match data.kind {
        InstKind::Binary(op, _) if op.is_division() => {
            body.as_int(data.operands[1]).is_some_and(|by| !by.is_zero() && !by.is_all_ones())
        }
        _ => data.kind.is_pure(),
    }
}

/// Inserts `base` plus `ahead` before the instruction that computes `here`; returns `here` unchanged if it is a phi
/// or not an instruction.
fn offset(editor: &mut Editor<'_>, here: Value, base: Value, ahead: Int) -> Value {
    let Some(place) = here.as_inst().filter(|i| !editor.body().inst(*i).kind.is_phi()) else { return here };
    let ahead = editor.int(ahead);
    let mut at = Builder::new(editor, Position::Before(place));
    at.binary(BinaryOp::Add, base, ahead, BinaryFlags::default(), "lane")
}

/// The remainder of a counter in lane `j` of the first round, computed at the end of `preheader`.
fn first_residue(editor: &mut Editor<'_>, preheader: Block, residue: &Residue, j: usize) -> Value {
    let (ahead, by) = (editor.int(residue.ahead(j)), editor.int(residue.by));
    let mut at = Builder::new(editor, Position::BeforeTerminator(preheader));
    let none = BinaryFlags::default();
    let counter =
        if j == 0 { residue.start } else { at.binary(BinaryOp::Add, residue.start, ahead, none, "ahead") };
    at.binary(residue.op, counter, by, none, "lane")
}

/// Full unrolling: `trips` copies in sequence; the last one has no backedge.
pub(super) fn complete(editor: &mut Editor<'_>, facts: &Facts, trips: usize) {
    let Facts { ring, exits, .. } = facts;
    let records = debug_records::after(editor.body(), &ring.blocks);
    let copies = append(editor, ring, trips - 1, "");
    match (&exits[..], copies.last()) {
        // The loop is certainly left in the last iteration.
        ([exit], last) if exit.passed && exit.constant.is_some_and(|n| n.bits() + 1 == trips as u128) => {
            debug_records::follow(editor, &records, &last.cloned().unwrap_or_default());
        }
        _ => debug_records::detach(editor, &records),
    }
    decide_tests_in_order(editor, exits, std::iter::once(&Copies::default()).chain(&copies));
    let latch = copies.last().map_or(ring.latch, |c| c.block(ring.latch));
    cut_backedge(editor, &Ring { latch, ..ring.clone() });
}

/// Removes the backedge of a loop; it must never be taken.
pub(crate) fn cut_backedge(editor: &mut Editor<'_>, ring: &Ring) {
    let &Ring { preheader, header, latch, .. } = ring;
    if editor.body().successors(latch).contains(&header) {
        let name = editor.body().block_name(header).map(|n| format!("{n}.unreachable"));
        let dead = editor.add_block_after(latch, name.as_deref());
        editor.insert_new(Position::End(dead), InstData::new(InstKind::Unreachable, Type::VOID, [], []));
        cut_backedges(editor, header, &[latch], dead);
    }
    let phis: Vec<Inst> = editor.body().phis(header).collect();
    let first: Vec<(Inst, Value)> =
        phis.iter().filter_map(|p| Some((*p, editor.body().incoming_from(*p, preheader)?))).collect();
    for (phi, value) in first {
        let value = pinned(editor, value, Position::AfterPhis(header));
        editor.replace_uses(phi.into(), value);
        editor.remove(phi);
    }
}

/// Puts `factor` copies into the loop. If an exit can leave only in iterations of one residue, only that copy tests
/// it. Returns the new latch.
pub(super) fn partial(
    editor: &mut Editor<'_>,
    facts: &Facts,
    factor: usize,
    lanes: &[(Inst, Lanes)],
) -> Block {
    let Facts { ring, exits, trip_multiple, .. } = facts;
    let copies = append(editor, ring, factor - 1, "");
    let only = exits.len() == 1;
    let common = gcd(*trip_multiple, factor as u64);
    let mut ways = Vec::new();
    for (j, copy) in std::iter::once(&Copies::default()).chain(&copies).enumerate() {
        for exit in exits.iter().filter(|e| e.passed && e.stay.is_some()) {
            let elsewhere = match exit.constant {
                _ if exit.never => true,
                Some(count) => count.bits() % factor as u128 != j as u128,
                None => only && !(j as u64 + 1).is_multiple_of(common),
            };
            if elsewhere {
                ways.extend(way(editor.body(), exit, copy.block(exit.block), Test::Stays));
            }
        }
    }
    go_to_all(editor, &ways);
    use_lanes(editor, ring.preheader, &copies, lanes);
    copies.last().map_or(ring.latch, |c| c.block(ring.latch))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Splits the loop into a main loop of whole rounds and a remainder loop.
pub(super) fn runtime(
    editor: &mut Editor<'_>,
    facts: &Facts,
    plan: &Runtime,
    count: &Plan,
    lanes: &[(Inst, Lanes)],
) -> Halves {
    let Facts { ring, exits, .. } = facts;
    let count = count.emit(editor);
    let bounds = bounds(editor, facts, plan, count);
    let latch_exit = || exits.iter().find(|e| e.block == ring.latch).and_then(|e| e.leave);
    let stays = |e: &Exit| Some((e.block, e.stay?));
    let dropped = plan.dropped.iter().filter_map(|i| stays(&exits[*i])).collect();
    match plan.form {
        Form::RequiredEpilogue => {
            let cut =
                Cut { ring: ring.clone(), stays: dropped, factor: plan.factor, leave: None, tag: "epil" };
            let halves = split(editor, &cut, bounds);
            use_lanes(editor, ring.preheader, &halves.bodies, lanes);
            use_lanes_in_rest(editor, &halves, lanes);
            halves
        }
        Form::Epilogue => {
            let leave = latch_exit();
            let cut = Cut { ring: ring.clone(), stays: dropped, factor: plan.factor, leave, tag: "epil" };
            let halves = split(editor, &cut, bounds);
            use_lanes(editor, ring.preheader, &halves.bodies, lanes);
            use_lanes_in_rest(editor, &halves, lanes);
            halves
        }
        Form::Prologue => {
            // The remainder loop comes first; its blocks keep their names and annotations.
            let cut = Cut { ring: ring.clone(), stays: dropped, factor: 1, leave: latch_exit(), tag: "main" };
            let mut halves = split(editor, &cut, bounds);
            halves.second.latch = unroll_whole_rounds(editor, facts, plan, &halves);
            halves
        }
    }
}

/// Expected iteration counts of the two loops, if the loop made `trips` iterations on average: the latch of each, the
/// index of its successor that stays, and the number of iterations. The remainder is assumed to make half a round.
pub(super) fn expected(
    facts: &Facts,
    plan: &Runtime,
    halves: &Halves,
    trips: u64,
) -> Vec<(Block, usize, u64)> {
    let factor = plan.factor as u64;
    // The first loop's latch leaves at its first successor.
    let first = |trips: u64| (halves.first.latch, 1, trips.max(1));
    let latch = plan.dropped.iter().map(|i| &facts.exits[*i]).find(|e| e.block == facts.ring.latch);
    let second = |rest: u64| latch.map(|e| (halves.copies.block(e.block), e.stay_at, rest.max(1)));
    let rest = match plan.form {
        Form::RequiredEpilogue => factor.div_ceil(2),
        Form::Epilogue | Form::Prologue => factor / 2,
    };
    let rest = rest.min(trips);
    match plan.form {
        Form::RequiredEpilogue | Form::Epilogue => {
            std::iter::once(first(trips / factor)).chain(second(rest)).collect()
        }
        Form::Prologue => {
            let main = latch.map(|e| (halves.second.latch, e.stay_at, (trips / factor).max(1)));
            std::iter::once(first(rest)).chain(main).collect()
        }
    }
}

/// The probabilities that the branches around the two loops take their first successor, if the loop made `trips`
/// iterations on average, each ending it with the same probability.
pub(super) fn expected_guards(
    facts: &Facts,
    plan: &Runtime,
    halves: &Halves,
    trips: u64,
) -> Vec<(Block, Probability)> {
    let (guard, factor) = (facts.ring.preheader, plan.factor);
    let ends = Probability::one_in(trips);
    let goes_on = ends.not();
    let makes_round = goes_on.times(factor);
    // The probability that the loop ends in the first iteration of a round (or in any other one) given that it ends
    // in this round.
    let at_first = ends.given(makes_round.not());
    match plan.form {
        // The main loop makes no round in which the loop ends, then one in which it does.
        Form::RequiredEpilogue => vec![(guard, makes_round.not())],
        Form::Epilogue => {
            vec![(guard, goes_on.times(factor - 1).not()), (halves.done, at_first.not())]
        }
        Form::Prologue => {
            vec![(guard, at_first.and(goes_on.times(factor - 1))), (halves.done, makes_round)]
        }
    }
}

/// Unrolls the second loop, which makes whole rounds: only the last copy of the body tests the dropped exits. Returns
/// the new latch.
fn unroll_whole_rounds(editor: &mut Editor<'_>, facts: &Facts, plan: &Runtime, halves: &Halves) -> Block {
    let ring = &halves.second;
    let bodies = append(editor, ring, plan.factor - 1, "");
    let identity = Copies::default();
    let mut ways = Vec::new();
    for body in std::iter::once(&identity).chain(&bodies).take(plan.factor - 1) {
        for exit in plan.dropped.iter().map(|i| &facts.exits[*i]) {
            let block = body.block(halves.copies.block(exit.block));
            ways.extend(way(editor.body(), exit, block, Test::Stays));
        }
    }
    go_to_all(editor, &ways);
    bodies.last().map_or(ring.latch, |last| last.block(ring.latch))
}

/// The number of rounds, and whether a remainder is left, from the count of the untested exits. The factor is at most
/// the largest possible count, so it is representable in the count's type.
fn bounds(editor: &mut Editor<'_>, facts: &Facts, plan: &Runtime, count: Value) -> Bounds {
    let ty = editor.body().ty(count);
    let bits = ty.int_bits().unwrap_or(1);
    let factor = Int::new(bits, plan.factor as u128);
    let less = editor.int(factor.sub(Int::one(bits)));
    let one = editor.int(Int::one(bits));
    let mut at = Builder::new(editor, Position::BeforeTerminator(facts.ring.preheader));
    let nuw = BinaryFlags { nuw: true, ..BinaryFlags::default() };
    match plan.form {
        Form::RequiredEpilogue => Bounds { rounds: quotient(&mut at, count, factor, "rounds"), rest: None },
        Form::Epilogue => {
            // One more round if the last iteration completes a round: computing count + 1 could wrap, this cannot.
            let whole = quotient(&mut at, count, factor, "");
            let over = remainder(&mut at, count, factor, "");
            let completes = at.icmp(IntPredicate::Eq, over, less, "");
            let rest = at.icmp(IntPredicate::Ne, over, less, "rest");
            let one_more = at.cast(CastOp::ZExt, completes, ty, "");
            let rounds = at.binary(BinaryOp::Add, whole, one_more, nuw, "rounds");
            Bounds { rounds, rest: Some(rest) }
        }
        Form::Prologue => {
            let over = remainder(&mut at, count, factor, "");
            let more = at.binary(BinaryOp::Add, over, one, nuw, "");
            let rounds = remainder(&mut at, more, factor, "rounds");
            let rest = at.icmp(IntPredicate::Uge, count, rounds, "rest");
            Bounds { rounds, rest: Some(rest) }
        }
    }
}

fn quotient(at: &mut Builder<'_, '_>, value: Value, by: Int, name: &str) -> Value {
    let (op, by) = if by.is_power_of_two() {
        (BinaryOp::LShr, Int::new(by.width(), u128::from(by.trailing_zeros())))
    } else {
        (BinaryOp::UDiv, by)
    };
    let by = at.editor().int(by);
    at.binary(op, value, by, BinaryFlags::default(), name)
}

fn remainder(at: &mut Builder<'_, '_>, value: Value, by: Int, name: &str) -> Value {
    let (op, by) = if by.is_power_of_two() {
        (BinaryOp::And, by.sub(Int::one(by.width())))
    } else {
        (BinaryOp::URem, by)
    };
    let by = at.editor().int(by);
    at.binary(op, value, by, BinaryFlags::default(), name)
}
