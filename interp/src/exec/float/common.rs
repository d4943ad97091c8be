//! Semantics that all formats share, whether host or software arithmetic computes them.

use crate::chooser::{ChoiceKind, Domain};
use crate::exec::ctx::Ctx;
use backedge_ir::inst::{FastMath, FloatPredicate};
use backedge_ir::intrinsic::Intrinsic;

/// A function of one operand, computed by the host in both formats.
#[derive(Copy, Clone)]
pub(in crate::exec) struct HostFunction<'f> {
    /// The intrinsic that it implements.
    pub(in crate::exec) which: Intrinsic,
    pub(in crate::exec) single: &'f dyn Fn(f32) -> f32,
    pub(in crate::exec) double: &'f dyn Fn(f64) -> f64,
}

/// Whether a predicate holds for two values in that order; `None` if one is NaN.
pub(in crate::exec) fn holds(pred: FloatPredicate, order: Option<std::cmp::Ordering>) -> bool {
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

/// Whether the intrinsic returns the smaller or larger of its two operands.
pub(in crate::exec) fn is_min_max(which: Intrinsic) -> bool {
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

/// A minimum or maximum of two values.
pub(in crate::exec) struct MinMax {
    pub(in crate::exec) which: Intrinsic,
    /// Which operands are NaN.
    pub(in crate::exec) nan: (bool, bool),
    pub(in crate::exec) order: Option<std::cmp::Ordering>,
    /// The sign bit.
    pub(in crate::exec) sign: u128,
}

impl MinMax {
    /// The bits of the operand that is the result; the caller turns a NaN into one that an operation produces.
    /// LangRef: `minimum` and `maximum` propagate NaN. The others return NaN only if both operands are NaN, but
    /// `minnum` and `maxnum` may also return NaN if an operand is signaling. For all, -0 is less than 0; `nsz` makes
    /// the sign of a zero result nondeterministic.
    pub(in crate::exec) fn pick(&self, ctx: &mut Ctx<'_, '_>, x: u128, y: u128, signals: bool) -> u128 {
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

/// Records flags that allow results other than the computed one.
pub(in crate::exec) fn note_loose(ctx: &mut Ctx<'_, '_>, fast: FastMath) {
    let loose = [FastMath::REASSOC, FastMath::CONTRACT, FastMath::ARCP, FastMath::AFN];
    if loose.iter().any(|flag| fast.contains(*flag)) {
        ctx.note_narrowed();
    }
}

/// One of two results, chosen nondeterministically.
pub(in crate::exec) fn either(ctx: &mut Ctx<'_, '_>, first: u128, second: u128) -> u128 {
    if first != second && ctx.choose(ChoiceKind::Unspecified, Domain::Options(2)) == 1 {
        second
    } else {
        first
    }
}
