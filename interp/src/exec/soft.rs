//! Floating point in formats without hardware operations: `half`, `bfloat`, `x86_fp80` and `fp128`, using the
//! `rustc_apfloat` crate. Every operation is rounded once, to nearest, ties to even.
//!
//! The rules for NaN and fast-math flags are those of [`super::float`]. Not modelled: `ppc_fp128`, and the square
//! root in `x86_fp80` and `fp128`, which the crate lacks. The square root of `half` and `bfloat` is computed in
//! `float`; the double rounding is harmless because `float` has at least twice the precision plus two bits. `frexp`
//! and `ldexp` of all formats are here too.

use super::ctx::Ctx;
use super::float::{self, HostFunction};
use crate::chooser::{ChoiceKind, Domain};
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use crate::value::{Cube, Val, mask, sign_bit};
use backedge_ir::inst::{CastFlags, CastOp, FastMath, FloatBinaryOp, FloatPredicate};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::FloatKind;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};
use std::cmp::Ordering;

/// Calls a generic function with the format named by `kind`.
macro_rules! with_format {
    ($kind:expr, $f:ident :: <_ $(, $more:ty)*> ( $($arg:expr),* )) => {
        match $kind {
            FloatKind::Half => Ok($f::<Half $(, $more)*>($($arg),*)),
            FloatKind::BFloat => Ok($f::<BFloat $(, $more)*>($($arg),*)),
            FloatKind::Float => Ok($f::<Single $(, $more)*>($($arg),*)),
            FloatKind::Double => Ok($f::<Double $(, $more)*>($($arg),*)),
            FloatKind::X86Fp80 => Ok($f::<X87DoubleExtended $(, $more)*>($($arg),*)),
            FloatKind::Fp128 => Ok($f::<Quad $(, $more)*>($($arg),*)),
            FloatKind::PpcFp128 => Err(refused(FloatKind::PpcFp128)),
        }
    };
}

fn refused(kind: FloatKind) -> Stop {
    Stop::unsupported(Feature::Type(format!("{} in arithmetic", kind.name())))
}

/// The format of a float other than `float` and `double`.
pub(super) fn format(shape: &Shape) -> Option<FloatKind> {
    match shape {
        Shape::Float(FloatKind::Float | FloatKind::Double) => None,
        Shape::Float(kind) => Some(*kind),
        Shape::Int(_) | Shape::Ptr(_) | Shape::Vector { .. } | Shape::Array { .. } | Shape::Struct { .. } => {
            None
        }
    }
}

fn kind_of(shape: &Shape) -> Step<FloatKind> {
    if let Shape::Float(kind) = shape {
        Ok(*kind)
    } else {
        Err(Stop::unsupported(Feature::Type(format!("{shape:?} in arithmetic"))))
    }
}

/// Constants of a format: its quiet NaN without a payload, and the bit that distinguishes quiet from signaling.
struct Nans {
    quiet: u128,
    quiet_bit: u128,
}

fn nans(kind: FloatKind) -> Nans {
    let (quiet, at) = match kind {
        FloatKind::Half => (0x7e00, 9),
        FloatKind::BFloat => (0x7fc0, 6),
        FloatKind::Float => (0x7fc0_0000, 22),
        FloatKind::Double => (0x7ff8 << 48, 51),
        FloatKind::X86Fp80 => (0x7fff_c000 << 48, 62),
        FloatKind::Fp128 | FloatKind::PpcFp128 => (0x7fff_8000 << 96, 111),
    };
    Nans { quiet, quiet_bit: 1 << at }
}

fn is_nan<F: Float>(bits: u128) -> bool {
    F::from_bits(bits).is_nan()
}
fn is_infinite<F: Float>(bits: u128) -> bool {
    F::from_bits(bits).is_infinite()
}

/// The bits of an operand, with undefined bits chosen; `None` for poison.
fn operand(ctx: &mut Ctx<'_, '_>, kind: FloatKind, value: &Val) -> Option<u128> {
    value.cube().map(|cube| ctx.narrow(kind.bits(), cube).bits())
}
fn value(kind: FloatKind, bits: u128) -> Val {
    Val::from_cube(kind.bits(), Cube::known(bits))
}

