//! Floating point: `float` and `double` by hardware operations in the default environment.
//!
//! LangRef, "Floating-Point Environment" and "Behavior of Floating-Point NaN values": if an operation produces a NaN,
//! its sign is nondeterministic. Its payload is that of the preferred NaN or of a NaN operand, made quiet or, if that
//! operand signals, unchanged ("unchanged NaN propagation": so `x + -0.0` may be `x`); the chooser decides. Bitwise
//! operations (`fneg`, `fabs`, `copysign`) keep the payload. `nnan` and `ninf` give poison if an operand or the
//! result is excluded by them. `nsz` makes the sign of a zero result nondeterministic, and that of a zero operand
//! where it affects more than the sign of a zero result. The flags that allow other results are not exploited; a
//! source run with such flags never refutes.
//!
//! Other formats are in [`super::soft`], functions of the mathematical library in [`super::libm`].

mod cast;
mod common;
mod format;
mod min_max;
mod result;

use super::ctx::Ctx;
use super::regs::Regs;
use super::{libm, soft};
use crate::compile::denormal::FLUSHED;
use crate::compile::op::DenormalOp;
use crate::float_class::class_of;
use crate::layout::Shape;
use crate::outcome::{Step, Stop};
use crate::value::{Cube, Val};
use backedge_ir::inst::{FastMath, FloatBinaryOp, FloatPredicate};
use backedge_ir::intrinsic::Intrinsic;
use format::Format;
use min_max::min_max;
use result::{excluded, finish, open_operand, open_sign, operand};

pub(super) use cast::{cast, to_int_sat};
pub(super) use common::{HostFunction, MinMax, holds, is_min_max};
pub(super) use common::{either, note_loose};
pub(super) use result::{apply_flags, call_flags};

/// Binary operations such as `fadd`.
pub(super) fn binary(
    ctx: &mut Ctx<'_, '_>,
    op: FloatBinaryOp,
    fast: FastMath,
    shape: &Shape,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::binary(ctx, op, fast, kind, a, b);
    }
    let format = Format::of(shape)?;
    let width = format.width();
    let (Some(x), Some(y)) = (operand(ctx, width, a), operand(ctx, width, b)) else { return Ok(Val::Poison) };
    let y = if op == FloatBinaryOp::FDiv { open_operand(ctx, fast, format, y) } else { y };
    let result = match format {
        Format::Single => {
            let (p, q) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            let r = match op {
                FloatBinaryOp::FAdd => p + q,
                FloatBinaryOp::FSub => p - q,
                FloatBinaryOp::FMul => p * q,
                FloatBinaryOp::FDiv => p / q,
                FloatBinaryOp::FRem => p % q,
            };
            u64::from(r.to_bits())
        }
        Format::Double => {
            let (p, q) = (f64::from_bits(x), f64::from_bits(y));
            let r = match op {
                FloatBinaryOp::FAdd => p + q,
                FloatBinaryOp::FSub => p - q,
                FloatBinaryOp::FMul => p * q,
                FloatBinaryOp::FDiv => p / q,
                FloatBinaryOp::FRem => p % q,
            };
            r.to_bits()
        }
    };
    Ok(finish(ctx, format, fast, &[x, y], result))
}

/// `fneg`: flips the sign bit, also of NaN.
pub(super) fn negate(ctx: &mut Ctx<'_, '_>, fast: FastMath, shape: &Shape, a: &Val) -> Step<Val> {
    let width = shape.scalar_bits().unwrap_or(64);
    let Some(cube) = a.cube() else { return Ok(Val::Poison) };
    let sign = crate::value::sign_bit(width);
    let flipped = Val::from_cube(width, Cube::new(cube.bits ^ sign & !cube.undef, cube.undef));
    let flipped = open_sign(ctx, fast, width, flipped);
    if fast.is_empty() {
        return Ok(flipped);
    }
    if let Some(kind) = soft::format(shape) {
        return if fast.contains(FastMath::NNAN) || fast.contains(FastMath::NINF) {
            soft::apply_flags(kind, fast, flipped)
        } else {
            Ok(flipped)
        };
    }
    let format = Format::of(shape)?;
    let Some(bits) = operand(ctx, width, &flipped) else { return Ok(Val::Poison) };
    Ok(if excluded(format, fast, &[bits]) { Val::Poison } else { Val::Bits(bits) })
}

/// `fcmp`.
pub(super) fn compare(
    ctx: &mut Ctx<'_, '_>,
    pred: FloatPredicate,
    fast: FastMath,
    shape: &Shape,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::compare(ctx, pred, fast, kind, a, b);
    }
    let format = Format::of(shape)?;
    let width = format.width();
    let (Some(x), Some(y)) = (operand(ctx, width, a), operand(ctx, width, b)) else { return Ok(Val::Poison) };
    if excluded(format, fast, &[x, y]) {
        return Ok(Val::Poison);
    }
    Ok(Val::bool(holds(pred, format.value(x).partial_cmp(&format.value(y)))))
}

