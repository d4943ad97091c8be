//! Constant folding of instructions and intrinsics with integer operands.
//!
//! Guarantees: the result equals that of every execution of the instruction. [`outcome`] also reports poison and UB,
//! which [`fold`] does not fold. Rules: LangRef of each instruction and intrinsic.

use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstKind};
use backedge_ir::int::Int;
use backedge_ir::intrinsic::Intrinsic;
use backedge_ir::types::Type;

/// The result of an instruction on constants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This integer.
    Int(Int),
    /// Poison.
    Poison,
    /// Executing the instruction is UB.
    Undefined,
}

impl From<Option<Int>> for Outcome {
    fn from(value: Option<Int>) -> Self {
        value.map_or(Self::Poison, Self::Int)
    }
}

/// The result of an instruction of type `ty` on `operands`, if it is an integer (neither poison nor UB).
pub fn fold(kind: &InstKind, ty: Type, operands: &[Int]) -> Option<Int> {
    match outcome(kind, ty, operands)? {
        Outcome::Int(value) => Some(value),
        Outcome::Poison | Outcome::Undefined => None,
    }
}

/// The outcome of an instruction on `operands`; `None` if this instruction is not folded. `ty` is the element type
/// for a vector, which is folded lane by lane.
pub fn outcome(kind: &InstKind, ty: Type, operands: &[Int]) -> Option<Outcome> {
    match (kind, operands) {
        (InstKind::Binary(op, _), [_, b]) if op.is_division() && b.is_zero() => Some(Outcome::Undefined),
        (InstKind::Binary(BinaryOp::SDiv | BinaryOp::SRem, _), [a, b]) if a.is_smin() && b.is_all_ones() => {
            Some(Outcome::Undefined)
        }
        (InstKind::Binary(op, flags), [a, b]) => Some(fold_binary(*op, *flags, *a, *b).into()),
        (InstKind::ICmp { pred, samesign }, [a, b]) => {
            let differ = a.is_negative() != b.is_negative();
            Some((!(*samesign && differ)).then(|| Int::bool(pred.holds(*a, *b))).into())
        }
        (InstKind::Cast(op, flags), [a]) => fold_cast(*op, *flags, ty.int_bits()?, *a),
        (InstKind::Select(_), [condition, a, b]) => {
            Some(Outcome::Int(if condition.is_zero() { *b } else { *a }))
        }
        (InstKind::Freeze, [a]) => Some(Outcome::Int(*a)),
        _ => None,
    }
}

/// The outcome of a call of `intrinsic` on its arguments. `ty` is the element type for a vector, which is folded lane
/// by lane. Intrinsics that return a pair are folded by [`with_overflow`].
pub fn intrinsic_outcome(intrinsic: Intrinsic, ty: Type, args: &[Int]) -> Option<Outcome> {
    use Intrinsic as I;
    let value = match (intrinsic, args) {
        (I::Abs, [a, poison]) => (poison.is_zero() || !a.is_smin()).then(|| a.abs()),
        (I::UMin, [a, b]) => Some(a.umin(*b)),
        (I::UMax, [a, b]) => Some(a.umax(*b)),
        (I::SMin, [a, b]) => Some(a.smin(*b)),
        (I::SMax, [a, b]) => Some(a.smax(*b)),
        (I::UCmp, [a, b]) => Some(Int::from_ordering(ty.int_bits()?, a.ucmp(*b))),
        (I::SCmp, [a, b]) => Some(Int::from_ordering(ty.int_bits()?, a.scmp(*b))),
        (I::UAddSat, [a, b]) => Some(a.uadd_sat(*b)),
        (I::SAddSat, [a, b]) => Some(a.sadd_sat(*b)),
        (I::USubSat, [a, b]) => Some(a.usub_sat(*b)),
        (I::SSubSat, [a, b]) => Some(a.ssub_sat(*b)),
        (I::UShlSat, [a, b]) => a.ushl_sat(*b),
        (I::SShlSat, [a, b]) => a.sshl_sat(*b),
        (I::Ctpop, [a]) => Some(a.ctpop()),
        (I::Ctlz, [a, poison]) => (poison.is_zero() || !a.is_zero()).then(|| a.ctlz()),
        (I::Cttz, [a, poison]) => (poison.is_zero() || !a.is_zero()).then(|| a.cttz()),
        (I::BSwap, [a]) => Some(a.bswap()?),
        (I::BitReverse, [a]) => Some(a.bitreverse()),
        (I::FShl, [a, b, c]) => Some(a.fshl(*b, *c)),
        (I::FShr, [a, b, c]) => Some(a.fshr(*b, *c)),
        _ => return None,
    };
    Some(value.into())
}

/// The wrapped result of an arithmetic intrinsic `*.with.overflow`, and whether it overflowed.
pub fn with_overflow(intrinsic: Intrinsic, a: Int, b: Int) -> Option<(Int, bool)> {
    use Intrinsic as I;
    Some(match intrinsic {
        I::UAddWithOverflow => (a.add(b), a.add_overflows_unsigned(b)),
        I::SAddWithOverflow => (a.add(b), a.add_overflows_signed(b)),
        I::USubWithOverflow => (a.sub(b), a.sub_overflows_unsigned(b)),
        I::SSubWithOverflow => (a.sub(b), a.sub_overflows_signed(b)),
        I::UMulWithOverflow => (a.mul(b), a.mul_overflows_unsigned(b)),
        I::SMulWithOverflow => (a.mul(b), a.mul_overflows_signed(b)),
        _ => return None,
    })
}

