//! Lanes of quotients and remainders of counters by constants, and of narrow counters, which are their own
//! remainders.
//!
//! If a counter starts at a constant, and the round is a multiple of the divisor or vice versa, its position between
//! multiples of the divisor is known in each lane. If it starts at an unknown value and the round is a multiple of
//! the divisor, each lane has the same remainder in all rounds: that of the start plus the lane's offset.

use super::{Lanes, Residue, Rounds};
use backedge_analysis::LoopId;
use backedge_analysis::poison::{Defined, is_guaranteed_defined};
use backedge_ir::body::Body;
use backedge_ir::entity::Inst;
use backedge_ir::inst::{BinaryFlags, CastFlags, CastOp, InstKind, Value};
use backedge_ir::int::Int;
use backedge_ir::opcode::BinaryOp;
use backedge_scev::ScalarEvolution;

/// A recurrence with a constant step.
#[derive(Copy, Clone)]
struct Affine {
    /// Its first value, if constant.
    start: Option<Int>,
    step: Int,
    /// Its values do not wrap unsigned.
    nuw: bool,
}

/// `value` as an affine recurrence of `l`.
fn affine(scev: &mut ScalarEvolution<'_>, l: LoopId, value: Value) -> Option<Affine> {
    let expr = scev.expr(value)?;
    let (of, operands) = scev.arena().as_add_rec(expr)?;
    let &[start, step] = &operands[..] else { return None };
    if of != l || scev.ty(expr).is_pointer() {
        return None;
    }
    let (start, step) = (scev.as_constant(start), scev.as_constant(step)?);
    let header = scev.header(l);
    let nuw = scev.flags_at(expr, header).nuw();
    (!step.is_zero()).then_some(Affine { start, step, nuw })
}

impl Affine {
    /// Its value in iteration `n`, if its first value is `start`.
    fn iteration(&self, start: Int, n: usize) -> Int {
        start.add(self.step.mul(Int::new(start.width(), n as u128)))
    }
}

/// Maximum number of operations followed from a value back to a phi: bounds the recursion.
const MOST_FOLLOWED: usize = 4;

/// Whether `value` is never poison, or stays poison in all later iterations of `l` once it is. A phi that only has
/// the values of another counter may be poison in the first iteration alone.
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
    // The next values of `phi`, if it is a header phi.
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
        // A flag may be violated in one iteration and not in the next, unless the result is the next value of the
        // phi.
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

/// Whether poison of `phi` propagates to `value` through arithmetic.
fn goes_through(body: &Body, value: Value, phi: Inst, depth: usize) -> bool {
    let Some(inst) = value.as_inst() else { return false };
    let data = body.inst(inst);
    inst == phi
        || depth > 0
            && matches!(data.kind, InstKind::Binary(..))
            && data.operands.iter().any(|v| goes_through(body, *v, phi, depth - 1))
}

/// Maximum width in bits of a narrow counter: its values repeat only if the step of a round is a multiple of the number
/// of values, which wider counters seldom meet.
const MOST_NARROW: u32 = 5;

/// A division by a constant, or its remainder.
struct Division {
    /// Whether it is the quotient.
    divides: bool,
    d: u128,
    /// It is signed, and equals the unsigned operation only for a non-negative dividend.
    signed: bool,
}

impl Division {
    /// Whether it equals the unsigned operation for all values of `dividend`.
    fn is_unsigned(&self, scev: &mut ScalarEvolution<'_>, dividend: Value) -> bool {
        !self.signed || scev.expr(dividend).is_some_and(|e| !scev.signed_min(e).is_negative())
    }
}

/// The division that `op` performs with the right operand `by`.
fn division(op: BinaryOp, by: Int) -> Option<Division> {
    let shifted = || 1u128.checked_shl(u32::try_from(by.bits()).ok()?);
    let (divides, d, signed) = match op {
        BinaryOp::UDiv => (true, by.bits(), false),
        BinaryOp::URem => (false, by.bits(), false),
        BinaryOp::SDiv if !by.is_negative() => (true, by.bits(), true),
        BinaryOp::SRem if !by.is_negative() => (false, by.bits(), true),
        BinaryOp::LShr => (true, shifted()?, false),
        BinaryOp::AShr => (true, shifted()?, true),
        BinaryOp::And => (false, by.bits().checked_add(1).filter(|d| d.is_power_of_two())?, false),
        _ => return None,
    };
    (d >= 2).then_some(Division { divides, d, signed })
}

/// `i / d` and `i % d` for constants `d`, also as shift, mask and truncation.
pub(super) fn quotient_or_remainder(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    inst: Inst,
    rounds: Rounds,
) -> Option<Lanes> {
    let data = scev.body().inst(inst);
    let (op, left, by) = match data.kind {
        InstKind::Binary(op, _) => (op, data.operands[0], scev.body().as_int(data.operands[1])?),
        InstKind::Cast(CastOp::Trunc, _) => {
            let (of, bits) = (data.operands[0], data.ty.int_bits()?);
            return low_bits(scev, l, of, bits, rounds);
        }
        _ => return None,
    };
    let division = division(op, by)?;
    if !division.is_unsigned(scev, left) {
        return None;
    }
    // Lane 0 represents the others.
    if !stays_poison(scev, l, left, MOST_FOLLOWED) {
        return None;
    }
    let i = affine(scev, l, left)?;
    // Arithmetic wraps at a power of two: unless `d` is one, the counter must not wrap.
    let d = division.d;
    let power = d.is_power_of_two() && d.trailing_zeros() <= by.width();
    if !(i.nuw && !i.step.is_negative() || power) {
        return None;
    }
    let Rounds { factor, first } = rounds;
    let round = i.step.bits().checked_mul(factor as u128)?;
    match i.start {
        Some(start) => from_constant(i.iteration(start, first), &i, &division, round, factor),
        None if !division.divides && round.is_multiple_of(d) => {
            let start = first_value(scev, l, left)?;
            Some(Lanes::Residue(Residue { start, step: i.step, first, op, by }))
        }
        None => None,
    }
}

