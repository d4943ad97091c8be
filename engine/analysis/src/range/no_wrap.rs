//! No-wrap conditions: overflow of operations on ranges, and the operand regions that permit a no-wrap flag.

use super::ConstantRange;
use backedge_ir::inst::BinaryOp;
use backedge_ir::int::Int;

/// Whether an operation on two ranges overflows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// No operands overflow.
    Never,
    /// Some operands may overflow.
    Maybe,
    /// All operands overflow above the largest value.
    AlwaysHigh,
    /// All operands overflow below the smallest value.
    AlwaysLow,
}

impl ConstantRange {
    /// Whether unsigned `op` (`add`, `sub`, `mul`) overflows.
    #[must_use]
    pub fn unsigned_overflow(self, op: BinaryOp, other: Self) -> Overflow {
        let (Some(a), Some(b), Some(c), Some(d)) =
            (self.unsigned_min(), self.unsigned_max(), other.unsigned_min(), other.unsigned_max())
        else {
            return Overflow::Maybe;
        };
        let (always, never) = match op {
            BinaryOp::Add => (a.add_overflows_unsigned(c), !b.add_overflows_unsigned(d)),
            BinaryOp::Sub => (b.ult(c), a.uge(d)),
            BinaryOp::Mul => (a.mul_overflows_unsigned(c), !b.mul_overflows_unsigned(d)),
            _ => (false, false),
        };
        match (always, never) {
            (true, _) if op == BinaryOp::Sub => Overflow::AlwaysLow,
            (true, _) => Overflow::AlwaysHigh,
            (_, true) => Overflow::Never,
            _ => Overflow::Maybe,
        }
    }
    /// Whether signed `op` (`add`, `sub`, `mul`) overflows.
    #[must_use]
    pub fn signed_overflow(self, op: BinaryOp, other: Self) -> Overflow {
        let (Some(a), Some(b), Some(c), Some(d)) =
            (self.signed_min(), self.signed_max(), other.signed_min(), other.signed_max())
        else {
            return Overflow::Maybe;
        };
        match op {
            BinaryOp::Add => signed_sum(a, b, c, d, Int::add_overflows_signed),
            BinaryOp::Sub => signed_sum(a, b, d, c, Int::sub_overflows_signed),
            BinaryOp::Mul => {
                let never = [a, b].iter().all(|x| [c, d].iter().all(|y| !x.mul_overflows_signed(*y)));
                if never { Overflow::Never } else { Overflow::Maybe }
            }
            _ => Overflow::Maybe,
        }
    }
    /// The largest range of left operands for which `op` (`add`, `sub`, `mul`, `shl`), as unsigned or signed, never
    /// wraps with any right operand in `other`. For `mul` and `shl` the result may be smaller than the exact region.
    #[must_use]
    pub fn guaranteed_no_wrap_region(op: BinaryOp, other: Self, signed: bool) -> Self {
        let width = other.width();
        let (zero, top) = (Int::zero(width), Int::all_ones(width));
        let (low, high) = (Int::signed_min(width), Int::signed_max(width));
        let (Some(umax), Some(smin), Some(smax)) =
            (other.unsigned_max(), other.signed_min(), other.signed_max())
        else {
            return Self::full(width);
        };
        match (op, signed) {
            (BinaryOp::Add, false) => Self::inclusive(zero, top.sub(umax)),
            (BinaryOp::Sub, false) => Self::inclusive(umax, top),
            (BinaryOp::Mul, false) => Self::inclusive(zero, top.udiv(umax).unwrap_or(top)),
            (BinaryOp::Add, true) => {
                let first = if smin.is_negative() { low.sub(smin) } else { low };
                let last = if smax.is_negative() { high } else { high.sub(smax) };
                Self::between(first, last)
            }
            (BinaryOp::Sub, true) => {
                let first = if smax.is_negative() { low } else { low.add(smax) };
                let last = if smin.is_negative() { high.add(smin) } else { high };
                Self::between(first, last)
            }
            (BinaryOp::Mul, true) => {
                let region = |c: Int| signed_mul_region(c, low, high);
                region(smin).intersect(region(smax))
            }
            (BinaryOp::Shl, _) => {
                // Amounts of at least the width yield poison for every left operand.
                let most = umax.umin(Int::new(width, u128::from(width - 1)));
                let by = |v: Int| if signed { v.ashr(most) } else { v.lshr(most) }.unwrap_or(zero);
                if signed { Self::inclusive(by(low), by(high)) } else { Self::inclusive(zero, by(top)) }
            }
            _ => Self::empty(width),
        }
    }
    /// From `first` to `last` as signed; empty if `first` is greater.
    fn between(first: Int, last: Int) -> Self {
        if first.sgt(last) { Self::empty(first.width()) } else { Self::inclusive(first, last) }
    }
}

fn signed_sum(a: Int, b: Int, c: Int, d: Int, overflows: impl Fn(Int, Int) -> bool) -> Overflow {
    // The smallest sum is `a` with `c`, the largest `b` with `d`. A sum overflows in the direction of the left
    // operand's sign.
    let (min_out, max_out) = (overflows(a, c), overflows(b, d));
    if min_out && !a.is_negative() {
        Overflow::AlwaysHigh
    } else if max_out && b.is_negative() {
        Overflow::AlwaysLow
    } else if !min_out && !max_out {
        Overflow::Never
    } else {
        Overflow::Maybe
    }
}

/// The set of all `x` with `x * c` in `[low, high]`.
fn signed_mul_region(c: Int, low: Int, high: Int) -> ConstantRange {
    let width = c.width();
    if c.is_zero() || c.bits() == 1 && width > 1 {
        return ConstantRange::full(width);
    }
    if c.is_all_ones() {
        return ConstantRange::constant(low).inverse();
    }
    let (a, b) = (low.sdiv(c), high.sdiv(c));
    match (a, b) {
        (Some(a), Some(b)) => ConstantRange::inclusive(a.smin(b), a.smax(b)),
        _ => ConstantRange::empty(width),
    }
}
