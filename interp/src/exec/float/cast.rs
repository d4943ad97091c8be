//! Conversions between floats, and between floats and integers.

use super::common::note_loose;
use super::format::Format;
use super::result::{excluded, nan, open_sign, operand};
use crate::exec::ctx::Ctx;
use crate::exec::soft;
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use crate::value::Val;
use backedge_ir::inst::{CastFlags, CastOp};
use backedge_ir::int::Int;

/// Casts from and to floating point.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(in crate::exec) fn cast(
    ctx: &mut Ctx<'_, '_>,
    op: CastOp,
    flags: CastFlags,
    from: &Shape,
    to: &Shape,
    a: &Val,
) -> Step<Val> {
    if soft::format(from).is_some() || soft::format(to).is_some() {
        return soft::cast(ctx, op, flags, from, to, a);
    }
    let from_width = from.scalar_bits().unwrap_or(64);
    let Some(cube) = a.cube() else { return Ok(Val::Poison) };
    match op {
        CastOp::FpTrunc | CastOp::FpExt => {
            let (source, target) = (Format::of(from)?, Format::of(to)?);
            let bits = ctx.narrow(from_width, cube).bits() as u64;
            let value = source.value(bits);
            let result = match target {
                Format::Single => u64::from((value as f32).to_bits()),
                Format::Double => value.to_bits(),
            };
            let fast = flags.fast;
            if excluded(source, fast, &[bits]) || excluded(target, fast, &[result]) {
                return Ok(Val::Poison);
            }
            note_loose(ctx, fast);
            if !value.is_nan() {
                return Ok(open_sign(ctx, fast, target.width(), Val::Bits(result)));
            }
            // The conversion quiets the NaN; a signaling one may also stay signaling, unless no payload is left.
            let signals = bits & source.quiet() != source.quiet();
            let unchanged = result & !(if signals { target.quiet_bit() } else { 0 });
            Ok(Val::Bits(nan(ctx, target, &[result, unchanged])))
        }
        CastOp::FpToUi | CastOp::FpToSi => {
            let bits = ctx.narrow(from_width, cube).bits() as u64;
            let value = Format::of(from)?.value(bits).trunc();
            let width = to.scalar_bits().unwrap_or(64);
            Ok(to_int(value, width, op == CastOp::FpToSi).map_or(Val::Poison, Val::int))
        }
        CastOp::UiToFp | CastOp::SiToFp => {
            let target = Format::of(to)?;
            if flags.nneg && (cube.bits | cube.undef) & crate::value::sign_bit(from_width) != 0 {
                return Ok(Val::Poison);
            }
            note_loose(ctx, flags.fast);
            let int = ctx.narrow(from_width, cube);
            Ok(Val::Bits(match (target, op == CastOp::SiToFp) {
                (Format::Single, true) => (int.signed() as f32).to_bits().into(),
                (Format::Single, false) => (int.bits() as f32).to_bits().into(),
                (Format::Double, true) => (int.signed() as f64).to_bits(),
                (Format::Double, false) => (int.bits() as f64).to_bits(),
            }))
        }
        _ => Err(Stop::unsupported(Feature::Instruction(op.name()))),
    }
}

/// The integer equal to an integral value; `None` if the type does not have it.
fn to_int(value: f64, width: u32, signed: bool) -> Option<Int> {
    if value.is_nan() {
        return None;
    }
    // Powers of two are exact; the upper bound is exclusive.
    let (low, high) = if signed {
        let half = 2f64.powi(width as i32 - 1);
        (-half, half)
    } else {
        (0.0, 2f64.powi(width as i32))
    };
    if value < low || value >= high {
        return None;
    }
    Some(if signed { Int::from_i128(width, value as i128) } else { Int::new(width, value as u128) })
}

/// `llvm.fptoui.sat` and `llvm.fptosi.sat`.
pub(in crate::exec) fn to_int_sat(
    ctx: &mut Ctx<'_, '_>,
    signed: bool,
    from: &Shape,
    width: u32,
    a: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(from) {
        return soft::to_int_sat(ctx, signed, width, kind, a);
    }
    let format = Format::of(from)?;
    let Some(bits) = operand(ctx, format.width(), a) else { return Ok(Val::Poison) };
    let value = format.value(bits).trunc();
    let result = match to_int(value, width, signed) {
        Some(int) => int,
        None if value.is_nan() => Int::zero(width),
        None if value < 0.0 && signed => Int::signed_min(width),
        None if value < 0.0 => Int::zero(width),
        None if signed => Int::signed_max(width),
        None => Int::unsigned_max(width),
    };
    Ok(Val::int(result))
}
