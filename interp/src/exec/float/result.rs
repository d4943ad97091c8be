//! The results that the language leaves open: NaN signs and payloads, and the effects of fast-math flags. The chooser
//! decides.

use super::common::note_loose;
use super::format::Format;
use crate::chooser::{ChoiceKind, Domain};
use crate::exec::ctx::Ctx;
use crate::exec::soft;
use crate::layout::Shape;
use crate::outcome::Step;
use crate::value::{Cube, Val};
use backedge_ir::inst::FastMath;

/// The bits of a float operand, with undefined bits chosen; `None` for poison.
pub(in crate::exec) fn operand(ctx: &mut Ctx<'_, '_>, width: u32, value: &Val) -> Option<u64> {
    if let Val::Bits(bits) = value {
        return Some(*bits);
    }
    value.cube().map(|cube| ctx.narrow(width, cube).bits() as u64)
}

/// The sign and payload of a NaN produced by an operation on `operands`.
pub(super) fn nan(ctx: &mut Ctx<'_, '_>, format: Format, operands: &[u64]) -> u64 {
    let mut payloads = vec![format.quiet()];
    for &x in operands.iter().filter(|x| format.is_nan(**x)) {
        let unchanged = x & !format.sign();
        for payload in [unchanged | format.quiet(), unchanged] {
            if !payloads.contains(&payload) {
                payloads.push(payload);
            }
        }
    }
    let answer = ctx.choose(ChoiceKind::NanPayload, Domain::Options(2 * payloads.len() as u32)) as usize;
    payloads[answer / 2] | if answer % 2 == 1 { format.sign() } else { 0 }
}

/// Applies the rules for NaN and the fast-math flags to a result.
pub(super) fn finish(
    ctx: &mut Ctx<'_, '_>,
    format: Format,
    fast: FastMath,
    operands: &[u64],
    result: u64,
) -> Val {
    note_loose(ctx, fast);
    if excluded(format, fast, operands) || excluded(format, fast, &[result]) {
        return Val::Poison;
    }
    if format.is_nan(result) {
        return Val::Bits(nan(ctx, format, operands));
    }
    if fast.contains(FastMath::NSZ) && result & !format.sign() == 0 {
        let flip = ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
        return Val::Bits(if flip { result ^ format.sign() } else { result });
    }
    Val::Bits(result)
}

/// Chooses either sign for a zero value if `nsz` is set.
pub(super) fn open_sign(ctx: &mut Ctx<'_, '_>, fast: FastMath, width: u32, value: Val) -> Val {
    let sign = crate::value::sign_bit(width);
    match value.cube() {
        Some(cube) if fast.contains(FastMath::NSZ) && (cube.bits | cube.undef) & !sign == 0 => {
            let bits = ctx.narrow(width, cube).bits();
            let flip = ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
            Val::from_cube(width, Cube::known(if flip { bits ^ sign } else { bits }))
        }
        // Some choice of the undefined bits is zero.
        Some(cube) if fast.contains(FastMath::NSZ) && cube.bits & !sign & !cube.undef == 0 => {
            ctx.note_narrowed();
            value
        }
        _ => value,
    }
}

/// The result of a call with these flags: poison if they exclude an argument.
pub(in crate::exec) fn call_flags(
    ctx: &mut Ctx<'_, '_>,
    fast: FastMath,
    shape: &Shape,
    args: &[(Val, &Shape)],
    result: Val,
) -> Step<Val> {
    note_loose(ctx, fast);
    let excluding = fast.without(FastMath::NSZ);
    let excludes = fast.contains(FastMath::NNAN) || fast.contains(FastMath::NINF);
    for (arg, shape) in args.iter().filter(|_| excludes) {
        // A poison argument counts as excluded too: any value may replace it, including one that the flags exclude.
        if matches!(shape, Shape::Float(_)) && apply_flags(ctx, excluding, shape, arg.clone())? == Val::Poison
        {
            return Ok(shape_of_poison(result));
        }
    }
    apply_flags(ctx, fast, shape, result)
}

fn shape_of_poison(value: Val) -> Val {
    match value {
        Val::Agg(members) => Val::agg(members.iter().map(|m| shape_of_poison(m.clone())).collect()),
        Val::Poison | Val::Bits(_) | Val::Wide(_) | Val::Ptr(_) => Val::Poison,
    }
}

pub(super) fn excluded(format: Format, fast: FastMath, values: &[u64]) -> bool {
    fast.contains(FastMath::NNAN) && values.iter().any(|v| format.is_nan(*v))
        || fast.contains(FastMath::NINF) && values.iter().any(|v| format.is_inf(*v))
}

/// Chooses either sign for a zero operand if `nsz` is set.
pub(super) fn open_operand(ctx: &mut Ctx<'_, '_>, fast: FastMath, format: Format, bits: u64) -> u64 {
    match open_sign(ctx, fast, format.width(), Val::Bits(bits)) {
        Val::Bits(bits) => bits,
        Val::Poison | Val::Wide(_) | Val::Ptr(_) | Val::Agg(_) => bits,
    }
}

/// Applies the flags of a `phi` or `select` to its value.
pub(in crate::exec) fn apply_flags(
    ctx: &mut Ctx<'_, '_>,
    fast: FastMath,
    shape: &Shape,
    value: Val,
) -> Step<Val> {
    if let Val::Agg(members) = &value {
        let applied: Step<Vec<_>> =
            members.iter().zip(shape.members()).map(|(m, s)| apply_flags(ctx, fast, s, m.clone())).collect();
        return applied.map(Val::agg);
    }
    let value = open_sign(ctx, fast, shape.scalar_bits().unwrap_or(64), value);
    if !fast.contains(FastMath::NNAN) && !fast.contains(FastMath::NINF) {
        return Ok(value);
    }
    if let Some(kind) = soft::format(shape) {
        return soft::apply_flags(kind, fast, value);
    }
    let format = Format::of(shape)?;
    Ok(match value {
        Val::Bits(bits) if excluded(format, fast, &[bits]) => Val::Poison,
        // Whether some choice of the undefined bits is excluded. The largest pattern is a NaN if any is, apart from
        // its sign. The smallest pattern with the exponent of the largest is an infinity if any is.
        Val::Wide(ref cube) => {
            let (low, high) = (cube.bits as u64, (cube.bits | cube.undef) as u64);
            let exponent = format.infinity();
            if excluded(format, fast, &[high, high & exponent | low & !exponent]) {
                Val::Poison
            } else {
                value
            }
        }
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Agg(_) => value,
    })
}
