//! Operations on concrete integers, as LangRef defines them: the reference for the tests of known bits and ranges.

use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// The result of `op` with these flags; `None` if it is poison or UB.
pub(crate) fn concrete(op: BinaryOp, flags: BinaryFlags, a: Int, b: Int) -> Option<Int> {
    let BinaryFlags { nuw, nsw, exact, disjoint } = flags;
    let unless = |bad: bool, value: Int| (!bad).then_some(value);
    match op {
        BinaryOp::Add => {
            unless(nuw && a.add_overflows_unsigned(b) || nsw && a.add_overflows_signed(b), a.add(b))
        }
        BinaryOp::Sub => {
            unless(nuw && a.sub_overflows_unsigned(b) || nsw && a.sub_overflows_signed(b), a.sub(b))
        }
        BinaryOp::Mul => {
            unless(nuw && a.mul_overflows_unsigned(b) || nsw && a.mul_overflows_signed(b), a.mul(b))
        }
        BinaryOp::UDiv => unless(exact && !a.udiv_is_exact(b), a.udiv(b)?),
        BinaryOp::SDiv => unless(exact && !a.sdiv_is_exact(b), a.sdiv(b)?),
        BinaryOp::URem => a.urem(b),
        BinaryOp::SRem => a.srem(b),
        BinaryOp::Shl => unless(nuw && a.shl_loses_unsigned(b) || nsw && a.shl_loses_signed(b), a.shl(b)?),
        BinaryOp::LShr => unless(exact && !a.lshr_is_exact(b), a.lshr(b)?),
        BinaryOp::AShr => unless(exact && !a.ashr_is_exact(b), a.ashr(b)?),
        BinaryOp::And => Some(a.and(b)),
        BinaryOp::Or => unless(disjoint && !a.is_disjoint(b), a.or(b)),
        BinaryOp::Xor => Some(a.xor(b)),
    }
}

/// The sets of flags to test with `op`.
pub(crate) fn flag_sets(op: BinaryOp) -> Vec<BinaryFlags> {
    let (wrap, exact, disjoint) = op.allowed_flags();
    let mut sets = vec![BinaryFlags::default()];
    if wrap {
        for (nuw, nsw) in [(true, false), (false, true), (true, true)] {
            sets.push(BinaryFlags { nuw, nsw, ..BinaryFlags::default() });
        }
    }
    if exact || disjoint {
        sets.push(BinaryFlags { exact, disjoint, ..BinaryFlags::default() });
    }
    sets
}

/// Whether `a pred b` holds.
pub(crate) fn holds(pred: IntPredicate, a: Int, b: Int) -> bool {
    match pred {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a.ugt(b),
        IntPredicate::Uge => a.uge(b),
        IntPredicate::Ult => a.ult(b),
        IntPredicate::Ule => a.ule(b),
        IntPredicate::Sgt => a.sgt(b),
        IntPredicate::Sge => a.sge(b),
        IntPredicate::Slt => a.slt(b),
        IntPredicate::Sle => a.sle(b),
    }
}
