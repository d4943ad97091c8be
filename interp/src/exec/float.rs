//! Floating point: `float` and `double` by hardware operations in the default environment.
//!
//! LangRef, "Floating-Point Environment" and "Behavior of Floating-Point NaN values": where an operation makes a NaN,
//! its sign is open and its payload is that of the preferred NaN or of a NaN operand, made quiet or, where that operand
//! signals, as it is ("unchanged NaN propagation": so `x + -0.0` may be `x`); the chooser decides. Operations
//! on bits (`fneg`, `fabs`, `copysign`) keep the payload. `nnan` and `ninf` give poison where an operand or the result
//! is what they exclude; `nsz` leaves the sign of a zero result open; the flags that allow other results are not used.

use super::ctx::Ctx;
use crate::chooser::{ChoiceKind, Domain};
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use crate::value::{Cube, Val, mask};
use backedge_ir::inst::{CastOp, FastMath, FloatBinaryOp, FloatPredicate};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::FloatKind;

/// A format that is run on hardware.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Single,
    Double,
}

impl Format {
    pub(super) fn of(shape: &Shape) -> Step<Self> {
        if *shape == Shape::Float(FloatKind::Float) {
            Ok(Self::Single)
        } else if *shape == Shape::Float(FloatKind::Double) {
            Ok(Self::Double)
        } else {
            Err(Stop::unsupported(Feature::Type(format!("{shape:?} in arithmetic"))))
        }
    }
    pub(super) fn width(self) -> u32 {
        match self {
            Self::Single => 32,
            Self::Double => 64,
        }
    }
    pub(super) fn value(self, bits: u64) -> f64 {
        match self {
            Self::Single => f32::from_bits(bits as u32).into(),
            Self::Double => f64::from_bits(bits),
        }
    }
    fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }
    fn quiet(self) -> u64 {
        match self {
            Self::Single => 0x7fc0_0000,
            Self::Double => 0x7ff8_0000_0000_0000,
        }
    }
    /// The bit of the payload that tells a quiet NaN from one that signals.
    fn quiet_bit(self) -> u64 {
        match self {
            Self::Single => 1 << 22,
            Self::Double => 1 << 51,
        }
    }
    fn is_nan(self, bits: u64) -> bool {
        self.value(bits).is_nan()
    }
    fn is_inf(self, bits: u64) -> bool {
        self.value(bits).is_infinite()
    }
}

/// The bits of a float operand, its undefined bits chosen; `None` for poison.
pub(super) fn operand(ctx: &mut Ctx<'_, '_>, width: u32, value: &Val) -> Option<u64> {
    if let Val::Bits(bits) = value {
        return Some(*bits);
    }
    value.cube().map(|cube| ctx.narrow(width, cube).bits() as u64)
}