/// Whether the flags exclude one of the values.
pub(super) fn excluded(kind: FloatKind, fast: FastMath, values: &[u128]) -> Step<bool> {
    for bits in values {
        if fast.contains(FastMath::NNAN) && with_format!(kind, is_nan::<_>(*bits))?
            || fast.contains(FastMath::NINF) && with_format!(kind, is_infinite::<_>(*bits))?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The sign and payload of a NaN produced by an operation on `operands`.
fn nan(ctx: &mut Ctx<'_, '_>, kind: FloatKind, operands: &[u128]) -> Step<u128> {
    let (sign, Nans { quiet, quiet_bit }) = (sign_bit(kind.bits()), nans(kind));
    let mut payloads = vec![quiet];
    for &x in operands {
        if !with_format!(kind, is_nan::<_>(x))? {
            continue;
        }
        let unchanged = x & !sign;
        for payload in [unchanged | quiet_bit, unchanged] {
            if !payloads.contains(&payload) {
                payloads.push(payload);
            }
        }
    }
    let answer = ctx.choose(ChoiceKind::NanPayload, Domain::Options(2 * payloads.len() as u32)) as usize;
    Ok(payloads[answer / 2] | if answer % 2 == 1 { sign } else { 0 })
}

/// Applies the rules for NaN and the fast-math flags to a result.
fn finish(
    ctx: &mut Ctx<'_, '_>,
    kind: FloatKind,
    fast: FastMath,
    operands: &[u128],
    result: u128,
) -> Step<Val> {
    float::note_loose(ctx, fast);
    if excluded(kind, fast, operands)? || excluded(kind, fast, &[result])? {
        return Ok(Val::Poison);
    }
    if with_format!(kind, is_nan::<_>(result))? {
        return Ok(value(kind, nan(ctx, kind, operands)?));
    }
    open_sign(ctx, kind, fast, result)
}

/// Chooses either sign for a zero value if `nsz` is set.
fn open_sign(ctx: &mut Ctx<'_, '_>, kind: FloatKind, fast: FastMath, bits: u128) -> Step<Val> {
    let sign = sign_bit(kind.bits());
    let open = fast.contains(FastMath::NSZ) && bits & !sign == 0;
    let flip = open && ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
    Ok(value(kind, if flip { bits ^ sign } else { bits }))
}

fn arithmetic<F: Float>(op: FloatBinaryOp, x: u128, y: u128) -> u128 {
    let (x, y) = (F::from_bits(x), F::from_bits(y));
    let StatusAnd { value, .. } = match op {
        FloatBinaryOp::FAdd => x + y,
        FloatBinaryOp::FSub => x - y,
        FloatBinaryOp::FMul => x * y,
        FloatBinaryOp::FDiv => x / y,
        FloatBinaryOp::FRem => x.c_fmod(y),
    };
    value.to_bits()
}

/// Binary operations such as `fadd`.
pub(super) fn binary(
    ctx: &mut Ctx<'_, '_>,
    op: FloatBinaryOp,
    fast: FastMath,
    kind: FloatKind,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    let (Some(x), Some(y)) = (operand(ctx, kind, a), operand(ctx, kind, b)) else { return Ok(Val::Poison) };
    if fast.contains(FastMath::NSZ) && op == FloatBinaryOp::FDiv && y & !sign_bit(kind.bits()) == 0 {
        // The sign of a zero divisor is nondeterministic.
        ctx.note_narrowed();
    }
    let result = with_format!(kind, arithmetic::<_>(op, x, y))?;
    finish(ctx, kind, fast, &[x, y], result)
}

fn order<F: Float>(x: u128, y: u128) -> Option<Ordering> {
    F::from_bits(x).partial_cmp(&F::from_bits(y))
}

/// `fcmp`.
pub(super) fn compare(
    ctx: &mut Ctx<'_, '_>,
    pred: FloatPredicate,
    fast: FastMath,
    kind: FloatKind,
    a: &Val,
    b: &Val,
) -> Step<Val> {
    let (Some(x), Some(y)) = (operand(ctx, kind, a), operand(ctx, kind, b)) else { return Ok(Val::Poison) };
    if excluded(kind, fast, &[x, y])? {
        return Ok(Val::Poison);
    }
    Ok(Val::bool(float::holds(pred, with_format!(kind, order::<_>(x, y))?)))
}

/// Applies the flags of an operation that only moves bits: poison if they exclude the value.
pub(super) fn apply_flags(kind: FloatKind, fast: FastMath, result: Val) -> Step<Val> {
    match result.cube() {
        None => Ok(Val::Poison),
        // Some choice of undefined bits that reach the exponent may be excluded.
        Some(cube) if !cube.is_known() => Ok(Val::Poison),
        Some(cube) => Ok(if excluded(kind, fast, &[cube.bits])? { Val::Poison } else { result }),
    }
}

// Conversions.

fn widen<F: Float + Through>(bits: u128) -> Wide {
    F::from_bits(bits).through()
}

/// A value of any of the formats; `fp128` represents all of them exactly.
type Wide = Quad;

/// Formats that convert to and from [`Wide`].
trait Through: Float {
    fn through(self) -> Wide;
    fn back(wide: Wide) -> Self;
}

macro_rules! through {
    ($($format:ty),*) => {
        $(impl Through for $format {
            fn through(self) -> Wide {
                self.convert(&mut false).value
            }
            fn back(wide: Wide) -> Self {
                let StatusAnd { value, .. } = wide.convert(&mut false);
                value
            }
        })*
    };
}

through!(Half, BFloat, Single, Double, X87DoubleExtended);

impl Through for Quad {
    fn through(self) -> Wide {
        self
    }
    fn back(wide: Wide) -> Self {
        wide
    }
}

fn narrow<F: Float + Through>(wide: Wide) -> u128 {
    F::back(wide).to_bits()
}
fn from_int<F: Float>(int: Int, signed: bool) -> u128 {
    let StatusAnd { value, .. } = if signed { F::from_i128(int.signed()) } else { F::from_u128(int.bits()) };
    value.to_bits()
}

/// Conversions with a format of this file on at least one side.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn cast(
    ctx: &mut Ctx<'_, '_>,
    op: CastOp,
    flags: CastFlags,
    from: &Shape,
    to: &Shape,
    a: &Val,
) -> Step<Val> {
    match op {
        CastOp::FpTrunc | CastOp::FpExt => {
            let (source, target) = (kind_of(from)?, kind_of(to)?);
            let Some(bits) = operand(ctx, source, a) else { return Ok(Val::Poison) };
            let wide = with_format!(source, widen::<_>(bits))?;
            let result = with_format!(target, narrow::<_>(wide))?;
            if excluded(source, flags.fast, &[bits])? || excluded(target, flags.fast, &[result])? {
                return Ok(Val::Poison);
            }
            float::note_loose(ctx, flags.fast);
            if !wide.is_nan() {
                return open_sign(ctx, target, flags.fast, result);
            }
            // The conversion quiets the NaN; a signaling one may also stay signaling, unless no payload is left.
            let signals = bits & nans(source).quiet_bit == 0;
            let unchanged = result & !(if signals { nans(target).quiet_bit } else { 0 });
            nan(ctx, target, &[result, unchanged]).map(|bits| value(target, bits))
        }
        CastOp::FpToUi | CastOp::FpToSi => {
            let source = kind_of(from)?;
            let Some(bits) = operand(ctx, source, a) else { return Ok(Val::Poison) };
            let width = to.scalar_bits().unwrap_or(64);
            let wide = with_format!(source, widen::<_>(bits))?;
            Ok(to_int(wide, width, op == CastOp::FpToSi).map_or(Val::Poison, Val::int))
        }
        CastOp::UiToFp | CastOp::SiToFp => {
            let target = kind_of(to)?;
            let from_width = from.scalar_bits().unwrap_or(64);
            let Some(cube) = a.cube() else { return Ok(Val::Poison) };
            if flags.nneg && (cube.bits | cube.undef) & sign_bit(from_width) != 0 {
                return Ok(Val::Poison);
            }
            float::note_loose(ctx, flags.fast);
            let int = ctx.narrow(from_width, cube);
            let bits = with_format!(target, from_int::<_>(int, op == CastOp::SiToFp))?;
            Ok(value(target, bits))
        }
        _ => Err(Stop::unsupported(Feature::Instruction(op.name()))),
    }
}

/// The value truncated to an integer; `None` if the type does not have it.
fn to_int(wide: Wide, width: u32, signed: bool) -> Option<Int> {
    if wide.is_nan() || wide.is_infinite() {
        return None;
    }
    let whole = wide.round_to_integral(Round::TowardZero).value;
    let status = rustc_apfloat::Status::OK;
    if signed {
        // The library's shifts overflow at a width of one bit, which has no positive numbers.
        let out = whole.to_i128(width.max(2) as usize);
        let fits = out.status == status && (width > 1 || out.value <= 0 && out.value > -2);
        fits.then(|| Int::from_i128(width, out.value))
    } else {
        let out = whole.to_u128(width as usize);
        (out.status == status).then(|| Int::new(width, out.value))
    }
}

/// The value rounded to an integer. The outer `None` is poison; the inner one means that the type does not have the
/// integer.
pub(super) fn rounded_int(
    ctx: &mut Ctx<'_, '_>,
    ties_away: bool,
    width: u32,
    from: &Shape,
    a: &Val,
) -> Step<Option<Option<Int>>> {
    let source = kind_of(from)?;
    let Some(bits) = operand(ctx, source, a) else { return Ok(None) };
    let round = if ties_away { Round::NearestTiesToAway } else { Round::NearestTiesToEven };
    let wide = with_format!(source, widen::<_>(bits))?.round_to_integral(round).value;
    Ok(Some(to_int(wide, width, true)))
}

/// `llvm.fptoui.sat` and `llvm.fptosi.sat`.
pub(super) fn to_int_sat(
    ctx: &mut Ctx<'_, '_>,
    signed: bool,
    width: u32,
    kind: FloatKind,
    a: &Val,
) -> Step<Val> {
    let Some(bits) = operand(ctx, kind, a) else { return Ok(Val::Poison) };
    let wide = with_format!(kind, widen::<_>(bits))?;
    Ok(Val::int(match (to_int(wide, width, signed), wide.is_nan(), wide.is_negative(), signed) {
        (Some(int), ..) => int,
        (None, true, ..) | (None, false, true, false) => Int::zero(width),
        (None, false, true, true) => Int::signed_min(width),
        (None, false, false, true) => Int::signed_max(width),
        (None, false, false, false) => Int::unsigned_max(width),
    }))
}

// Intrinsics.

fn fused<F: Float>(x: u128, y: u128, z: u128) -> u128 {
    F::from_bits(x).mul_add(F::from_bits(y), F::from_bits(z)).value.to_bits()
}
fn integral<F: Float>(x: u128, round: Round) -> u128 {
    F::from_bits(x).round_to_integral(round).value.to_bits()
}
fn scale<F: Float>(x: u128, exp: i32) -> u128 {
    F::from_bits(x).scalbn(exp).to_bits()
}
fn split_float<F: Float>(x: u128) -> (u128, i32) {
    let mut exp = 0;
    let fraction = F::from_bits(x).frexp(&mut exp);
    (fraction.to_bits(), exp)
}

/// Lane-wise floating-point intrinsics with a result of their operands' format.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn intrinsic(
    ctx: &mut Ctx<'_, '_>,
    which: Intrinsic,
    fast: FastMath,
    kind: FloatKind,
    args: &[Val],
) -> Step<Val> {
    let mut x = Vec::with_capacity(args.len());
    for arg in args {
        let Some(bits) = operand(ctx, kind, arg) else { return Ok(Val::Poison) };
        x.push(bits);
    }
    let sign = sign_bit(kind.bits());
    let result = match which {
        Intrinsic::FAbs | Intrinsic::CopySign => {
            let from = if which == Intrinsic::CopySign { x[1] & sign } else { 0 };
            let result = x[0] & !sign | from;
            if fast.contains(FastMath::NSZ) && which == Intrinsic::CopySign && x[1] & !sign == 0 {
                ctx.note_narrowed();
            }
            let bad = excluded(kind, fast, &x)? || excluded(kind, fast, &[result])?;
            return if bad { Ok(Val::Poison) } else { open_sign(ctx, kind, fast, result) };
        }
        Intrinsic::FMa => with_format!(kind, fused::<_>(x[0], x[1], x[2]))?,
        Intrinsic::FMulAdd => {
            let product = with_format!(kind, arithmetic::<_>(FloatBinaryOp::FMul, x[0], x[1]))?;
            let apart = with_format!(kind, arithmetic::<_>(FloatBinaryOp::FAdd, product, x[2]))?;
            let fused = with_format!(kind, fused::<_>(x[0], x[1], x[2]))?;
            float::either(ctx, apart, fused)
        }
        Intrinsic::Canonicalize => x[0],
        Intrinsic::Floor => with_format!(kind, integral::<_>(x[0], Round::TowardNegative))?,
        Intrinsic::Ceil => with_format!(kind, integral::<_>(x[0], Round::TowardPositive))?,
        Intrinsic::FTrunc => with_format!(kind, integral::<_>(x[0], Round::TowardZero))?,
        Intrinsic::Round => with_format!(kind, integral::<_>(x[0], Round::NearestTiesToAway))?,
        Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => {
            with_format!(kind, integral::<_>(x[0], Round::NearestTiesToEven))?
        }
        _ if float::is_min_max(which) => {
            let result = min_max(ctx, which, kind, &x)?;
            return finish(ctx, kind, fast, &x, result);
        }
        _ => {
            super::libm::note(ctx, which, &x);
            through_single(which, kind, &x)?
        }
    };
    finish(ctx, kind, fast, &x, result)
}