/// Lane-wise floating-point intrinsics.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn intrinsic(
    ctx: &mut Ctx<'_, '_>,
    which: Intrinsic,
    fast: FastMath,
    shape: &Shape,
    args: &[Val],
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::intrinsic(ctx, which, fast, kind, args);
    }
    let format = Format::of(shape)?;
    let width = format.width();
    let mut operands = Vec::with_capacity(args.len());
    for arg in args {
        let Some(bits) = operand(ctx, width, arg) else { return Ok(Val::Poison) };
        operands.push(bits);
    }
    let sign = format.sign();
    if matches!(which, Intrinsic::Pow | Intrinsic::ATan2) {
        for operand in &mut operands {
            *operand = open_operand(ctx, fast, format, *operand);
        }
    }
    match which {
        Intrinsic::FAbs | Intrinsic::CopySign => {
            if which == Intrinsic::CopySign {
                operands[1] = open_operand(ctx, fast, format, operands[1]);
            }
            let from = if which == Intrinsic::CopySign { operands[1] & sign } else { 0 };
            let result = operands[0] & !sign | from;
            let bad = excluded(format, fast, &operands) || excluded(format, fast, &[result]);
            return Ok(if bad { Val::Poison } else { open_sign(ctx, fast, width, Val::Bits(result)) });
        }
        _ if is_min_max(which) => return Ok(min_max(ctx, which, fast, format, &operands)),
        _ => {}
    }
    let noted: Vec<u128> = operands.iter().map(|bits| u128::from(*bits)).collect();
    libm::note(ctx, which, &noted);
    let result = match format {
        Format::Single => {
            let x: Vec<f32> = operands.iter().map(|b| f32::from_bits(*b as u32)).collect();
            let bits = |x: f32| u128::from(x.to_bits());
            match which {
                Intrinsic::FMa => bits(x[0].mul_add(x[1], x[2])),
                Intrinsic::FMulAdd => either(ctx, bits(x[0] * x[1] + x[2]), bits(x[0].mul_add(x[1], x[2]))),
                _ => bits(libm::single(which, &x)?),
            }
        }
        Format::Double => {
            let x: Vec<f64> = operands.iter().map(|b| f64::from_bits(*b)).collect();
            let bits = |x: f64| u128::from(x.to_bits());
            match which {
                Intrinsic::FMa => bits(x[0].mul_add(x[1], x[2])),
                Intrinsic::FMulAdd => either(ctx, bits(x[0] * x[1] + x[2]), bits(x[0].mul_add(x[1], x[2]))),
                _ => bits(libm::double(which, &x)?),
            }
        }
    };
    Ok(finish(ctx, format, fast, &operands, result as u64))
}

/// Applies a function of one operand; `half` and `bfloat` are computed in `float`.
pub(super) fn unary(
    ctx: &mut Ctx<'_, '_>,
    function: HostFunction<'_>,
    fast: FastMath,
    shape: &Shape,
    a: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::unary(ctx, function, fast, kind, a);
    }
    let format = Format::of(shape)?;
    let Some(x) = operand(ctx, format.width(), a) else { return Ok(Val::Poison) };
    let result = match format {
        Format::Single => u64::from((function.single)(f32::from_bits(x as u32)).to_bits()),
        Format::Double => (function.double)(f64::from_bits(x)).to_bits(),
    };
    Ok(finish(ctx, format, fast, &[x], result))
}

/// Ends the run if one of the values is or may be a denormal number.
pub(super) fn refuse_denormals(regs: &Regs<'_>, op: &DenormalOp) -> Step<()> {
    let found = op.values.iter().any(|(reg, shape)| may_be_denormal(shape, &regs.get(*reg)));
    if found { Err(Stop::unsupported(FLUSHED)) } else { Ok(()) }
}

fn may_be_denormal(shape: &Shape, value: &Val) -> bool {
    const SUBNORMAL: u128 = 16 | 128;
    match (shape, value) {
        (_, Val::Poison) => false,
        (Shape::Float(kind), Val::Bits(bits)) => {
            class_of(*kind, (*bits).into()).is_none_or(|class| class & SUBNORMAL != 0)
        }
        (Shape::Float(kind), Val::Wide(cube)) => {
            !cube.is_known() || class_of(*kind, cube.bits).is_none_or(|class| class & SUBNORMAL != 0)
        }
        (_, Val::Agg(members)) => shape.members().zip(members.iter()).any(|(s, m)| may_be_denormal(s, m)),
        (_, Val::Bits(_) | Val::Wide(_) | Val::Ptr(_)) => false,
    }
}

/// Whether a defined float is infinite.
pub(super) fn is_infinite(shape: &Shape, value: &Val) -> Step<bool> {
    let Some(cube) = value.cube() else { return Ok(false) };
    match soft::format(shape) {
        Some(kind) => soft::excluded(kind, FastMath::NINF, &[cube.bits]),
        None => Ok(Format::of(shape)?.is_inf(cube.bits as u64)),
    }
}
