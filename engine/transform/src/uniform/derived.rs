//! Per-lane values of derived values and of alternating recurrences.

use super::{Lanes, Rounds, first_of, like};
use crate::fold::fold;
use backedge_analysis::LoopId;
use backedge_analysis::effects::{effects_of_call, may_change_at_suspension};
use backedge_analysis::must_execute::{call_ends, call_has};
use backedge_ir::attr::FlagAttr;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{InstKind, Value};
use backedge_ir::int::Int;
use backedge_scev::ScalarEvolution;
use backedge_scev::recognize::{ClosedForm, Step};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Phis that alternate between two values, and their next values.
pub(super) fn alternating(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    rounds: Rounds,
) -> Option<Lanes> {
    let body = scev.body();
    if body.inst(inst).kind.is_phi() {
        return phases(scev, l, inst, rounds, 0);
    }
    if !matches!(body.inst(inst).kind, InstKind::Binary(..)) {
        return None;
    }
    // Each lane has the value of the phi in the next lane.
    let header = scev.header(l);
    let carried = |phi: &Inst| body.block_of(*phi) == Some(header) && body.inst(*phi).kind.is_phi();
    let phi = body.uses(inst.into()).iter().map(|u| u.user).find(carried)?;
    phases(scev, l, phi, rounds, 1)
}

/// The values of an alternating `phi`, `ahead` lanes later.
fn phases(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    phi: Inst,
    Rounds { factor, first }: Rounds,
    ahead: usize,
) -> Option<Lanes> {
    let recurrence = scev.recurrence(phi.into()).filter(|r| r.l == l)?;
    if !matches!(recurrence.step, Step::Xor | Step::Reflect) {
        return None;
    }
    if factor.is_multiple_of(2)
        && let Some(ClosedForm::Alternates(a, b)) = scev.closed_form(&recurrence)
        && let (Some(a), Some(b)) = (scev.as_constant(a), scev.as_constant(b))
    {
        let both = [a, b];
        return Some(Lanes::Fixed((0..factor).map(|j| both[(first + j + ahead) % 2]).collect()));
    }
    (factor > 2).then(|| Lanes::Like((0..factor).map(|j| j % 2).collect()))
}

/// Values computed from constants and fixed values.
pub(super) fn decided(
    scev: &ScalarEvolution<'_>,
    inst: Inst,
    found: &FxHashMap<Inst, Lanes>,
    factor: usize,
) -> Option<Lanes> {
    let body = scev.body();
    let data = body.inst(inst);
    let fixed = |v: &Value| match v.as_inst().and_then(|i| found.get(&i)) {
        Some(Lanes::Fixed(values)) => Some(values),
        _ => None,
    };
    if !data.ty.is_int() || !data.operands.iter().any(|v| fixed(v).is_some()) {
        return None;
    }
    let in_lane = |j: usize| {
        let operand = |v: &Value| body.as_int(*v).or_else(|| fixed(v).map(|values| values[j]));
        let operands: SmallVec<[Int; 3]> = data.operands.iter().map(operand).collect::<Option<_>>()?;
        fold(&data.kind, data.ty, &operands)
    };
    (0..factor).map(in_lane).collect::<Option<_>>().map(Lanes::Fixed)
}

/// A value computed without memory access (address computations, arithmetic, calls that depend only on their
/// arguments) equals the value in an earlier lane if its operands do. Arithmetic on values that are equal in all
/// rounds is equal in all rounds.
pub(super) fn of_lanes(
    scev: &ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    found: &FxHashMap<Inst, Lanes>,
    factor: usize,
) -> Option<Lanes> {
    let (env, body) = (scev.at.env, scev.body());
    let data = body.inst(inst);
    let is_arithmetic = matches!(
        data.kind,
        InstKind::Binary(..)
            | InstKind::FloatBinary(..)
            | InstKind::Cast(..)
            | InstKind::ICmp { .. }
            | InstKind::Select(_)
            | InstKind::Gep { .. }
    );
    let computes = is_arithmetic
        || data.call().is_some_and(|call| {
            // The result of a convergent call depends on which other threads make it; after an exit there are fewer.
            let effects = effects_of_call(env, body, call).any();
            !effects.reads
                && !effects.writes
                && call_ends(env, body, call) == (true, true)
                && !call_has(env, body, call, FlagAttr::Convergent)
                && !may_change_at_suspension(scev.at, call)
        });
    if !computes {
        return None;
    }
    let mut leaders: Option<Vec<usize>> = None;
    let mut steady = is_arithmetic;
    for &operand in &data.operands {
        match operand.as_inst().and_then(|i| found.get(&i)) {
            Some(kind) => {
                let of_operand = kind.leaders(factor);
                leaders = Some(leaders.map_or(of_operand.clone(), |others| common(&others, &of_operand)));
                steady &= kind.is_steady();
            }
            None if scev.loops().is_invariant(body, l, operand) => {}
            None => return None,
        }
    }
    let leaders = leaders?;
    if steady { Some(Lanes::Steady(leaders)) } else { like(leaders) }
}

/// For each lane, the first lane that is equal according to both `a` and `b`.
fn common(a: &[usize], b: &[usize]) -> Vec<usize> {
    first_of(&a.iter().zip(b).collect::<Vec<_>>())
}
