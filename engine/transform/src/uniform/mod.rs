//! Uniform lanes: what is the same in several iterations that follow each other.
//!
//! With rounds of `k` iterations, a *lane* is the place of an iteration in its round. Of a value that is computed in
//! each iteration, it is asked what it is in lane `j`:
//!
//! | kind | example, with `k` = 8 | in lane `j` |
//! |---|---|---|
//! | [`Lanes::Same`] | `i / 8`, `i / 16` | as in lane 0 |
//! | [`Lanes::Offset`] | `i % 8` if rounds begin at any multiple, `i % 16` | as in lane 0, plus `j` times a constant, without wrapping |
//! | [`Lanes::Fixed`] | `i % 8`, `i % 2`, recurrences that alternate | a value that does not change over the rounds |
//!
//! Needs that rounds begin with iteration 0 and that no iteration is left out. What is said is true wherever the value
//! is no poison; what is poison in lane 0, and not fixed, is so in the lanes behind it. The examples are those of the
//! loop notes' "uniform lanes".

mod memory;

pub(crate) use memory::Accesses;

use backedge_analysis::LoopId;
use backedge_analysis::effects::effects_of_call;
use backedge_analysis::must_execute::call_ends;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::{EntitySet, Inst};
use backedge_ir::inst::{BinaryFlags, CastFlags, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::{BinaryOp, IntPredicate};
use backedge_scev::recognize::ClosedForm;
use backedge_scev::{Expr, ScalarEvolution};
use rustc_hash::FxHashMap;

/// What a value is in the lanes of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// The same in all lanes.
    Same,
    /// In lane `j`, that in lane 0 plus `j` times the constant, without wrapping.
    Offset(Int),
    /// In each lane a constant that is the same in all rounds.
    Fixed(Vec<Int>),
}

/// An affine recurrence with constant start and step.
#[derive(Copy, Clone)]
struct Affine {
    start: u128,
    step: u128,
    /// Its values do not wrap as unsigned numbers.
    nuw: bool,
    width: u32,
}

/// What the values computed by `insts` of `l`, in the order of the text, are in the lanes of rounds of `factor` iterations, as far as it is one of
/// the kinds.
pub fn lanes(scev: &mut ScalarEvolution<'_>, l: LoopId, insts: &[Inst], factor: usize) -> Vec<(Inst, Lanes)> {
    let mut found: FxHashMap<Inst, Lanes> = FxHashMap::default();
    let mut in_order = Vec::new();
    let accesses = Accesses::of(scev, l);
    for &inst in insts {
        let kind = quotient_or_remainder(scev, l, inst, factor)
            .or_else(|| alternating(scev, l, inst, factor))
            .or_else(|| decided(scev, inst, &found, factor))
            .or_else(|| of_same(scev, l, inst, &found))
            .or_else(|| {
                let same = |v: Value| v.as_inst().is_some_and(|i| found.get(&i) == Some(&Lanes::Same));
                accesses.is_same_load(scev, inst, same).then_some(Lanes::Same)
            });
        if let Some(kind) = kind {
            found.insert(inst, kind.clone());
            in_order.push((inst, kind));
        }
    }
    in_order
}

/// How many of `insts`, which each iteration executes in that order, are constants in each iteration, those aside that
/// only count or say whether the loop is left.
pub(crate) fn known_in_each(scev: &mut ScalarEvolution<'_>, l: LoopId, insts: &[Inst]) -> u32 {
    let mut known: EntitySet<Inst> = EntitySet::new();
    let mut for_others: EntitySet<Inst> = EntitySet::new();
    for &inst in insts {
        let data = scev.body().inst(inst);
        let of_known = match data.kind {
            InstKind::Phi(_) => starts_known(scev, l, inst),
            _ if data.kind.is_pure() => data.operands.iter().all(|v| match v {
                Value::Const(_) => true,
                Value::Inst(i) => known.contains(*i),
                Value::Arg(_) => false,
            }),
            _ => false,
        };
        if of_known {
            known.insert(inst);
        }
    }
    // What is known but only carried on or branched on is no work that is spared beside the loop's own.
    for &inst in insts.iter().rev().filter(|i| known.contains(**i)) {
        let body = scev.body();
        let useful = |user: Inst| match body.inst(user).kind {
            InstKind::Phi(_) | InstKind::CondBr | InstKind::Switch => false,
            _ => !known.contains(user) || for_others.contains(user),
        };
        if !body.inst(inst).kind.is_phi() && body.uses(inst.into()).iter().any(|u| useful(u.user)) {
            for_others.insert(inst);
        }
    }
    let body = scev.body();
    let counts = |inst: &&Inst| {
        let carried = body.uses((**inst).into()).iter().any(|u| body.inst(u.user).kind.is_phi());
        for_others.contains(**inst) && !carried
    };
    u32::try_from(insts.iter().filter(counts).count()).unwrap_or(u32::MAX)
}

