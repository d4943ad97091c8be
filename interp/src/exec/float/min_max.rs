//! Minimum and maximum of two values: `llvm.minnum`, `llvm.minimum`, `llvm.minimumnum`, and their counterparts.

use super::common::MinMax;
use super::format::Format;
use super::result::finish;
use crate::exec::ctx::Ctx;
use crate::value::Val;
use backedge_ir::inst::FastMath;
use backedge_ir::intrinsic::Intrinsic;

pub(super) fn min_max(
    ctx: &mut Ctx<'_, '_>,
    which: Intrinsic,
    fast: FastMath,
    format: Format,
    operands: &[u64],
) -> Val {
    let (x, y) = (operands[0], operands[1]);
    let nan = (format.is_nan(x), format.is_nan(y));
    let order = format.value(x).partial_cmp(&format.value(y));
    let both = MinMax { which, nan, order, sign: format.sign().into() };
    let signals = |bits: u64| format.is_nan(bits) && bits & format.quiet_bit() == 0;
    let result = both.pick(ctx, x.into(), y.into(), signals(x) || signals(y));
    finish(ctx, format, fast, operands, result as u64)
}
