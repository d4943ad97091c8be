//! Fixed-point arithmetic: `llvm.smul.fix` and related intrinsics, on integers of up to 64 bits (LangRef, "Fixed
//! Point Arithmetic Intrinsics").
//!
//! A number with scale s represents its integer value divided by 2^s. An inexact result is rounded up or down as the
//! chooser decides. If only one of the two roundings fits the type, that one is taken. If the result does not fit,
//! the saturating forms give the nearest value, and the others are UB: LangRef says so, although LLVM declares the
//! multiplications speculatable.

use super::ctx::Ctx;
use super::elements::{element_width, unsupported};
use crate::chooser::{ChoiceKind, Domain};
use crate::compile::op::IntrinsicOp;
use crate::outcome::{Step, Stop, UbKind};
use crate::value::{Val, mask};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;

/// Maximum width: products of two such integers fit in 128 bits.
const MAX_WIDTH: u32 = 64;

/// Selects one of the operations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) signed: bool,
    pub(super) divides: bool,
    pub(super) saturates: bool,
}

/// A result rounded down, and whether it is exact.
struct Quotient {
    /// In two's complement if signed.
    floor: u128,
    exact: bool,
}

/// The operation on one lane; `args` are the operands and the scale.
pub(super) fn lane(ctx: &mut Ctx<'_, '_>, op: &IntrinsicOp, form: Form, args: &[Val]) -> Step<Val> {
    let width = element_width(&op.shapes[0]);
    let Val::Bits(scale) = args[2] else { return Err(unsupported(op.which)) };
    if width > MAX_WIDTH || scale > u64::from(width) || form.signed && scale >= u64::from(width) {
        return Err(unsupported(op.which));
    }
    if form.divides {
        let Some(divisor) = args[1].cube() else { return Err(Stop::Ub(UbKind::DivisionByPoison)) };
        if divisor.may_be(0) {
            return Err(Stop::Ub(UbKind::DivisionByZero));
        }
    }
    let (Some(x), Some(y)) = (args[0].cube(), args[1].cube()) else { return Ok(Val::Poison) };
    let (x, y) = (ctx.narrow(width, x), ctx.narrow(width, y));
    let Quotient { floor, exact } = quotient(form, x, y, scale as u32);
    let below = fit(form, width, floor);
    let above = if exact { below } else { fit(form, width, floor.wrapping_add(1)) };
    let chosen = match (below, above) {
        (Ok(low), Ok(high)) if low != high => {
            let up = ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1;
            if up { high } else { low }
        }
        (Ok(fits), _) | (Err(_), Ok(fits)) => fits,
        (Err(nearest), Err(_)) if form.saturates => nearest,
        (Err(_), Err(_)) => return Err(Stop::Ub(UbKind::FixedPointOverflow)),
    };
    Ok(Val::int(chosen))
}

/// The result, rounded down. No step overflows 128 bits.
fn quotient(form: Form, x: Int, y: Int, scale: u32) -> Quotient {
    match (form.signed, form.divides) {
        (true, false) => {
            let product = x.signed() * y.signed();
            Quotient { floor: (product >> scale) as u128, exact: product as u128 & mask_of(scale) == 0 }
        }
        (false, false) => {
            let product = x.bits() * y.bits();
            Quotient { floor: product >> scale, exact: product & mask_of(scale) == 0 }
        }
        (true, true) => {
            let (dividend, divisor) = (x.signed() << scale, y.signed());
            let (towards_zero, rest) = (dividend / divisor, dividend % divisor);
            let below = rest != 0 && (rest < 0) != (divisor < 0);
            Quotient { floor: (towards_zero - i128::from(below)) as u128, exact: rest == 0 }
        }
        (false, true) => {
            let dividend = x.bits() << scale;
            Quotient { floor: dividend / y.bits(), exact: dividend.is_multiple_of(y.bits()) }
        }
    }
}

fn mask_of(scale: u32) -> u128 {
    if scale == 0 { 0 } else { mask(scale) }
}

/// `Ok` with the value if the type has it, `Err` with the nearest value otherwise.
fn fit(form: Form, width: u32, value: u128) -> Result<Int, Int> {
    if form.signed {
        let value = value as i128;
        let (low, high) = (Int::signed_min(width), Int::signed_max(width));
        match value {
            v if v < low.signed() => Err(low),
            v if v > high.signed() => Err(high),
            v => Ok(Int::from_i128(width, v)),
        }
    } else if value > mask(width) {
        Err(Int::unsigned_max(width))
    } else {
        Ok(Int::new(width, value))
    }
}

/// The form of a fixed-point intrinsic; `None` for others.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are no fixed-point arithmetic")]
pub(super) fn form(which: Intrinsic) -> Option<Form> {
    let form = |signed, divides, saturates| Some(Form { signed, divides, saturates });
    match which {
        Intrinsic::SMulFix => form(true, false, false),
        Intrinsic::UMulFix => form(false, false, false),
        Intrinsic::SMulFixSat => form(true, false, true),
        Intrinsic::UMulFixSat => form(false, false, true),
        Intrinsic::SDivFix => form(true, true, false),
        Intrinsic::UDivFix => form(false, true, false),
        Intrinsic::SDivFixSat => form(true, true, true),
        Intrinsic::UDivFixSat => form(false, true, true),
        _ => None,
    }
}
