//! Intrinsics on numbers whose types differ between operands and result: powers, exponents, roundings to integers,
//! float classes, pairs of results, reductions of floats.

use super::ctx::Ctx;
use super::elements::{element_width, lanes, unsupported};
use super::float::{self, HostFunction};
use super::{libm, soft};
use crate::chooser::ChoiceKind;
use crate::compile::op::IntrinsicOp;
use crate::float_class::class_of;
use crate::layout::Shape;
use crate::outcome::Step;
use crate::value::{Cube, Val, mask, sign_bit};
use backedge_ir::inst::{FastMath, FloatBinaryOp};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Executes `op` and returns its result.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the operations were selected before; others can't come here and are refused"
)]
pub(super) fn run(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    use Intrinsic as I;
    match op.which {
        I::ArithmeticFence => float::apply_flags(ctx, op.fast, &op.shapes[0], args[0].clone()),
        I::PowI => lanes(ctx, op, args, power),
        I::LdExp => lanes(ctx, op, args, |ctx, op, args| {
            let (shape, exp_width) = (op.shapes[0].element(), element_width(&op.shapes[1]));
            soft::ldexp(ctx, op.fast, shape, exp_width, &args[0], &args[1])
        }),
        I::LRint | I::LLRint | I::LRound | I::LLRound => lanes(ctx, op, args, rounded),
        I::IsFpClass => lanes(ctx, op, args, is_class),
        I::FrExp | I::ModF | I::SinCos => pairs(ctx, op, &args[0]),
        I::VectorReduceFAdd | I::VectorReduceFMul => sum(ctx, op, &args[0], &args[1]),
        I::VectorReduceFMin | I::VectorReduceFMax | I::VectorReduceFMinimum | I::VectorReduceFMaximum => {
            extreme(ctx, op, &args[0])
        }
        other => Err(unsupported(other)),
    }
}

/// `llvm.powi` in the operand's format; narrower formats are computed in `float`, others are not modelled.
fn power(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let shape = op.shapes[0].element();
    let width = element_width(&op.shapes[1]);
    let Some(exponent) = args[1].cube() else { return Ok(Val::Poison) };
    let exponent = ctx.narrow(width, exponent).signed();
    if let Some(base) = args[0].cube() {
        libm::note(ctx, Intrinsic::PowI, &[base.bits, exponent as u128]);
    }
    let function = HostFunction {
        which: Intrinsic::PowI,
        single: &|x| libm::power(1.0, x, exponent),
        double: &|x| libm::power(1.0, x, exponent),
    };
    float::unary(ctx, function, op.fast, shape, &args[0])
}

/// `llvm.lrint` and related intrinsics. If the type does not have the result, the value is arbitrary but fixed.
fn rounded(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let width = op.ret.as_ref().map_or(64, element_width);
    let ties_away = matches!(op.which, Intrinsic::LRound | Intrinsic::LLRound);
    Ok(match soft::rounded_int(ctx, ties_away, width, op.shapes[0].element(), &args[0])? {
        None => Val::Poison,
        Some(Some(int)) => Val::int(int),
        Some(None) => {
            let open = ctx.arbitrary(ChoiceKind::Unspecified, width);
            Val::from_cube(width, Cube::known(open))
        }
    })
}

/// `llvm.is.fpclass`: the 10 mask bits are signaling and quiet NaN, then infinity, normal, subnormal and zero by
/// sign, from -infinity (4) to -zero (32) and from +zero (64) to +infinity (512).
fn is_class(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, args: &[Val]) -> Step<Val> {
    let Shape::Float(kind) = op.shapes[0].element() else { return Err(unsupported(op.which)) };
    let (Some(x), Some(test)) = (args[0].cube(), args[1].cube()) else { return Ok(Val::Poison) };
    let bits = ctx.narrow(kind.bits(), x).bits();
    let Some(class) = class_of(*kind, bits) else { return Err(unsupported(op.which)) };
    Ok(Val::bool(test.bits & class != 0))
}