/// Whether `phi` is a recurrence of `l` of constants.
fn starts_known(scev: &mut ScalarEvolution<'_>, l: LoopId, phi: Inst) -> bool {
    let operands = scev.expr(phi.into()).and_then(|e| scev.arena().as_add_rec(e)).filter(|(of, _)| *of == l);
    if operands.is_some_and(|(_, operands)| operands.iter().all(|e| scev.as_constant(*e).is_some())) {
        return true;
    }
    let recurrence = scev.recurrence(phi.into()).filter(|r| r.l == l);
    let form = recurrence.and_then(|r| scev.closed_form(&r));
    matches!(form, Some(ClosedForm::Alternates(a, b)) if scev.as_constant(a).is_some() && scev.as_constant(b).is_some())
}

/// How many loads and stores of a round another lane makes unnecessary, beside those that `lanes` says are the same.
/// `one_way` says that no exit is tested in a round.
pub(crate) fn repeated_accesses(
    scev: &ScalarEvolution<'_>,
    l: LoopId,
    insts: &[Inst],
    lanes: &[(Inst, Lanes)],
    (factor, one_way): (usize, bool),
) -> u32 {
    let same: EntitySet<Inst> =
        lanes.iter().filter(|(_, kind)| *kind == Lanes::Same).map(|(i, _)| *i).collect();
    let (body, loops) = (scev.body(), scev.loops());
    let same = |v: Value| v.as_inst().is_some_and(|i| same.contains(i)) || loops.is_invariant(body, l, v);
    Accesses::of(scev, l).repeated(scev, insts, (factor, one_way), same)
}

/// The recurrence of `l` that `value` is.
fn affine(scev: &mut ScalarEvolution<'_>, l: LoopId, value: Value) -> Option<Affine> {
    let expr = scev.expr(value)?;
    let (of, operands) = scev.arena().as_add_rec(expr)?;
    let &[start, step] = &operands[..] else { return None };
    if of != l || scev.ty(expr).is_pointer() {
        return None;
    }
    let (start, step) = (scev.as_constant(start)?, scev.as_constant(step)?);
    let header = scev.header(l);
    let nuw = scev.flags_at(expr, header).nuw();
    let positive = !step.is_negative() && !step.is_zero();
    positive.then(|| Affine { start: start.bits(), step: step.bits(), nuw, width: start.width() })
}

/// How many operations are followed from a value back to a phi.
const MOST_FOLLOWED: usize = 4;

/// Whether `value` is no poison, or stays poison in all later iterations of `l` once it is. A phi that only has the values of
/// another counter may be poison in the first iteration alone.
fn stays_poison(scev: &ScalarEvolution<'_>, l: LoopId, value: Value, depth: usize) -> bool {
    let (body, header) = (scev.body(), scev.header(l));
    let Some(inst) = value.as_inst() else { return true };
    if !body.block_of(inst).is_some_and(|b| scev.loops().contains(l, b)) {
        return true;
    }
    if is_guaranteed_defined(scev.at, value, Some(inst), Defined::NotPoison) {
        return true;
    }
    let data = body.inst(inst);
    // What a phi goes on with in the next iteration, if it is one of the header.
    let carried = |phi: Inst| -> Vec<Value> {
        if !body.inst(phi).kind.is_phi() || body.block_of(phi) != Some(header) {
            return Vec::new();
        }
        let incoming = body.inst(phi).incoming();
        incoming.filter(|(_, from)| scev.loops().contains(l, *from)).map(|(v, _)| v).collect()
    };
    let stays = |v: &Value| stays_poison(scev, l, *v, depth - 1);
    match data.kind {
        InstKind::Phi(_) => {
            let next = carried(inst);
            !next.is_empty() && next.into_iter().all(|v| goes_through(body, v, inst, depth))
        }
        // A flag may be violated in one iteration and not in the next, unless the result is what the phi goes on with.
        InstKind::Binary(_, flags) if flags != BinaryFlags::default() => {
            data.operands.iter().filter_map(|v| v.as_inst()).any(|operand| {
                let next = carried(operand);
                !next.is_empty() && next.into_iter().all(|v| v == value)
            })
        }
        InstKind::Cast(_, flags) if flags != CastFlags::default() => false,
        InstKind::Binary(..) | InstKind::Cast(..) => depth > 0 && data.operands.iter().all(stays),
        _ => false,
    }
}

/// Whether `value` is poison if `phi` is: it is made of it by arithmetic.
fn goes_through(body: &Body, value: Value, phi: Inst, depth: usize) -> bool {
    let Some(inst) = value.as_inst() else { return false };
    let data = body.inst(inst);
    inst == phi
        || depth > 0
            && matches!(data.kind, InstKind::Binary(..))
            && data.operands.iter().any(|v| goes_through(body, *v, phi, depth - 1))
}

