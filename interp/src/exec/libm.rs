//! Functions of the mathematical library, and roundings, in `float` and `double`.
//!
//! Roundings and the square root are exact or correctly rounded. LangRef leaves the precision of the others open
//! ("the same value as a corresponding libm function"). They give the host library's result, so their last bits can
//! differ between hosts, as in compiled code. On one host the same operands give the same result.

use super::ctx::Ctx;
use crate::outcome::{Feature, Step, Stop};
use backedge_ir::intrinsic::Intrinsic;
use std::ops::{Div, Mul};

macro_rules! library {
    ($(#[$doc:meta])* $name:ident, $float:ident) => {
        $(#[$doc])*
        pub(super) fn $name(which: Intrinsic, x: &[$float]) -> Step<$float> {
            let [a, b] = match *x {
                [a] => [a, 0.0],
                [a, b, ..] => [a, b],
                [] => return Err(refused(which)),
            };
            Ok(match which {
                Intrinsic::Sqrt => a.sqrt(),
                Intrinsic::Floor => a.floor(),
                Intrinsic::Ceil => a.ceil(),
                Intrinsic::FTrunc => a.trunc(),
                Intrinsic::Round => a.round(),
                Intrinsic::RoundEven | Intrinsic::Rint | Intrinsic::NearbyInt => a.round_ties_even(),
                Intrinsic::Canonicalize => a,
                Intrinsic::Pow => a.powf(b),
                Intrinsic::Exp => a.exp(),
                Intrinsic::Exp2 => a.exp2(),
                Intrinsic::Exp10 => (10.0 as $float).powf(a),
                Intrinsic::Log => a.ln(),
                Intrinsic::Log2 => a.log2(),
                Intrinsic::Log10 => a.log10(),
                Intrinsic::Sin => a.sin(),
                Intrinsic::Cos => a.cos(),
                Intrinsic::Tan => a.tan(),
                Intrinsic::ASin => a.asin(),
                Intrinsic::ACos => a.acos(),
                Intrinsic::ATan => a.atan(),
                Intrinsic::ATan2 => a.atan2(b),
                Intrinsic::SinH => a.sinh(),
                Intrinsic::CosH => a.cosh(),
                Intrinsic::TanH => a.tanh(),
                other => return Err(refused(other)),
            })
        }
    };
}

library! {
    /// The function of `float` operands.
    single, f32
}
library! {
    /// The function of `double` operands.
    double, f64
}

/// Records that the run uses the result of a function whose accuracy LangRef leaves open. `operands` are the
/// operands' bits.
pub(super) fn note(ctx: &mut Ctx<'_, '_>, which: Intrinsic, operands: &[u128]) {
    let is_inexact = matches!(
        which,
        Intrinsic::Pow
            | Intrinsic::PowI
            | Intrinsic::Exp
            | Intrinsic::Exp2
            | Intrinsic::Exp10
            | Intrinsic::Log
            | Intrinsic::Log2
            | Intrinsic::Log10
            | Intrinsic::Sin
            | Intrinsic::Cos
            | Intrinsic::SinCos
            | Intrinsic::Tan
            | Intrinsic::ASin
            | Intrinsic::ACos
            | Intrinsic::ATan
            | Intrinsic::ATan2
            | Intrinsic::SinH
            | Intrinsic::CosH
            | Intrinsic::TanH
    );
    if is_inexact {
        ctx.events.library.note_inexact(which.name(), operands);
    }
}

fn refused(which: Intrinsic) -> Stop {
    Stop::unsupported(Feature::Intrinsic(which.name().to_owned()))
}

/// `llvm.powi` by repeated multiplication, as in LLVM's run-time library; the order of operations is unspecified.
pub(super) fn power<T: Copy + Mul<Output = T> + Div<Output = T>>(one: T, base: T, exponent: i128) -> T {
    let (mut rest, mut square, mut result) = (exponent.unsigned_abs(), base, one);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square;
        }
        square = square * square;
        rest >>= 1;
    }
    if exponent < 0 { one / result } else { result }
}
