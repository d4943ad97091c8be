//! The lattice of the analysis: the lowest bits of an integer that are the same in all iterations.

use backedge_interp::value::Val;
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::types::Type;

/// Maximum width of a modelled integer, in bits.
pub(super) const WIDEST: u32 = 128;

/// The part of a value that is the same in all iterations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Low {
    pub(super) width: u32,
    /// Number of known lowest bits.
    pub(super) known: u32,
    /// The known bits; the others are clear.
    pub(super) bits: u128,
    /// Whether the value may be poison.
    pub(super) poison: bool,
}

impl Low {
    pub(super) fn new(width: u32, known: u32, bits: u128, poison: bool) -> Self {
        let known = known.min(width);
        Self { width, known, bits: bits & low_mask(known), poison }
    }
    pub(super) fn constant(value: Int) -> Self {
        Self::new(value.width(), value.width(), value.bits(), false)
    }
    pub(super) fn unknown(width: u32, poison: bool) -> Self {
        Self::new(width, 0, 0, poison)
    }
    /// The value if all bits are known.
    pub(super) fn whole(self) -> Option<Int> {
        (self.known == self.width).then(|| Int::new(self.width, self.bits))
    }
    /// Known zeros at the low end.
    fn zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.known)
    }
    /// Facts that hold for both.
    pub(super) fn join(self, other: Self) -> Self {
        let common = (self.bits ^ other.bits).trailing_zeros();
        let known = self.known.min(other.known).min(common);
        Self::new(self.width, known, self.bits, self.poison || other.poison)
    }
}

pub(super) fn low_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Knowledge about a computed value, if it is an integer without undefined bits.
pub(super) fn low(ty: Type, value: &Val) -> Option<Low> {
    let width = ty.int_bits().filter(|w| *w <= WIDEST)?;
    if value.has_poison() {
        return Some(Low::unknown(width, true));
    }
    value.as_int(width).map(Low::constant)
}

/// The value of `a op b`. Gives up on divisions that may be UB.
pub(super) fn binary(op: BinaryOp, flags: BinaryFlags, a: Low, b: Low) -> Option<Low> {
    let width = a.width;
    let poison = a.poison || b.poison;
    let flagged = flags != BinaryFlags::default();
    if let (Some(x), Some(y)) = (a.whole(), b.whole()) {
        let amount = |value: Option<Int>| value.map_or(Low::unknown(width, true), Low::constant);
        // A flag may make the result poison; only the most common flags are checked precisely.
        let breaks = match op {
            BinaryOp::Add => {
                flags.nuw && x.add_overflows_unsigned(y) || flags.nsw && x.add_overflows_signed(y)
            }
            BinaryOp::Sub => {
                flags.nuw && x.sub_overflows_unsigned(y) || flags.nsw && x.sub_overflows_signed(y)
            }
            BinaryOp::Mul => {
                flags.nuw && x.mul_overflows_unsigned(y) || flags.nsw && x.mul_overflows_signed(y)
            }
            _ => flagged,
        };
        let value = match op {
            BinaryOp::Add => Low::constant(x.add(y)),
            BinaryOp::Sub => Low::constant(x.sub(y)),
            BinaryOp::Mul => Low::constant(x.mul(y)),
            BinaryOp::And => Low::constant(x.and(y)),
            BinaryOp::Or => Low::constant(x.or(y)),
            BinaryOp::Xor => Low::constant(x.xor(y)),
            BinaryOp::Shl => amount(x.shl(y)),
            BinaryOp::LShr => amount(x.lshr(y)),
            BinaryOp::AShr => amount(x.ashr(y)),
            // Division by zero or by poison is UB.
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem if poison => return None,
            BinaryOp::UDiv => Low::constant(x.udiv(y)?),
            BinaryOp::URem => Low::constant(x.urem(y)?),
            BinaryOp::SDiv => Low::constant(x.sdiv(y)?),
            BinaryOp::SRem => Low::constant(x.srem(y)?),
        };
        return Some(Low { poison: value.poison || poison || breaks, ..value });
    }
    let poison = poison || flagged;
    let both = a.known.min(b.known);
    Some(match op {
        BinaryOp::Add => Low::new(width, both, a.bits.wrapping_add(b.bits), poison),
        BinaryOp::Sub => Low::new(width, both, a.bits.wrapping_sub(b.bits), poison),
        BinaryOp::Mul => {
            // (r + 2^i x)(s + 2^j y): unknown bits start at 2^i times the power of two that divides s, and vice versa.
            let known = (a.known + b.zeros()).min(b.known + a.zeros());
            Low::new(width, known, a.bits.wrapping_mul(b.bits), poison)
        }
        BinaryOp::And => Low::new(width, both, a.bits & b.bits, poison),
        BinaryOp::Or => Low::new(width, both, a.bits | b.bits, poison),
        BinaryOp::Xor => Low::new(width, both, a.bits ^ b.bits, poison),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            match b.whole().filter(|n| n.bits() < width.into()) {
                None => Low::unknown(width, true),
                Some(amount) => {
                    let by = amount.bits() as u32;
                    match op {
                        BinaryOp::Shl => Low::new(width, a.known + by, a.bits << by, poison),
                        // Shifted-in bits are unknown if the upper part of the value is unknown.
                        _ => Low::new(width, a.known.saturating_sub(by), a.bits >> by, poison),
                    }
                }
            }
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => return None,
    })
}
