//! Integers of up to 64 bits that are defined: the common case, on machine words. Everything else goes to
//! [`super::scalar`], which says what the operations mean.

use super::ctx::Ctx;
use super::scalar;
use crate::compile::op::{BinArgs, CmpArgs, IntCastArgs};
use crate::outcome::Step;
use crate::value::{Val, mask64};
use backedge_ir::inst::{BinaryOp, CastOp, IntPredicate};

/// The signed value of the low `width` bits.
#[inline]
fn signed(bits: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

#[inline]
fn fits(value: i64, width: u8) -> bool {
    let unused = 64 - u32::from(width);
    (value << unused) >> unused == value
}

/// Runs `word` on defined operands; `None` from it, and all other operands, go the general way.
#[inline]
fn binary(
    ctx: &mut Ctx<'_, '_>,
    regs: &mut [Val],
    op: BinaryOp,
    args: &BinArgs,
    word: impl Fn(u64, u64) -> Option<u64>,
) -> Step<()> {
    if let (Val::Bits(x), Val::Bits(y)) = (&regs[args.a as usize], &regs[args.b as usize])
        && let Some(result) = word(*x, *y)
    {
        regs[args.dst as usize] = Val::Bits(result);
        return Ok(());
    }
    general(ctx, regs, op, args)
}

#[cold]
#[inline(never)]
fn general(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: BinaryOp, args: &BinArgs) -> Step<()> {
    let (a, b) = (regs[args.a as usize].clone(), regs[args.b as usize].clone());
    let result = scalar::binary(ctx, (op, args.flags, args.width.into()), &a, &b)?;
    regs[args.dst as usize] = result;
    Ok(())
}

#[inline]
pub(super) fn add(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let (width, flags) = (args.width, args.flags);
    binary(ctx, regs, BinaryOp::Add, args, |x, y| {
        let sum = x.wrapping_add(y) & mask64(width);
        if flags.nuw && sum < x {
            return None;
        }
        if flags.nsw {
            let exact = signed(x, width).checked_add(signed(y, width));
            return exact.filter(|e| fits(*e, width)).map(|_| sum);
        }
        Some(sum)
    })
}

#[inline]
pub(super) fn sub(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let (width, flags) = (args.width, args.flags);
    binary(ctx, regs, BinaryOp::Sub, args, |x, y| {
        if flags.nuw && x < y {
            return None;
        }
        let difference = x.wrapping_sub(y) & mask64(width);
        if flags.nsw {
            let exact = signed(x, width).checked_sub(signed(y, width));
            return exact.filter(|e| fits(*e, width)).map(|_| difference);
        }
        Some(difference)
    })
}

#[inline]
pub(super) fn mul(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let (width, flags) = (args.width, args.flags);
    binary(ctx, regs, BinaryOp::Mul, args, |x, y| {
        if flags.nuw && x.checked_mul(y).is_none_or(|p| p > mask64(width)) {
            return None;
        }
        if flags.nsw && signed(x, width).checked_mul(signed(y, width)).is_none_or(|p| !fits(p, width)) {
            return None;
        }
        Some(x.wrapping_mul(y) & mask64(width))
    })
}

#[inline]
pub(super) fn shl(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let width = args.width;
    let plain = !args.flags.nuw && !args.flags.nsw;
    binary(ctx, regs, BinaryOp::Shl, args, |x, y| {
        (plain && y < u64::from(width)).then(|| (x << y) & mask64(width))
    })
}

#[inline]
pub(super) fn lshr(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let (width, plain) = (args.width, !args.flags.exact);
    binary(ctx, regs, BinaryOp::LShr, args, |x, y| (plain && y < u64::from(width)).then(|| x >> y))
}

#[inline]
pub(super) fn ashr(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let (width, plain) = (args.width, !args.flags.exact);
    binary(ctx, regs, BinaryOp::AShr, args, |x, y| {
        (plain && y < u64::from(width)).then(|| ((signed(x, width) >> y) as u64) & mask64(width))
    })
}

#[inline]
pub(super) fn and(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    binary(ctx, regs, BinaryOp::And, args, |x, y| Some(x & y))
}

#[inline]
pub(super) fn or(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    let disjoint = args.flags.disjoint;
    binary(ctx, regs, BinaryOp::Or, args, |x, y| (!disjoint || x & y == 0).then_some(x | y))
}

#[inline]
pub(super) fn xor(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], args: &BinArgs) -> Step<()> {
    binary(ctx, regs, BinaryOp::Xor, args, |x, y| Some(x ^ y))
}

#[inline]
#[expect(clippy::wildcard_enum_match_arm, reason = "divisions alone come here")]
pub(super) fn divide(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: BinaryOp, args: &BinArgs) -> Step<()> {
    let (width, exact) = (args.width, args.flags.exact);
    binary(ctx, regs, op, args, |x, y| {
        if y == 0 || exact {
            return None;
        }
        let (sx, sy) = (signed(x, width), signed(y, width));
        let overflow = sy == -1;
        match op {
            BinaryOp::UDiv => Some(x / y),
            BinaryOp::URem => Some(x % y),
            BinaryOp::SDiv if !overflow => Some((sx / sy) as u64 & mask64(width)),
            BinaryOp::SRem if !overflow => Some((sx % sy) as u64 & mask64(width)),
            _ => None,
        }
    })
}

#[inline]
pub(super) fn icmp(regs: &mut [Val], args: &CmpArgs) {
    let result = match (&regs[args.a as usize], &regs[args.b as usize]) {
        (Val::Bits(x), Val::Bits(y)) if !args.samesign => Val::bool(compare(args.pred, args.width, *x, *y)),
        (a, b) => scalar::icmp(args.pred, args.samesign, args.width.into(), a, b),
    };
    regs[args.dst as usize] = result;
}

#[inline]
fn compare(pred: IntPredicate, width: u8, x: u64, y: u64) -> bool {
    let (sx, sy) = (signed(x, width), signed(y, width));
    match pred {
        IntPredicate::Eq => x == y,
        IntPredicate::Ne => x != y,
        IntPredicate::Ugt => x > y,
        IntPredicate::Uge => x >= y,
        IntPredicate::Ult => x < y,
        IntPredicate::Ule => x <= y,
        IntPredicate::Sgt => sx > sy,
        IntPredicate::Sge => sx >= sy,
        IntPredicate::Slt => sx < sy,
        IntPredicate::Sle => sx <= sy,
    }
}

#[inline]
pub(super) fn cast(ctx: &mut Ctx<'_, '_>, regs: &mut [Val], op: CastOp, args: &IntCastArgs) {
    let plain = !args.flags.nneg && !args.flags.nuw && !args.flags.nsw;
    let result = match (&regs[args.a as usize], op) {
        (Val::Bits(x), CastOp::Trunc) if plain => Val::Bits(x & mask64(args.to)),
        (Val::Bits(x), CastOp::ZExt) if plain => Val::Bits(*x),
        (Val::Bits(x), CastOp::SExt) => Val::Bits(signed(*x, args.from) as u64 & mask64(args.to)),
        (other, _) => {
            let other = other.clone();
            scalar::int_cast(ctx, op, args.flags, (args.from.into(), args.to.into()), &other)
        }
    };
    regs[args.dst as usize] = result;
}
