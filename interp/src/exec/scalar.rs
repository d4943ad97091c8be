//! Integer arithmetic, comparisons and casts on scalars, including poison and undefined bits. This is the definition
//! that the fast forms ([`super::word`]) must agree with.
//!
//! An operand with undefined bits represents a set of values. If any of them leads to UB or poison, so does the
//! operation, because that outcome covers all others. Otherwise the result is the set of results if undefined bits
//! can express that set, and else one of them, chosen now ([`Ctx::narrow`] records that).

use super::ctx::Ctx;
use super::elements::unsupported;
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop, UbKind};
use crate::value::{Cube, Pointer, Prov, Val, mask, sign_bit};
use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, IntPredicate};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Integer arithmetic.
pub(crate) fn binary(
    ctx: &mut Ctx<'_, '_>,
    op: BinaryOp,
    flags: BinaryFlags,
    width: u32,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    if op.is_division() {
        return divide(ctx, op, flags, width, a, b);
    }
    let (Some(x), Some(y)) = (a.cube(), b.cube()) else { return Ok(Val::Poison) };
    if x.is_known() && y.is_known() {
        return Ok(known_binary(op, flags, Int::new(width, x.bits), Int::new(width, y.bits)));
    }
    if may_be_poison(op, flags, width, x, y) {
        return Ok(Val::Poison);
    }
    if let Some(cube) = binary_cube(op, width, x, y) {
        return Ok(Val::from_cube(width, cube));
    }
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    Ok(known_binary(op, flags, x, y))
}

/// Arithmetic on defined operands.
pub(crate) fn known_binary(op: BinaryOp, flags: BinaryFlags, x: Int, y: Int) -> Val {
    let fails = match op {
        BinaryOp::Add => flags.nuw && x.add_overflows_unsigned(y) || flags.nsw && x.add_overflows_signed(y),
        BinaryOp::Sub => flags.nuw && x.sub_overflows_unsigned(y) || flags.nsw && x.sub_overflows_signed(y),
        BinaryOp::Mul => flags.nuw && x.mul_overflows_unsigned(y) || flags.nsw && x.mul_overflows_signed(y),
        BinaryOp::Shl => flags.nuw && x.shl_loses_unsigned(y) || flags.nsw && x.shl_loses_signed(y),
        BinaryOp::LShr => flags.exact && !x.lshr_is_exact(y),
        BinaryOp::AShr => flags.exact && !x.ashr_is_exact(y),
        BinaryOp::UDiv => flags.exact && !x.udiv_is_exact(y),
        BinaryOp::SDiv => flags.exact && !x.sdiv_is_exact(y),
        BinaryOp::Or => flags.disjoint && !x.is_disjoint(y),
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => false,
    };
    if fails {
        return Val::Poison;
    }
    let value = match op {
        BinaryOp::Add => Some(x.add(y)),
        BinaryOp::Sub => Some(x.sub(y)),
        BinaryOp::Mul => Some(x.mul(y)),
        BinaryOp::Shl => x.shl(y),
        BinaryOp::LShr => x.lshr(y),
        BinaryOp::AShr => x.ashr(y),
        BinaryOp::UDiv => x.udiv(y),
        BinaryOp::SDiv => x.sdiv(y),
        BinaryOp::URem => x.urem(y),
        BinaryOp::SRem => x.srem(y),
        BinaryOp::And => Some(x.and(y)),
        BinaryOp::Or => Some(x.or(y)),
        BinaryOp::Xor => Some(x.xor(y)),
    };
    value.map_or(Val::Poison, Val::int)
}

/// Whether some choice of the undefined bits makes the result poison. The extremes of a set decide, because overflow
/// is monotonic in each operand.
fn may_be_poison(op: BinaryOp, flags: BinaryFlags, width: u32, x: Cube, y: Cube) -> bool {
    let (x_min, x_max, y_max) = (x.min(width), x.max(width), y.max(width));
    let (x_lo, x_hi, y_lo, y_hi) = (x.smin(width), x.smax(width), y.smin(width), y.smax(width));
    match op {
        BinaryOp::Add => {
            flags.nuw && x_max.add_overflows_unsigned(y_max)
                || flags.nsw && (x_lo.add_overflows_signed(y_lo) || x_hi.add_overflows_signed(y_hi))
        }
        BinaryOp::Sub => {
            flags.nuw && x_min.sub_overflows_unsigned(y_max)
                || flags.nsw && (x_lo.sub_overflows_signed(y_hi) || x_hi.sub_overflows_signed(y_lo))
        }
        BinaryOp::Mul => {
            let corners = [(x_lo, y_lo), (x_lo, y_hi), (x_hi, y_lo), (x_hi, y_hi)];
            flags.nuw && x_max.mul_overflows_unsigned(y_max)
                || flags.nsw && corners.iter().any(|(p, q)| p.mul_overflows_signed(*q))
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            y_max.bits() >= u128::from(width) || shift_loses_undef(op, flags, width, x, y_max)
        }
        BinaryOp::Or => flags.disjoint && (x_max.bits() & y_max.bits()) != 0,
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => {
            false
        }
    }
}

