//! Minimum and maximum of two values: `llvm.minnum`, `llvm.minimum`, `llvm.minimumnum`, and their counterparts.

use super::format::Format;
use super::result::{either, finish};
use crate::exec::ctx::Ctx;
use crate::value::Val;
use backedge_ir::inst::FastMath;
use backedge_ir::intrinsic::Intrinsic;

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

pub(super) fn min_max(
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
    pub(in crate::exec) fn pick(&self, ctx: &mut Ctx<'_, '_>, (x, y): (u128, u128), signals: bool) -> u128 {
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