/// The sign and payload of a NaN that an operation on `operands` makes.
fn nan(ctx: &mut Ctx<'_, '_>, format: Format, operands: &[u64]) -> u64 {
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

/// Brings a result into line with the rules for NaN and the fast-math flags.
fn finish(ctx: &mut Ctx<'_, '_>, format: Format, fast: FastMath, operands: &[u64], result: u64) -> Val {
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

fn excluded(format: Format, fast: FastMath, values: &[u64]) -> bool {
    fast.contains(FastMath::NNAN) && values.iter().any(|v| format.is_nan(*v))
        || fast.contains(FastMath::NINF) && values.iter().any(|v| format.is_inf(*v))
}

/// The flags of a `phi` or `select`, applied to the value that it gives.
pub(super) fn apply_flags(fast: FastMath, shape: &Shape, value: Val) -> Step<Val> {
    if let Val::Agg(members) = &value {
        let applied: Step<Vec<_>> =
            members.iter().zip(shape.members()).map(|(m, s)| apply_flags(fast, s, m.clone())).collect();
        return applied.map(Val::agg);
    }
    if !fast.contains(FastMath::NNAN) && !fast.contains(FastMath::NINF) {
        return Ok(value);
    }
    let format = Format::of(shape)?;
    Ok(match value {
        Val::Bits(bits) if excluded(format, fast, &[bits]) => Val::Poison,
        // Some choice of undefined bits that reach the exponent may be excluded.
        Val::Wide(_) => Val::Poison,
        Val::Poison | Val::Bits(_) | Val::Ptr(_) | Val::Agg(_) => value,
    })
}

/// `fadd` and the like.
pub(super) fn binary(
    ctx: &mut Ctx<'_, '_>,
    (op, fast, shape): (FloatBinaryOp, FastMath, &Shape),
    a: &Val,
    b: &Val,
) -> Step<Val> {
    let format = Format::of(shape)?;
    let width = format.width();
    let (Some(x), Some(y)) = (operand(ctx, width, a), operand(ctx, width, b)) else { return Ok(Val::Poison) };
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

/// `fneg`: flips the sign bit, of NaN too.
pub(super) fn negate(ctx: &mut Ctx<'_, '_>, fast: FastMath, shape: &Shape, a: &Val) -> Step<Val> {
    let width = shape.scalar_bits().unwrap_or(64);
    let Some(cube) = a.cube() else { return Ok(Val::Poison) };
    let sign = crate::value::sign_bit(width);
    let flipped = Val::from_cube(width, Cube::new(cube.bits ^ sign & !cube.undef, cube.undef));
    if fast.is_empty() {
        return Ok(flipped);
    }
    let format = Format::of(shape)?;
    let Some(bits) = operand(ctx, width, &flipped) else { return Ok(Val::Poison) };
    Ok(if excluded(format, fast, &[bits]) { Val::Poison } else { Val::Bits(bits) })
}

/// `fcmp`.
pub(super) fn compare(
    ctx: &mut Ctx<'_, '_>,
    (pred, fast, shape): (FloatPredicate, FastMath, &Shape),
    a: &Val,
    b: &Val,
) -> Step<Val> {
    let format = Format::of(shape)?;
    let width = format.width();
    let (Some(x), Some(y)) = (operand(ctx, width, a), operand(ctx, width, b)) else { return Ok(Val::Poison) };
    if excluded(format, fast, &[x, y]) {
        return Ok(Val::Poison);
    }
    let order = format.value(x).partial_cmp(&format.value(y));
    let (equal, less, greater, unordered) = (
        order.is_some_and(std::cmp::Ordering::is_eq),
        order.is_some_and(std::cmp::Ordering::is_lt),
        order.is_some_and(std::cmp::Ordering::is_gt),
        order.is_none(),
    );
    Ok(Val::bool(match pred {
        FloatPredicate::False => false,
        FloatPredicate::Oeq => equal,
        FloatPredicate::Ogt => greater,
        FloatPredicate::Oge => greater || equal,
        FloatPredicate::Olt => less,
        FloatPredicate::Ole => less || equal,
        FloatPredicate::One => less || greater,
        FloatPredicate::Ord => !unordered,
        FloatPredicate::Ueq => unordered || equal,
        FloatPredicate::Ugt => unordered || greater,
        FloatPredicate::Uge => unordered || greater || equal,
        FloatPredicate::Ult => unordered || less,
        FloatPredicate::Ule => unordered || less || equal,
        FloatPredicate::Une => unordered || less || greater,
        FloatPredicate::Uno => unordered,
        FloatPredicate::True => true,
    }))
}

/// Casts from and to floating point.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn cast(
    ctx: &mut Ctx<'_, '_>,
    (op, flags): (CastOp, backedge_ir::inst::CastFlags),
    from: &Shape,
    to: &Shape,
    a: &Val,
) -> Step<Val> {
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
            if !value.is_nan() {
                return Ok(Val::Bits(result));
            }
            // The conversion makes it quiet; one that signals may stay so, unless no payload is left.
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

/// The integer that a whole number is; `None` if the type does not have it.
fn to_int(value: f64, width: u32, signed: bool) -> Option<Int> {
    if value.is_nan() {
        return None;
    }
    // Powers of two are exact; both bounds are exclusive of what the type lacks.
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
pub(super) fn to_int_sat(
    ctx: &mut Ctx<'_, '_>,
    signed: bool,
    from: &Shape,
    width: u32,
    a: &Val,
) -> Step<Val> {
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

/// Floating-point intrinsics that work lane by lane.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn intrinsic(
    ctx: &mut Ctx<'_, '_>,
    (which, fast, shape): (Intrinsic, FastMath, &Shape),
    args: &[Val],
) -> Step<Val> {
    let format = Format::of(shape)?;
    let width = format.width();
    let mut operands = Vec::with_capacity(args.len());
    for arg in args {
        let Some(bits) = operand(ctx, width, arg) else { return Ok(Val::Poison) };
        operands.push(bits);
    }
    let sign = format.sign();
    match which {
        Intrinsic::FAbs | Intrinsic::CopySign => {
            let from = if which == Intrinsic::CopySign { operands[1] & sign } else { 0 };
            let result = operands[0] & !sign | from;
            return Ok(if excluded(format, fast, &[result]) { Val::Poison } else { Val::Bits(result) });
        }
        Intrinsic::MinNum
        | Intrinsic::MaxNum
        | Intrinsic::MinimumNum
        | Intrinsic::MaximumNum
        | Intrinsic::Minimum
        | Intrinsic::Maximum => return Ok(min_max(ctx, (which, fast, format), &operands)),
        _ => {}
    }
    let result = match format {
        Format::Single => {
            let x: Vec<f32> = operands.iter().map(|b| f32::from_bits(*b as u32)).collect();
            let result = match which {
                Intrinsic::FMa => x[0].mul_add(x[1], x[2]),
                // Fused or not is open; this takes it apart, as the interpreter of LLVM does.
                Intrinsic::FMulAdd => x[0] * x[1] + x[2],
                _ => rounding(which, x[0].into())? as f32,
            };
            u64::from(result.to_bits())
        }
        Format::Double => {
            let x: Vec<f64> = operands.iter().map(|b| f64::from_bits(*b)).collect();
            let result = match which {
                Intrinsic::FMa => x[0].mul_add(x[1], x[2]),
                Intrinsic::FMulAdd => x[0] * x[1] + x[2],
                _ => rounding(which, x[0])?,
            };
            result.to_bits()
        }
    };
    Ok(finish(ctx, format, fast, &operands, result))
}

/// Functions of one operand. For `float` operands all of them are exact in `double`, or (the square root) rounded
/// twice without harm, as `double` has more than twice the precision and two bits.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
fn rounding(which: Intrinsic, x: f64) -> Step<f64> {
    Ok(match which {
        Intrinsic::Sqrt => x.sqrt(),
        Intrinsic::Floor => x.floor(),
        Intrinsic::Ceil => x.ceil(),
        Intrinsic::FTrunc => x.trunc(),
        Intrinsic::Round => x.round(),
        Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => x.round_ties_even(),
        other => return Err(Stop::unsupported(Feature::Intrinsic(other.name().to_owned()))),
    })
}

fn min_max(
    ctx: &mut Ctx<'_, '_>,
    (which, fast, format): (Intrinsic, FastMath, Format),
    operands: &[u64],
) -> Val {
    let (x, y) = (operands[0], operands[1]);
    let smaller = matches!(which, Intrinsic::MinNum | Intrinsic::Minimum | Intrinsic::MinimumNum);
    let propagates = matches!(which, Intrinsic::Minimum | Intrinsic::Maximum);
    let (x_nan, y_nan) = (format.is_nan(x), format.is_nan(y));
    let result = match (x_nan, y_nan) {
        (true, true) => x,
        (true, false) if propagates => x,
        (false, true) if propagates => y,
        (true, false) => y,
        (false, true) => x,
        (false, false) => {
            let (p, q) = (format.value(x), format.value(y));
            let x_less = if p == q { x & format.sign() != 0 } else { p < q };
            if p == q && x != y && matches!(which, Intrinsic::MinNum | Intrinsic::MaxNum) {
                // The sign of a zero is open for these two.
                [x, y][ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) as usize]
            } else if x_less == smaller {
                x
            } else {
                y
            }
        }
    };
    finish(ctx, format, fast, operands, result & mask(format.width()) as u64)
}