/// Whether a flag of a shift can be violated; checks the largest amount, which shifts out the most bits.
fn shift_loses_undef(op: BinaryOp, flags: BinaryFlags, width: u32, x: Cube, amount: Int) -> bool {
    let by = amount.bits() as u32;
    let any = x.bits | x.undef;
    let top = mask(width) & !mask(width - by);
    match op {
        BinaryOp::Shl => {
            let sign_part = mask(width) & !mask(width - by - 1);
            let mixed =
                x.undef & sign_part != 0 || !matches!(x.bits & sign_part, b if b == 0 || b == sign_part);
            flags.nuw && any & top != 0 || flags.nsw && by > 0 && mixed
        }
        BinaryOp::LShr | BinaryOp::AShr => flags.exact && any & mask(by) != 0,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => false,
    }
}

/// The set of results, if undefined bits describe it exactly. No choice gives poison.
fn binary_cube(op: BinaryOp, width: u32, x: Cube, y: Cube) -> Option<Cube> {
    let all = mask(width);
    let free = |c: Cube| c.undef == all;
    match op {
        // Also correct with flags: if no choice gives poison, no choice wraps.
        BinaryOp::Add | BinaryOp::Sub => (free(x) || free(y)).then(|| Cube::new(0, all)),
        BinaryOp::Mul => {
            let odd = |c: Cube| c.is_known() && c.bits & 1 != 0;
            let zero = |c: Cube| c == Cube::known(0);
            if zero(x) || zero(y) {
                Some(Cube::known(0))
            } else if free(x) && odd(y) || free(y) && odd(x) {
                Some(Cube::new(0, all))
            } else {
                None
            }
        }
        BinaryOp::And => {
            let one = (x.bits | x.undef) & (y.bits | y.undef);
            Some(Cube::new(x.bits & y.bits, one & !(x.bits & y.bits)))
        }
        BinaryOp::Or => {
            let known = x.bits | y.bits;
            Some(Cube::new(known, (x.undef | y.undef) & !known))
        }
        BinaryOp::Xor => Some(Cube::new(x.bits ^ y.bits, x.undef | y.undef)),
        BinaryOp::Shl if y.is_known() => {
            let by = y.bits as u32;
            Some(Cube::new(x.bits << by & all, x.undef << by & all))
        }
        BinaryOp::LShr if y.is_known() => {
            let by = y.bits as u32;
            Some(Cube::new(x.bits >> by, x.undef >> by))
        }
        BinaryOp::AShr if y.is_known() && x.undef & sign_bit(width) == 0 => {
            let bits = Int::new(width, x.bits).ashr(Int::new(width, y.bits))?;
            Some(Cube::new(bits.bits(), x.undef >> (y.bits as u32)))
        }
        BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem => None,
    }
}

/// Division and remainder. A poison dividend gives poison for any defined divisor: LangRef makes only a poison
/// divisor UB.
fn divide(
    ctx: &mut Ctx<'_, '_>,
    op: BinaryOp,
    flags: BinaryFlags,
    width: u32,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    let Some(y) = b.cube() else { return Err(Stop::Ub(UbKind::DivisionByPoison)) };
    if y.may_be(0) {
        return Err(Stop::Ub(UbKind::DivisionByZero));
    }
    let Some(x) = a.cube() else { return Ok(Val::Poison) };
    let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
    if signed && x.may_be(sign_bit(width)) && y.may_be(mask(width)) {
        return Err(Stop::Ub(UbKind::DivisionOverflow));
    }
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    Ok(known_binary(op, flags, x, y))
}

