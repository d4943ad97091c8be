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

use super::ctx::Ctx;
use super::numeric::class_of;
use super::regs::Regs;
use super::{libm, soft};
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::denormal::FLUSHED;
use crate::compile::op::DenormalOp;
use crate::layout::Shape;
use crate::outcome::{Feature, Step, Stop};
use crate::value::{Cube, Val};
use backedge_ir::inst::{CastOp, FastMath, FloatBinaryOp, FloatPredicate};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::FloatKind;

/// A format with hardware operations.
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
    /// The bits of positive infinity, which are those of the exponent.
    fn infinity(self) -> u64 {
        match self {
            Self::Single => 0x7f80_0000,
            Self::Double => 0x7ff0_0000_0000_0000,
        }
    }
    fn quiet(self) -> u64 {
        match self {
            Self::Single => 0x7fc0_0000,
            Self::Double => 0x7ff8_0000_0000_0000,
        }
    }
    /// The payload bit that distinguishes a quiet NaN from a signaling one.
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

/// The bits of a float operand, with undefined bits chosen; `None` for poison.
pub(super) fn operand(ctx: &mut Ctx<'_, '_>, width: u32, value: &Val) -> Option<u64> {
    if let Val::Bits(bits) = value {
        return Some(*bits);
    }
    value.cube().map(|cube| ctx.narrow(width, cube).bits() as u64)
}

/// The sign and payload of a NaN produced by an operation on `operands`.
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