/// `None` is poison; a division must be defined.
fn fold_binary(op: BinaryOp, flags: BinaryFlags, a: Int, b: Int) -> Option<Int> {
    let BinaryFlags { nuw, nsw, exact, disjoint } = flags;
    let wraps = |unsigned: bool, signed: bool| nuw && unsigned || nsw && signed;
    let (poison, value) = match op {
        BinaryOp::Add => (wraps(a.add_overflows_unsigned(b), a.add_overflows_signed(b)), a.add(b)),
        BinaryOp::Sub => (wraps(a.sub_overflows_unsigned(b), a.sub_overflows_signed(b)), a.sub(b)),
        BinaryOp::Mul => (wraps(a.mul_overflows_unsigned(b), a.mul_overflows_signed(b)), a.mul(b)),
        BinaryOp::Shl => {
            let value = a.shl(b)?;
            (wraps(a.shl_loses_unsigned(b), a.shl_loses_signed(b)), value)
        }
        BinaryOp::LShr => {
            let value = a.lshr(b)?;
            (exact && !a.lshr_is_exact(b), value)
        }
        BinaryOp::AShr => {
            let value = a.ashr(b)?;
            (exact && !a.ashr_is_exact(b), value)
        }
        BinaryOp::UDiv => {
            let value = a.udiv(b)?;
            (exact && !a.udiv_is_exact(b), value)
        }
        BinaryOp::SDiv => {
            let value = a.sdiv(b)?;
            (exact && !a.sdiv_is_exact(b), value)
        }
        BinaryOp::URem => (false, a.urem(b)?),
        BinaryOp::SRem => (false, a.srem(b)?),
        BinaryOp::And => (false, a.and(b)),
        BinaryOp::Or => (disjoint && !a.is_disjoint(b), a.or(b)),
        BinaryOp::Xor => (false, a.xor(b)),
    };
    (!poison).then_some(value)
}

fn fold_cast(op: CastOp, flags: CastFlags, bits: u32, a: Int) -> Option<Outcome> {
    let value = match op {
        CastOp::Trunc if bits < a.width() => {
            let poison = flags.nuw && a.trunc_loses_unsigned(bits) || flags.nsw && a.trunc_loses_signed(bits);
            (!poison).then(|| a.trunc(bits))
        }
        CastOp::ZExt if bits > a.width() && bits <= Int::MAX_WIDTH => {
            (!(flags.nneg && a.is_negative())).then(|| a.zext(bits))
        }
        CastOp::SExt if bits > a.width() && bits <= Int::MAX_WIDTH => Some(a.sext(bits)),
        CastOp::Trunc
        | CastOp::ZExt
        | CastOp::SExt
        | CastOp::FpTrunc
        | CastOp::FpExt
        | CastOp::FpToUi
        | CastOp::FpToSi
        | CastOp::UiToFp
        | CastOp::SiToFp
        | CastOp::PtrToInt
        | CastOp::PtrToAddr
        | CastOp::IntToPtr
        | CastOp::BitCast
        | CastOp::AddrSpaceCast => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use backedge_ir::opcode::IntPredicate;

    fn binary(op: BinaryOp, flags: BinaryFlags, a: i128, b: i128) -> Option<i128> {
        let operands = [Int::from_i128(4, a), Int::from_i128(4, b)];
        fold(&InstKind::Binary(op, flags), Type::int(4), &operands).map(Int::signed)
    }

    /// Exhaustive at four bits, against exact integers.
    #[test]
    fn wrap_flags_are_respected() {
        let nsw = BinaryFlags { nsw: true, ..BinaryFlags::default() };
        for (a, b) in (-8..8).flat_map(|a| (-8..8).map(move |b| (a, b))) {
            let exact = [(BinaryOp::Add, a + b), (BinaryOp::Sub, a - b), (BinaryOp::Mul, a * b)];
            for (op, exact) in exact {
                let fits = (-8..8).contains(&exact);
                assert_eq!(binary(op, nsw, a, b), fits.then_some(exact), "{op:?} nsw {a}, {b}");
                let wrapped = (exact + 8).rem_euclid(16) - 8;
                assert_eq!(binary(op, BinaryFlags::default(), a, b), Some(wrapped), "{op:?} {a}, {b}");
            }
            let defined = b != 0 && !(a == -8 && b == -1);
            assert_eq!(binary(BinaryOp::SDiv, BinaryFlags::default(), a, b), defined.then(|| a / b));
            assert_eq!(binary(BinaryOp::SRem, BinaryFlags::default(), a, b), defined.then(|| a % b));
            let shifts = (0..4).contains(&b);
            assert_eq!(
                binary(BinaryOp::AShr, BinaryFlags::default(), a, b),
                shifts.then(|| a >> b.clamp(0, 3))
            );
        }
    }

    #[test]
    fn samesign_and_casts() {
        let less = InstKind::ICmp { pred: IntPredicate::Ult, samesign: true };
        let ints = |a, b| [Int::from_i128(4, a), Int::from_i128(4, b)];
        assert_eq!(fold(&less, Type::I1, &ints(1, 2)), Some(Int::bool(true)));
        assert_eq!(fold(&less, Type::I1, &ints(1, -2)), None, "poison");
        let nneg = InstKind::Cast(CastOp::ZExt, CastFlags { nneg: true, ..CastFlags::default() });
        assert_eq!(fold(&nneg, Type::I8, &ints(-1, 0)[..1]), None, "poison");
        assert_eq!(fold(&nneg, Type::I8, &ints(3, 0)[..1]), Some(Int::new(8, 3)));
    }
}