/// `icmp` on integers or addresses of `width` bits.
pub(crate) fn icmp(pred: IntPredicate, samesign: bool, width: u32, a: &Val, b: &Val) -> Val {
    let (Some(x), Some(y)) = (a.cube(), b.cube()) else { return Val::Poison };
    let sign = sign_bit(width);
    if samesign && ((x.bits ^ y.bits) | x.undef | y.undef) & sign != 0 {
        return Val::Poison;
    }
    match compare_cubes(pred, width, x, y) {
        Some(result) => Val::bool(result),
        None => Val::undef(1),
    }
}

/// The result of a comparison; `None` if it depends on undefined bits. Both results are then possible, and each use
/// may see another one.
fn compare_cubes(pred: IntPredicate, width: u32, x: Cube, y: Cube) -> Option<bool> {
    let decide = |always: bool, never: bool| match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    };
    let less = |x: Cube, y: Cube| decide(x.max(width).ult(y.min(width)), x.min(width).uge(y.max(width)));
    let signed_less =
        |x: Cube, y: Cube| decide(x.smax(width).slt(y.smin(width)), x.smin(width).sge(y.smax(width)));
    let not = |b: Option<bool>| b.map(|b| !b);
    let equal = || {
        let conflict = (x.bits ^ y.bits) & !x.undef & !y.undef != 0;
        decide(x.is_known() && y.is_known() && !conflict, conflict)
    };
    match pred {
        IntPredicate::Eq => equal(),
        IntPredicate::Ne => not(equal()),
        IntPredicate::Ult => less(x, y),
        IntPredicate::Ugt => less(y, x),
        IntPredicate::Uge => not(less(x, y)),
        IntPredicate::Ule => not(less(y, x)),
        IntPredicate::Slt => signed_less(x, y),
        IntPredicate::Sgt => signed_less(y, x),
        IntPredicate::Sge => not(signed_less(x, y)),
        IntPredicate::Sle => not(signed_less(y, x)),
    }
}

/// `trunc`, `zext` and `sext`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "trunc, zext and sext alone come here; others are refused"
)]
pub(crate) fn int_cast(
    ctx: &mut Ctx<'_, '_>,
    op: CastOp,
    flags: CastFlags,
    from: u32,
    to: u32,
    a: &Val,
) -> Step<Val> {
    let Some(x) = a.cube() else { return Ok(Val::Poison) };
    Ok(match op {
        CastOp::Trunc if trunc_may_fail(flags, from, to, x) => Val::Poison,
        CastOp::ZExt if flags.nneg && (x.bits | x.undef) & sign_bit(from) != 0 => Val::Poison,
        CastOp::SExt => sext(ctx, from, to, x),
        CastOp::Trunc | CastOp::ZExt => Val::from_cube(to, x),
        other => return Err(Stop::unsupported(Feature::Instruction(other.name()))),
    })
}

fn sext(ctx: &mut Ctx<'_, '_>, from: u32, to: u32, x: Cube) -> Val {
    let sign = sign_bit(from);
    let chosen = ctx.narrow(from, Cube::new(x.bits & sign, x.undef & sign)).bits();
    let bits = Int::new(from, x.bits | chosen).sext(to).bits();
    Val::from_cube(to, Cube::new(bits, x.undef & !sign))
}

fn trunc_may_fail(flags: CastFlags, from: u32, to: u32, x: Cube) -> bool {
    let lost = mask(from) & !mask(to);
    let sign_part = lost | sign_bit(to);
    let mixed = x.undef & sign_part != 0 || !matches!(x.bits & sign_part, b if b == 0 || b == sign_part);
    flags.nuw && (x.bits | x.undef) & lost != 0 || flags.nsw && mixed
}

/// Casts between integers and pointers, and between address spaces.
pub(crate) fn pointer_cast(ctx: &mut Ctx<'_, '_>, op: CastOp, to: &Shape, a: &Val) -> Step<Val> {
    let Some(cube) = a.cube() else { return Ok(Val::Poison) };
    if op == CastOp::AddrSpaceCast {
        // LangRef leaves the resulting pointer open.
        return Err(Stop::unsupported(Feature::Other("addrspacecast, whose result the target decides")));
    }
    if let (CastOp::PtrToInt, Val::Ptr(ptr)) = (op, a) {
        ctx.memory.expose(ptr.prov);
    }
    if let (CastOp::PtrToAddr, Val::Ptr(ptr)) = (op, a) {
        let local = ctx.memory.object_of(*ptr).is_some_and(|i| ctx.memory.allocation(i).is_local());
        ctx.memory.observed_addresses |= local;
    }
    Ok(address_cast(op, to, cube))
}