/// Functions of the mathematical library for formats narrower than `float`.
fn through_single(which: Intrinsic, kind: FloatKind, x: &[u128]) -> Step<u128> {
    let mut singles = Vec::with_capacity(x.len());
    for bits in x {
        singles.push(single_of(which, kind, *bits)?);
    }
    let result = super::libm::single(which, &singles)?;
    with_format!(kind, narrow::<_>(widen::<Single>(result.to_bits().into())))
}

/// A value as `float`, which has all values of the narrower formats.
fn single_of(which: Intrinsic, kind: FloatKind, bits: u128) -> Step<f32> {
    if !matches!(kind, FloatKind::Half | FloatKind::BFloat) {
        let what = format!("{} of {}", which.name(), kind.name());
        return Err(Stop::unsupported(Feature::Intrinsic(what)));
    }
    Ok(f32::from_bits(narrow::<Single>(with_format!(kind, widen::<_>(bits))?) as u32))
}

/// A function of one operand that is computed in `float`.
pub(super) fn unary(
    ctx: &mut Ctx<'_, '_>,
    HostFunction { which, single, .. }: HostFunction<'_>,
    fast: FastMath,
    kind: FloatKind,
    a: &Val,
) -> Step<Val> {
    let Some(x) = operand(ctx, kind, a) else { return Ok(Val::Poison) };
    let result = single(single_of(which, kind, x)?);
    let result = with_format!(kind, narrow::<_>(widen::<Single>(result.to_bits().into())))?;
    finish(ctx, kind, fast, &[x], result)
}

