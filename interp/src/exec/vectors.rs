//! Intrinsics that move or number the lanes of vectors, and `llvm.vscale`.

use super::ctx::Ctx;
use super::intrinsic::{element_width, unsupported};
use super::numeric::number;
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::IntrinsicOp;
use crate::layout::Shape;
use crate::observe::{Answer, Answered, EventKind, Seen};
use crate::outcome::Step;
use crate::value::{Cube, Val, mask};
use backedge_ir::intrinsic::Intrinsic;

/// Values of `vscale` that are tried: powers of two, as all machines have them that have scalable vectors.
const VSCALES: [u128; 5] = [1, 2, 4, 8, 16];

/// Executes `op` and gives its result.
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
        Intrinsic::ActiveLaneMask => Ok(active_lanes(ctx, op, &args[0], &args[1])),
        Intrinsic::VScale => Ok(number(op.ret.as_ref().map_or(64, element_width), vscale(ctx))),
        other => Err(unsupported(other)),
    }
}

fn lanes_of(op: &IntrinsicOp) -> u64 {
    if let Some(Shape::Vector { len, .. }) = &op.ret { *len } else { 0 }
}

/// The lanes of `part` in place of those from `at` on; poison if they do not fit.
fn insert(whole: &Val, part: &Val, at: &Val) -> Val {
    let (mut members, part) = (whole.members().to_vec(), part.members());
    let at = if let Val::Bits(at) = at { usize::try_from(*at).unwrap_or(usize::MAX) } else { usize::MAX };
    match at.checked_add(part.len()).and_then(|end| members.get_mut(at..end)) {
        Some(range) => range.clone_from_slice(part),
        None => members.fill(Val::Poison),
    }
    Val::agg(members)
}

/// The lanes from `at` on; poison if there are not as many.
fn extract(op: &IntrinsicOp, whole: &Val, at: &Val) -> Val {
    let len = usize::try_from(lanes_of(op)).unwrap_or(usize::MAX);
    let at = if let Val::Bits(at) = at { usize::try_from(*at).unwrap_or(usize::MAX) } else { usize::MAX };
    let range = at.checked_add(len).and_then(|end| whole.members().get(at..end));
    range.map_or_else(|| op.ret.as_ref().map_or(Val::Poison, Shape::poison), |r| Val::agg(r.to_vec()))
}

/// `llvm.get.active.lane.mask`: which of the numbers from the first operand on are below the second, without wrapping.
fn active_lanes(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, first: &Val, end: &Val) -> Val {
    let width = element_width(&op.shapes[0]);
    let (Some(first), Some(end)) = (first.cube(), end.cube()) else {
        return op.ret.as_ref().map_or(Val::Poison, Shape::poison);
    };
    let (first, end) = (ctx.narrow(width, first).bits(), ctx.narrow(width, end).bits());
    let lane = |i: u64| Val::bool(first.checked_add(i.into()).is_some_and(|at| at < end));
    Val::agg((0..lanes_of(op)).map(lane).collect())
}

/// `llvm.vscale`: the environment's answer to a call that has no effects, so that it is one number throughout a run
/// and in all runs that are compared.
fn vscale(ctx: &mut Ctx<'_, '_>) -> u128 {
    let call = EventKind::Call { callee: "llvm.vscale".into(), args: Vec::new(), memory: Vec::new() };
    let known = ctx.events.script.iter().chain(&ctx.events.answers).find(|a| a.call == call);
    if let Some(Seen::Bits(cube)) = known.and_then(|a| a.answer.result.as_ref()) {
        return cube.bits & mask(64);
    }
    let choice = ctx.choose(ChoiceKind::CallResult, Domain::Options(VSCALES.len() as u32));
    let value = VSCALES[choice as usize % VSCALES.len()];
    let result = Some(Seen::Bits(Cube::known(value)));
    let answer = Answer { exit: None, result, writes: Vec::new(), fresh: None };
    ctx.events.add_answer(Answered { call, is_event: false, answer });
    value
}