/// Results that are pairs of scalars or of vectors.
fn pairs(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, a: &Val) -> Step<Val> {
    let Val::Agg(members) = a else {
        let (first, second) = pair(ctx, op, a)?;
        return Ok(Val::agg(vec![first, second]));
    };
    let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
    for member in members.iter() {
        let (first, second) = pair(ctx, op, member)?;
        firsts.push(first);
        seconds.push(second);
    }
    Ok(Val::agg(vec![Val::agg(firsts), Val::agg(seconds)]))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "frexp, sincos and modf alone come here; others are refused"
)]
fn pair(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, a: &Val) -> Step<(Val, Val)> {
    let shape = op.shapes[0].element();
    match op.which {
        Intrinsic::FrExp => {
            let exponent = match &op.ret {
                Some(Shape::Struct { fields, .. }) => fields.get(1).map_or(32, |(_, f)| element_width(f)),
                _ => 32,
            };
            soft::frexp(ctx, op.fast, shape, exponent, a)
        }
        Intrinsic::SinCos => {
            let mut of = |which| float::intrinsic(ctx, which, op.fast, shape, std::slice::from_ref(a));
            Ok((of(Intrinsic::Sin)?, of(Intrinsic::Cos)?))
        }
        Intrinsic::ModF => modf(ctx, op.fast, shape, a),
        other => Err(unsupported(other)),
    }
}

/// `llvm.modf`: the fraction and the integral part, both with the operand's sign.
fn modf(ctx: &mut Ctx<'_, '_>, fast: FastMath, shape: &Shape, a: &Val) -> Step<(Val, Val)> {
    let width = element_width(shape);
    let Some(cube) = a.cube() else { return Ok((Val::Poison, Val::Poison)) };
    let a = Val::int(ctx.narrow(width, cube));
    let sign = sign_bit(width);
    let with_sign = |v: Val| match (&v, a.cube()) {
        (Val::Poison, _) | (_, None) => v,
        (_, Some(x)) => {
            let bits = v.cube().map_or(0, |c| c.bits);
            Val::from_cube(width, Cube::known(bits & !sign | x.bits & sign))
        }
    };
    let whole = float::intrinsic(ctx, Intrinsic::FTrunc, fast, shape, std::slice::from_ref(&a))?;
    let infinite = whole == a && float::is_infinite(shape, &a)?;
    let fraction = if infinite {
        shape.scalar_from(Cube::known(0))
    } else {
        float::binary(ctx, FloatBinaryOp::FSub, fast, shape, &a, &whole)?
    };
    Ok((with_sign(fraction), with_sign(whole)))
}

/// `llvm.vector.reduce.fadd` and `fmul`, from the first lane to the last; `reassoc` also allows other orders.
fn sum(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, start: &Val, vector: &Val) -> Step<Val> {
    let shape = op.shapes[0].element();
    let step =
        if op.which == Intrinsic::VectorReduceFAdd { FloatBinaryOp::FAdd } else { FloatBinaryOp::FMul };
    let mut result = start.clone();
    for member in vector.members() {
        result = float::binary(ctx, step, op.fast, shape, &result, member)?;
    }
    Ok(result)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the four reductions alone come here; others are refused")]
fn extreme(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, vector: &Val) -> Step<Val> {
    let shape = op.shapes[0].element();
    let which = match op.which {
        Intrinsic::VectorReduceFMin => Intrinsic::MinNum,
        Intrinsic::VectorReduceFMax => Intrinsic::MaxNum,
        Intrinsic::VectorReduceFMinimum => Intrinsic::Minimum,
        Intrinsic::VectorReduceFMaximum => Intrinsic::Maximum,
        other => return Err(unsupported(other)),
    };
    let Some((first, rest)) = vector.members().split_first() else { return Ok(Val::Poison) };
    let mut result = first.clone();
    for member in rest {
        result = float::intrinsic(ctx, which, op.fast, shape, &[result, member.clone()])?;
    }
    Ok(result)
}

/// The number `value` of a lane, truncated to `width` bits.
pub(super) fn number(width: u32, value: u128) -> Val {
    Val::int(Int::new(width, value & mask(width)))
}