fn min_max(ctx: &mut Ctx<'_, '_>, which: Intrinsic, kind: FloatKind, x: &[u128]) -> Step<u128> {
    let nan = (with_format!(kind, is_nan::<_>(x[0]))?, with_format!(kind, is_nan::<_>(x[1]))?);
    let order = with_format!(kind, order::<_>(x[0], x[1]))?;
    let quiet_bit = nans(kind).quiet_bit;
    let signals = nan.0 && x[0] & quiet_bit == 0 || nan.1 && x[1] & quiet_bit == 0;
    let both = float::MinMax { which, nan, order, sign: sign_bit(kind.bits()) };
    Ok(both.pick(ctx, x[0], x[1], signals))
}

/// `llvm.ldexp` of any format, rounded once.
pub(super) fn ldexp(
    ctx: &mut Ctx<'_, '_>,
    fast: FastMath,
    shape: &Shape,
    exp_width: u32,
    a: &Val,
    exp: &Val,
) -> Step<Val> {
    let kind = kind_of(shape)?;
    let (Some(x), Some(exp)) = (operand(ctx, kind, a), exp.cube()) else { return Ok(Val::Poison) };
    let exp = ctx.narrow(exp_width, exp).signed().clamp(-100_000, 100_000);
    let result = with_format!(kind, scale::<_>(x, exp as i32))?;
    finish(ctx, kind, fast, &[x], result)
}