/// The lanes of a counter that is `start` at the first round, with `factor` iterations per round and a total step of
/// `round`.
fn from_constant(
    start: Int,
    i: &Affine,
    &Division { divides, d, .. }: &Division,
    round: u128,
    factor: usize,
) -> Option<Lanes> {
    let width = start.width();
    let lane = |j: usize| i.iteration(start, j).bits();
    if !divides && round.is_multiple_of(d) {
        let value = |j: usize| Int::new(width, lane(j) % d);
        return Some(Lanes::Fixed((0..factor).map(value).collect()));
    }
    // The rest requires that no lane of the first round wraps.
    let last = start.bits().checked_add(round.checked_sub(i.step.bits())?)?;
    if i.step.is_negative() || last > Int::unsigned_max(width).bits() {
        return None;
    }
    // If `d` is a multiple of the round, and rounds start so that the lanes do not cross a multiple of the round,
    // they cross no multiple of `d`.
    if d.is_multiple_of(round) && lane(0) / round == lane(factor - 1) / round {
        let ahead = |j: usize| i.step.mul(Int::new(width, j as u128));
        return Some(if divides { Lanes::Same } else { Lanes::Offset((0..factor).map(ahead).collect()) });
    }
    // If the round is a multiple of `d`, each round crosses multiples of `d` at the same lanes, provided that it does
    // not wrap within a round. It does not wrap if rounds begin at multiples of a power of two that divides 2^width,
    // or less than a step after those.
    let between =
        round.is_power_of_two() && round.trailing_zeros() <= width && start.bits() % round < i.step.bits();
    if divides && (i.nuw || between) && round.is_multiple_of(d) {
        let ahead = |j: usize| Int::new(width, lane(j) / d - lane(0) / d);
        return Some(Lanes::Offset((0..factor).map(ahead).collect()));
    }
    None
}

/// A counter with a constant start whose values repeat every round, since it is narrow.
pub(super) fn narrow(scev: &mut ScalarEvolution<'_>, l: LoopId, inst: Inst, rounds: Rounds) -> Option<Lanes> {
    let bits = scev.body().inst(inst).ty.int_bits().filter(|bits| *bits <= MOST_NARROW)?;
    low_bits(scev, l, inst.into(), bits, rounds)
}

/// The low bits of `value`, a counter with a constant start, if they repeat every round.
fn low_bits(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    value: Value,
    bits: u32,
    Rounds { factor, first }: Rounds,
) -> Option<Lanes> {
    let i = affine(scev, l, value)?;
    let (start, round) = (i.start?, i.step.bits().checked_mul(factor as u128)?);
    let repeats = bits < 64 && round.is_multiple_of(1 << bits);
    repeats.then(|| Lanes::Fixed((0..factor).map(|j| i.iteration(start, first + j).trunc(bits)).collect()))
}

/// The unroll factors that the divisors in `insts` suggest.
pub(crate) fn periods<'a>(body: &'a Body, insts: &'a [Inst]) -> impl Iterator<Item = usize> + 'a {
    insts.iter().filter_map(|inst| {
        let data = body.inst(*inst);
        let InstKind::Binary(op, _) = data.kind else { return None };
        if !op.is_division() {
            return None;
        }
        usize::try_from(division(op, body.as_int(data.operands[1])?)?.d).ok()
    })
}

/// Rounds of at most `most` iterations in which a quotient of `insts` is equal in all lanes, if some iterations are
/// peeled first: its counter starts between two multiples of the divisor, and then reaches one.
pub(crate) fn late_rounds(
    scev: &mut ScalarEvolution<'_>,
    l: LoopId,
    insts: &[Inst],
    most: usize,
) -> Vec<Rounds> {
    let mut late = |inst: &Inst| {
        let data = scev.body().inst(*inst);
        let InstKind::Binary(op, _) = data.kind else { return None };
        let (left, by) = (data.operands[0], scev.body().as_int(data.operands[1])?);
        let division @ Division { divides: true, d, .. } = division(op, by)? else { return None };
        if !division.is_unsigned(scev, left) {
            return None;
        }
        let Affine { start: Some(start), step, .. } = affine(scev, l, left)? else { return None };
        let (after, step) = (start.bits() % d, step.bits());
        let factor = usize::try_from(d / step).ok().filter(|k| (2..=most).contains(k))?;
        let first = usize::try_from((d - after) / step).ok()?;
        let meets = d.is_multiple_of(step) && after != 0 && (d - after).is_multiple_of(step);
        meets.then_some(Rounds { factor, first })
    };
    let mut found: Vec<Rounds> = insts.iter().filter_map(&mut late).collect();
    found.sort_unstable_by_key(|rounds| (rounds.first, rounds.factor));
    found.dedup();
    found
}

/// The value of `value`, a header phi of `l`, in the first iteration.
fn first_value(scev: &ScalarEvolution<'_>, l: LoopId, value: Value) -> Option<Value> {
    let (body, header) = (scev.body(), scev.header(l));
    let phi = value.as_inst().filter(|i| body.inst(*i).kind.is_phi() && body.block_of(*i) == Some(header))?;
    body.incoming_from(phi, scev.loops().preheader(&scev.cfg(), l)?)
}