pub(super) fn address_cast(op: CastOp, to: &Shape, cube: Cube) -> Val {
    let value = to.scalar_from(cube);
    match value {
        Val::Ptr(ptr) if op == CastOp::IntToPtr => Val::Ptr(Pointer { prov: Prov::WILDCARD, ..ptr }),
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Wide(_) | Val::Agg(_) => value,
    }
}

/// A cast in a constant expression; `None` if it is not modelled there.
pub(crate) fn const_cast(op: CastOp, from: &Shape, to: &Shape, a: &Val) -> Option<Val> {
    let Some(cube) = a.cube() else { return (*a == Val::Poison).then_some(Val::Poison) };
    match op {
        CastOp::Trunc | CastOp::ZExt => Some(to.scalar_from(cube)),
        CastOp::SExt => Some(Val::int(a.as_int(from.scalar_bits()?)?.sext(to.scalar_bits()?))),
        CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr => Some(address_cast(op, to, cube)),
        CastOp::BitCast if from == to => Some(a.clone()),
        CastOp::BitCast if !from.is_ptr() && !to.is_ptr() => Some(to.scalar_from(cube)),
        CastOp::AddrSpaceCast
        | CastOp::BitCast
        | CastOp::FpTrunc
        | CastOp::FpExt
        | CastOp::FpToUi
        | CastOp::FpToSi
        | CastOp::UiToFp
        | CastOp::SiToFp => None,
    }
}

/// Arithmetic in a constant expression; `None` if it is not modelled there.
pub(crate) fn const_binary(op: BinaryOp, flags: BinaryFlags, width: u32, a: &Val, b: &Val) -> Option<Val> {
    if op.is_division() {
        return None;
    }
    if *a == Val::Poison || *b == Val::Poison {
        return Some(Val::Poison);
    }
    Some(known_binary(op, flags, a.as_int(width)?, b.as_int(width)?))
}

/// An integer intrinsic on one lane.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn int_lane(ctx: &mut Ctx<'_, '_>, which: Intrinsic, width: u32, args: &[Val]) -> Step<Val> {
    let mut ints = Vec::with_capacity(args.len());
    for (i, arg) in args.iter().enumerate() {
        let Some(cube) = arg.cube() else { return Ok(Val::Poison) };
        let shifts = matches!(which, Intrinsic::UShlSat | Intrinsic::SShlSat) && i == 1;
        if shifts && cube.max(width).bits() >= u128::from(width) {
            return Ok(Val::Poison);
        }
        // `is_int_min_poison` and `is_zero_poison`: the result is poison if any choice yields the value.
        let trap = if which == Intrinsic::Abs { crate::value::sign_bit(width) } else { 0 };
        let flagged = matches!(which, Intrinsic::Abs | Intrinsic::Ctlz | Intrinsic::Cttz);
        if flagged && i == 0 && args[1] == Val::Bits(1) && cube.may_be(trap) {
            return Ok(Val::Poison);
        }
        ints.push(ctx.narrow(if flagged && i == 1 { 1 } else { width }, cube));
    }
    let x = ints[0];
    let y = ints.get(1).copied().unwrap_or(x);
    let result = match which {
        Intrinsic::Abs => Some(x.abs()),
        Intrinsic::UMin => Some(x.umin(y)),
        Intrinsic::UMax => Some(x.umax(y)),
        Intrinsic::SMin => Some(x.smin(y)),
        Intrinsic::SMax => Some(x.smax(y)),
        Intrinsic::UAddSat => Some(x.uadd_sat(y)),
        Intrinsic::SAddSat => Some(x.sadd_sat(y)),
        Intrinsic::USubSat => Some(x.usub_sat(y)),
        Intrinsic::SSubSat => Some(x.ssub_sat(y)),
        Intrinsic::UShlSat => x.ushl_sat(y),
        Intrinsic::SShlSat => x.sshl_sat(y),
        Intrinsic::Ctpop => Some(x.ctpop()),
        Intrinsic::Ctlz => Some(x.ctlz()),
        Intrinsic::Cttz => Some(x.cttz()),
        Intrinsic::BSwap => x.bswap(),
        Intrinsic::BitReverse => Some(x.bitreverse()),
        Intrinsic::FShl => Some(x.fshl(y, ints[2])),
        Intrinsic::FShr => Some(x.fshr(y, ints[2])),
        other => return Err(unsupported(other)),
    };
    Ok(result.map_or(Val::Poison, Val::int))
}
