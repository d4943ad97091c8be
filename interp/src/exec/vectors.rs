//! Intrinsics that move or number vector lanes, and `llvm.vscale`.

use super::ctx::Ctx;
use super::elements::{element_width, unsupported};
use super::numeric::number;
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::IntrinsicOp;
use crate::layout::Shape;
use crate::observe::{Answer, Answered, EventKind, Seen};
use crate::outcome::Step;
use crate::value::{Cube, Val, mask};
use backedge_ir::intrinsic::Intrinsic;

/// Tried values of `vscale`: powers of two, as on all machines with scalable vectors.
pub const VSCALES: [u128; 5] = [1, 2, 4, 8, 16];

/// Executes `op` and returns its result.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn run(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    match op.which {
        Intrinsic::VectorReverse => Ok(Val::agg(args[0].members().iter().rev().cloned().collect())),
        Intrinsic::VectorInsert => Ok(insert(&args[0], &args[1], &args[2])),
        Intrinsic::VectorExtract => Ok(extract(op, &args[0], &args[1])),
        Intrinsic::StepVector => {
            let (len, width) = (lanes_of(op), op.ret.as_ref().map_or(32, element_width));
            Ok(Val::agg((0..len).map(|lane| number(width, lane.into())).collect()))
        }
        Intrinsic::VectorSplice | Intrinsic::VectorSpliceLeft | Intrinsic::VectorSpliceRight => {
            let at = args[2].cube().map(|at| ctx.narrow(32, at).signed());
            Ok(splice(op, &args[0], &args[1], at))
        }
        Intrinsic::CttzElts => first_lane(ctx, op, &args[0], &args[1]),
        Intrinsic::ActiveLaneMask => Ok(active_lanes(ctx, op, &args[0], &args[1])),
        Intrinsic::VScale => Ok(number(op.ret.as_ref().map_or(64, element_width), vscale(ctx))),
        other => Err(unsupported(other)),
    }
}

fn lanes_of(op: &IntrinsicOp) -> u64 {
    if let Some(Shape::Vector { len, .. }) = &op.ret { *len } else { 0 }
}

/// Replaces the lanes of `whole` from `at` on with `part`; poison if they do not fit.
fn insert(whole: &Val, part: &Val, at: &Val) -> Val {
    let (mut members, part) = (whole.members().to_vec(), part.members());
    let at = if let Val::Bits(at) = at { usize::try_from(*at).unwrap_or(usize::MAX) } else { usize::MAX };
    match at.checked_add(part.len()).and_then(|end| members.get_mut(at..end)) {
        Some(range) => range.clone_from_slice(part),
        None => members.fill(Val::Poison),
    }
    Val::agg(members)
}

/// The lanes from `at` on; poison if there are too few.
fn extract(op: &IntrinsicOp, whole: &Val, at: &Val) -> Val {
    let len = usize::try_from(lanes_of(op)).unwrap_or(usize::MAX);
    let at = if let Val::Bits(at) = at { usize::try_from(*at).unwrap_or(usize::MAX) } else { usize::MAX };
    let range = at.checked_add(len).and_then(|end| whole.members().get(at..end));
    range.map_or_else(|| op.ret.as_ref().map_or(Val::Poison, Shape::poison), |r| Val::agg(r.to_vec()))
}

/// Consecutive lanes of the concatenation of both vectors, starting at an index. A negative index, and some
/// intrinsics, count from the end of the first vector. Poison if the index is neither in the first vector nor one
/// past its end.
fn splice(op: &IntrinsicOp, a: &Val, b: &Val, at: Option<i128>) -> Val {
    let (a, len) = (a.members(), a.members().len());
    let both: Vec<Val> = a.iter().chain(b.members()).cloned().collect();
    let from_end = |at: i128| op.which == Intrinsic::VectorSplice && at < 0;
    let from = at.map(|at| match op.which == Intrinsic::VectorSpliceRight {
        true => len as i128 - at,
        false if from_end(at) => len as i128 + at,
        false => at,
    });
    let from = from.and_then(|from| usize::try_from(from).ok()).filter(|from| *from <= len);
    match from.and_then(|from| both.get(from..from + len)) {
        Some(lanes) => Val::agg(lanes.to_vec()),
        None => op.ret.as_ref().map_or(Val::Poison, Shape::poison),
    }
}

/// `llvm.experimental.cttz.elts`: the index of the first nonzero lane, or the number of lanes if there is none; in
/// that case poison if the flag is set. Also poison if any lane is poison.
fn first_lane(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, vector: &Val, flag: &Val) -> Step<Val> {
    let (from, to) = (element_width(&op.shapes[0]), op.ret.as_ref().map_or(64, element_width));
    let lanes = vector.members();
    // LangRef leaves this undefined; LLVM treats the intrinsic as one without UB.
    if to < 64 && lanes.len() as u64 >= 1 << to {
        return Err(unsupported(op.which));
    }
    let mut first = None;
    for (at, lane) in lanes.iter().enumerate() {
        let Some(cube) = lane.cube() else { return Ok(Val::Poison) };
        if !ctx.narrow(from, cube).is_zero() && first.is_none() {
            first = Some(at);
        }
    }
    Ok(match first {
        None if *flag != Val::Bits(0) => Val::Poison,
        found => number(to, found.unwrap_or(lanes.len()) as u128),
    })
}

/// `llvm.get.active.lane.mask`: whether the first operand plus the lane number, without wrapping, is less than the
/// second operand.
fn active_lanes(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, first: &Val, end: &Val) -> Val {
    let width = element_width(&op.shapes[0]);
    let (Some(first), Some(end)) = (first.cube(), end.cube()) else {
        return op.ret.as_ref().map_or(Val::Poison, Shape::poison);
    };
    let (first, end) = (ctx.narrow(width, first).bits(), ctx.narrow(width, end).bits());
    let lane = |i: u64| Val::bool(first.checked_add(i.into()).is_some_and(|at| at < end));
    Val::agg((0..lanes_of(op)).map(lane).collect())
}

/// `llvm.vscale`: the environment's answer to a call without effects, so that it is the same number throughout a run
/// and in all compared runs.
fn vscale(ctx: &mut Ctx<'_, '_>) -> u128 {
    let (args, memory) = (Vec::new(), Vec::new());
    let call = EventKind::Call { callee: "llvm.vscale".into(), args, more: "".into(), memory };
    let known = ctx.events.script.iter().chain(&ctx.events.answers).find(|a| a.call == call);
    if let Some(Seen::Bits(cube)) = known.and_then(|a| a.answer.result.as_ref()) {
        return cube.bits & mask(64);
    }
    let choice = ctx.choose(ChoiceKind::CallResult, Domain::Options(VSCALES.len() as u32));
    let value = VSCALES[choice as usize % VSCALES.len()];
    let result = Some(Seen::Bits(Cube::known(value)));
    let answer = Answer { exit: None, result, writes: Vec::new(), fresh: None };
    ctx.events.add_answer(Answered { call, is_event: false, speculatable: true, answer });
    value
}