/// `i / d` and `i % d` for constants `d`, also as shift and mask.
fn quotient_or_remainder(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    factor: usize,
) -> Option<Lanes> {
    let data = scev.body().inst(inst);
    let InstKind::Binary(op, _) = data.kind else { return None };
    let (left, by) = (data.operands[0], scev.body().as_int(data.operands[1])?);
    // Lane 0 stands for the others.
    if !stays_poison(scev, l, left, MOST_FOLLOWED) {
        return None;
    }
    let (divides, d) = match op {
        BinaryOp::UDiv => (true, by.bits()),
        BinaryOp::URem => (false, by.bits()),
        BinaryOp::LShr => (true, 1u128.checked_shl(u32::try_from(by.bits()).ok()?)?),
        BinaryOp::And => (false, by.bits().checked_add(1).filter(|d| d.is_power_of_two())?),
        _ => return None,
    };
    let i = affine(scev, l, left)?;
    // Numbers wrap at a power of two: a divisor that is none must not see that.
    if d < 2 || !(i.nuw || d.is_power_of_two() && d.trailing_zeros() <= i.width) {
        return None;
    }
    let round = i.step.checked_mul(factor as u128)?;
    let lane = |j: usize| i.start + i.step * j as u128;
    i.start.checked_add(round)?;
    if !divides && round.is_multiple_of(d) {
        let value = |j: usize| Int::new(i.width, lane(j) % d);
        return Some(Lanes::Fixed((0..factor).map(value).collect()));
    }
    // Within a round no multiple of `d` is crossed if both the rounds and `d` are multiples of the same.
    let aligned = d.is_multiple_of(round) && lane(0) / round == lane(factor - 1) / round;
    if !aligned {
        return None;
    }
    Some(if divides { Lanes::Same } else { Lanes::Offset(Int::new(i.width, i.step)) })
}

/// Phis that alternate between two constants, in rounds of an even number of iterations.
fn alternating(scev: &mut ScalarEvolution<'_>, l: LoopId, inst: Inst, factor: usize) -> Option<Lanes> {
    if !scev.body().inst(inst).kind.is_phi() || !factor.is_multiple_of(2) {
        return None;
    }
    let recurrence = scev.recurrence(inst.into()).filter(|r| r.l == l)?;
    let Some(ClosedForm::Alternates(a, b)) = scev.closed_form(&recurrence) else {
        return None;
    };
    let constant = |e: Expr| scev.as_constant(e);
    let both = [constant(a)?, constant(b)?];
    Some(Lanes::Fixed((0..factor).map(|j| both[j % 2]).collect()))
}

/// Comparisons with constants of values that are fixed or the same.
fn decided(
    scev: &ScalarEvolution<'_>,
    inst: Inst,
    found: &FxHashMap<Inst, Lanes>,
    factor: usize,
) -> Option<Lanes> {
    let body = scev.body();
    let data = body.inst(inst);
    let of = |v: Value| v.as_inst().and_then(|i| found.get(&i));
    match data.kind {
        InstKind::ICmp { pred, samesign: false } => {
            let (a, b) = (data.operands[0], data.operands[1]);
            let constant = |v: Value| body.as_int(v);
            let holds: Vec<bool> = match (of(a), constant(b), constant(a), of(b)) {
                (Some(Lanes::Fixed(values)), Some(c), ..) => holding(pred, values, |v| [v, c]),
                (_, _, Some(c), Some(Lanes::Fixed(values))) => holding(pred, values, |v| [c, v]),
                (Some(Lanes::Same), Some(_), ..) | (_, _, Some(_), Some(Lanes::Same)) => {
                    return Some(Lanes::Same);
                }
                _ => return None,
            };
            debug_assert_eq!(holds.len(), factor);
            Some(Lanes::Fixed(holds.into_iter().map(Int::bool).collect()))
        }
        _ => None,
    }
}

/// What is computed from values that are the same, without touching memory, is the same: addresses, arithmetic, calls
/// that depend on nothing but their arguments.
fn of_same(
    scev: &ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    found: &FxHashMap<Inst, Lanes>,
) -> Option<Lanes> {
    let (env, body) = (scev.at.env, scev.body());
    let data = body.inst(inst);
    let computes = match &data.kind {
        InstKind::Binary(..)
        | InstKind::FloatBinary(..)
        | InstKind::Cast(..)
        | InstKind::ICmp { .. }
        | InstKind::Select(_)
        | InstKind::Gep { .. } => true,
        _ => data.call().is_some_and(|call| {
            let effects = effects_of_call(env, body, call).any();
            !effects.reads && !effects.writes && call_ends(env, body, call) == (true, true)
        }),
    };
    let same = |v: Value| v.as_inst().is_some_and(|i| found.get(&i) == Some(&Lanes::Same));
    let loops = scev.loops();
    let fits = |v: Value| same(v) || loops.is_invariant(body, l, v);
    let of_same = data.operands.iter().any(|v| same(*v)) && data.operands.iter().all(|v| fits(*v));
    (computes && of_same).then_some(Lanes::Same)
}

fn holding(pred: IntPredicate, values: &[Int], sides: impl Fn(Int) -> [Int; 2]) -> Vec<bool> {
    values.iter().map(|v| sides(*v)).map(|[a, b]| pred.holds(a, b)).collect()
}