/// Applies the rules for NaN and the fast-math flags to a result.
fn finish(ctx: &mut Ctx<'_, '_>, format: Format, fast: FastMath, operands: &[u64], result: u64) -> Val {
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

/// Records flags that allow results other than the computed one.
pub(super) fn note_loose(ctx: &mut Ctx<'_, '_>, fast: FastMath) {
    let loose = [FastMath::REASSOC, FastMath::CONTRACT, FastMath::ARCP, FastMath::AFN];
    if loose.iter().any(|flag| fast.contains(*flag)) {
        ctx.note_narrowed();
    }
}

/// Chooses either sign for a zero value if `nsz` is set.
fn open_sign(ctx: &mut Ctx<'_, '_>, fast: FastMath, width: u32, value: Val) -> Val {
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
pub(super) fn call_flags(
    ctx: &mut Ctx<'_, '_>,
    (fast, shape): (FastMath, &Shape),
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

fn excluded(format: Format, fast: FastMath, values: &[u64]) -> bool {
    fast.contains(FastMath::NNAN) && values.iter().any(|v| format.is_nan(*v))
        || fast.contains(FastMath::NINF) && values.iter().any(|v| format.is_inf(*v))
}

/// Chooses either sign for a zero operand if `nsz` is set.
fn open_operand(ctx: &mut Ctx<'_, '_>, fast: FastMath, format: Format, bits: u64) -> u64 {
    match open_sign(ctx, fast, format.width(), Val::Bits(bits)) {
        Val::Bits(bits) => bits,
        Val::Poison | Val::Wide(_) | Val::Ptr(_) | Val::Agg(_) => bits,
    }
}

/// Applies the flags of a `phi` or `select` to its value.
pub(super) fn apply_flags(ctx: &mut Ctx<'_, '_>, fast: FastMath, shape: &Shape, value: Val) -> Step<Val> {
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

/// Binary operations such as `fadd`.
pub(super) fn binary(
    ctx: &mut Ctx<'_, '_>,
    (op, fast, shape): (FloatBinaryOp, FastMath, &Shape),
    a: &Val,
    b: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::binary(ctx, (op, fast, kind), a, b);
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
    (pred, fast, shape): (FloatPredicate, FastMath, &Shape),
    a: &Val,
    b: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::compare(ctx, (pred, fast, kind), a, b);
    }
    let format = Format::of(shape)?;
    let width = format.width();
    let (Some(x), Some(y)) = (operand(ctx, width, a), operand(ctx, width, b)) else { return Ok(Val::Poison) };
    if excluded(format, fast, &[x, y]) {
        return Ok(Val::Poison);
    }
    Ok(Val::bool(holds(pred, format.value(x).partial_cmp(&format.value(y)))))
}

/// Whether a predicate holds for two values in that order; `None` if one is NaN.
pub(super) fn holds(pred: FloatPredicate, order: Option<std::cmp::Ordering>) -> bool {
    let (equal, less, greater, unordered) = (
        order.is_some_and(std::cmp::Ordering::is_eq),
        order.is_some_and(std::cmp::Ordering::is_lt),
        order.is_some_and(std::cmp::Ordering::is_gt),
        order.is_none(),
    );
    match pred {
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
    }
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
    if soft::format(from).is_some() || soft::format(to).is_some() {
        return soft::cast(ctx, (op, flags), from, to, a);
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
pub(super) fn to_int_sat(
    ctx: &mut Ctx<'_, '_>,
    signed: bool,
    from: &Shape,
    width: u32,
    a: &Val,
) -> Step<Val> {
    if let Some(kind) = soft::format(from) {
        return soft::to_int_sat(ctx, (signed, width), kind, a);
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

/// Lane-wise floating-point intrinsics.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn intrinsic(
    ctx: &mut Ctx<'_, '_>,
    (which, fast, shape): (Intrinsic, FastMath, &Shape),
    args: &[Val],
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::intrinsic(ctx, (which, fast, kind), args);
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
        _ if is_min_max(which) => return Ok(min_max(ctx, (which, fast, format), &operands)),
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

/// A function of one operand, given for both formats; `half` and `bfloat` are computed in `float`.
pub(super) fn unary(
    ctx: &mut Ctx<'_, '_>,
    (which, fast, shape): (Intrinsic, FastMath, &Shape),
    a: &Val,
    single: &dyn Fn(f32) -> f32,
    double: &dyn Fn(f64) -> f64,
) -> Step<Val> {
    if let Some(kind) = soft::format(shape) {
        return soft::unary(ctx, (which, fast, kind), a, single);
    }
    let format = Format::of(shape)?;
    let Some(x) = operand(ctx, format.width(), a) else { return Ok(Val::Poison) };
    let result = match format {
        Format::Single => u64::from(single(f32::from_bits(x as u32)).to_bits()),
        Format::Double => double(f64::from_bits(x)).to_bits(),
    };
    Ok(finish(ctx, format, fast, &[x], result))
}

/// Ends the run if one of the values is or may be a denormal number.
pub(super) fn refuse_denormals(regs: &Regs<'_>, op: &DenormalOp) -> Step<()> {
    let found = op.values.iter().any(|(reg, shape)| may_be_denormal(shape, &regs.get(*reg)));
    if found { Err(Stop::unsupported(FLUSHED)) } else { Ok(()) }
}

fn may_be_denormal(shape: &Shape, value: &Val) -> bool {
    /// The bits of negative and positive subnormal numbers in the mask of `llvm.is.fpclass`.
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

/// One of two results, chosen nondeterministically.
pub(super) fn either(ctx: &mut Ctx<'_, '_>, first: u128, second: u128) -> u128 {
    if first != second && ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1 {
        second
    } else {
        first
    }
}

/// Whether the intrinsic returns the smaller or larger of its two operands.
pub(super) fn is_min_max(which: Intrinsic) -> bool {
    matches!(
        which,
        Intrinsic::MinNum
            | Intrinsic::MaxNum
            | Intrinsic::MinimumNum
            | Intrinsic::MaximumNum
            | Intrinsic::Minimum
            | Intrinsic::Maximum
    )
}

fn min_max(
    ctx: &mut Ctx<'_, '_>,
    (which, fast, format): (Intrinsic, FastMath, Format),
    operands: &[u64],
) -> Val {
    let (x, y) = (operands[0], operands[1]);
    let nan = (format.is_nan(x), format.is_nan(y));
    let order = format.value(x).partial_cmp(&format.value(y));
    let both = MinMax { which, nan, order, sign: format.sign().into() };
    let signals = |bits: u64| format.is_nan(bits) && bits & format.quiet_bit() == 0;
    let result = both.pick(ctx, (x.into(), y.into()), signals(x) || signals(y));
    finish(ctx, format, fast, operands, result as u64)
}

/// A minimum or maximum of two values.
pub(super) struct MinMax {
    pub(super) which: Intrinsic,
    /// Which operands are NaN.
    pub(super) nan: (bool, bool),
    pub(super) order: Option<std::cmp::Ordering>,
    /// The sign bit.
    pub(super) sign: u128,
}

impl MinMax {
    /// The bits of the operand that is the result; the caller turns a NaN into one that an operation produces.
    /// LangRef: `minimum` and `maximum` propagate NaN. The others return NaN only if both operands are NaN, but
    /// `minnum` and `maxnum` may also return NaN if an operand is signaling. For all, -0 is less than 0; `nsz` makes
    /// the sign of a zero result nondeterministic.
    pub(super) fn pick(&self, ctx: &mut Ctx<'_, '_>, (x, y): (u128, u128), signals: bool) -> u128 {
        use Intrinsic::{MaxNum, Maximum, MinNum, Minimum, MinimumNum};
        let smaller = matches!(self.which, MinNum | Minimum | MinimumNum);
        let propagates = matches!(self.which, Minimum | Maximum);
        let loose = matches!(self.which, MinNum | MaxNum);
        match self.nan {
            (true, true) => x,
            (true, false) if propagates => x,
            (false, true) if propagates => y,
            (true, false) if loose && signals => either(ctx, y, x),
            (false, true) if loose && signals => either(ctx, x, y),
            (true, false) => y,
            (false, true) => x,
            (false, false) => {
                let equal = self.order.is_some_and(std::cmp::Ordering::is_eq);
                let x_less = if equal {
                    x & self.sign != 0
                } else {
                    self.order.is_some_and(std::cmp::Ordering::is_lt)
                };
                if x_less == smaller { x } else { y }
            }
        }
    }
}