/// `llvm.frexp` of any format: the fraction, and the exponent, which is unspecified for infinities and NaN.
pub(super) fn frexp(
    ctx: &mut Ctx<'_, '_>,
    fast: FastMath,
    shape: &Shape,
    exp_width: u32,
    a: &Val,
) -> Step<(Val, Val)> {
    let kind = kind_of(shape)?;
    let Some(x) = operand(ctx, kind, a) else { return Ok((Val::Poison, Val::Poison)) };
    let special = with_format!(kind, is_nan::<_>(x))? || with_format!(kind, is_infinite::<_>(x))?;
    if special {
        let fraction = finish(ctx, kind, fast, &[x], x)?;
        let open = ctx.arbitrary(ChoiceKind::Unspecified, exp_width);
        return Ok((fraction, Val::from_cube(exp_width, Cube::known(open & mask(exp_width)))));
    }
    if x & !sign_bit(kind.bits()) == 0 {
        return Ok((finish(ctx, kind, fast, &[x], x)?, Val::int(Int::zero(exp_width))));
    }
    let (fraction, exp) = with_format!(kind, split_float::<_>(x))?;
    let fraction = finish(ctx, kind, fast, &[x], fraction)?;
    Ok((fraction, Val::int(Int::from_i128(exp_width, exp.into()))))
}
