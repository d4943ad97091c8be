//! Exact operations on undef bits. A scalar with undef bits represents the set of all bit patterns that agree with its
//! defined bits; for these operations, the set of results has the same form.

use crate::encode::value::Scalar;
use crate::term::{Bits, Term, Terms};
use backedge_ir::inst::{BinaryFlags, BinaryOp, IntPredicate};

/// The smallest and the largest pattern, as unsigned numbers.
fn unsigned_extremes(t: &mut Terms, a: Scalar) -> (Term, Term) {
    let fixed = t.bv_not(a.undef);
    (t.bv_and(a.bits, fixed), t.bv_or(a.bits, a.undef))
}

/// The smallest and the largest pattern, as signed numbers.
fn signed_extremes(t: &mut Terms, a: Scalar) -> (Term, Term) {
    let width = t.width(a.bits);
    let (low, high) = unsigned_extremes(t, a);
    let sign = t.constant(Bits::signed_min(width));
    let open_sign = t.bv_and(a.undef, sign);
    // An undef sign bit is set in the smallest pattern and clear in the largest.
    let keep = t.bv_not(open_sign);
    (t.bv_or(low, open_sign), t.bv_and(high, keep))
}

/// Whether all bits of either operand are undef.
pub(crate) fn any_whole(t: &mut Terms, a: Scalar, b: Scalar) -> Term {
    let ones = t.constant(Bits::ones(t.width(a.bits)));
    let (a, b) = (t.eq(a.undef, ones), t.eq(b.undef, ones));
    t.or(a, b)
}

/// Whether one operand is fully undef and the other one is odd: the product then takes every value.
pub(crate) fn whole_times_odd(t: &mut Terms, a: Scalar, b: Scalar) -> Term {
    let width = t.width(a.bits);
    let (ones, zero) = (t.constant(Bits::ones(width)), t.number(width, 0));
    let one_way = |t: &mut Terms, whole: Scalar, odd: Scalar| {
        let (open, fixed, set) = (t.eq(whole.undef, ones), t.eq(odd.undef, zero), t.bit(odd.bits, 0));
        t.and_all([open, fixed, set])
    };
    let (left, right) = (one_way(t, a, b), one_way(t, b, a));
    t.or(left, right)
}

/// `and`, `or`, `xor`, bit by bit; `None` for other operations.
pub(crate) fn bitwise(
    t: &mut Terms,
    op: BinaryOp,
    flags: BinaryFlags,
    a: Scalar,
    b: Scalar,
) -> Option<Scalar> {
    let (bits, undef, clash) = match op {
        BinaryOp::Xor => (t.bv_xor(a.bits, b.bits), t.bv_or(a.undef, b.undef), None),
        BinaryOp::And => {
            // A result bit is undef if one operand's bit is undef and the other operand's bit is not surely 0.
            let (low_a, high_a) = unsigned_extremes(t, a);
            let (low_b, high_b) = unsigned_extremes(t, b);
            let (sure, possible) = (t.bv_and(low_a, low_b), t.bv_and(high_a, high_b));
            (sure, t.bv_xor(sure, possible), None)
        }
        BinaryOp::Or => {
            let (low_a, high_a) = unsigned_extremes(t, a);
            let (low_b, high_b) = unsigned_extremes(t, b);
            let (sure, possible) = (t.bv_or(low_a, low_b), t.bv_or(high_a, high_b));
            (sure, t.bv_xor(sure, possible), Some(t.bv_and(high_a, high_b)))
        }
        _ => return None,
    };
    let mut poison = t.or(a.poison, b.poison);
    if let Some(clash) = clash.filter(|_| flags.disjoint) {
        let clash = t.is_nonzero(clash);
        poison = t.or(poison, clash);
    }
    Some(Scalar { bits, poison, undef })
}

/// A comparison; its result is undef if it depends on the choice of undef bits.
pub(crate) fn compare(t: &mut Terms, pred: IntPredicate, a: Scalar, b: Scalar) -> Scalar {
    let (may_hold, may_fail) = match pred {
        IntPredicate::Eq => equality(t, a, b),
        IntPredicate::Ne => {
            let (hold, fail) = equality(t, a, b);
            (fail, hold)
        }
        IntPredicate::Ult => less(t, a, b, false),
        IntPredicate::Ugt => less(t, b, a, false),
        IntPredicate::Slt => less(t, a, b, true),
        IntPredicate::Sgt => less(t, b, a, true),
        IntPredicate::Uge | IntPredicate::Ule | IntPredicate::Sge | IntPredicate::Sle => {
            let inverse = compare_parts(t, pred.inverse(), a, b);
            (inverse.1, inverse.0)
        }
    };
    let both = t.and(may_hold, may_fail);
    Scalar { bits: t.bool_to_bit(may_hold), poison: t.or(a.poison, b.poison), undef: t.bool_to_bit(both) }
}

fn compare_parts(t: &mut Terms, pred: IntPredicate, a: Scalar, b: Scalar) -> (Term, Term) {
    let (x, y) = if matches!(pred, IntPredicate::Ugt | IntPredicate::Sgt) { (b, a) } else { (a, b) };
    less(t, x, y, pred.is_signed())
}

/// Whether `a < b` may hold, and whether it may fail.
fn less(t: &mut Terms, a: Scalar, b: Scalar, signed: bool) -> (Term, Term) {
    let extremes = if signed { signed_extremes } else { unsigned_extremes };
    let ((low_a, high_a), (low_b, high_b)) = (extremes(t, a), extremes(t, b));
    let lt = if signed { Terms::slt } else { Terms::ult };
    let hold = lt(t, low_a, high_b);
    let always = lt(t, high_a, low_b);
    (hold, t.not(always))
}

/// Whether `a == b` may hold, and whether it may fail.
fn equality(t: &mut Terms, a: Scalar, b: Scalar) -> (Term, Term) {
    let open = t.bv_or(a.undef, b.undef);
    let fixed = t.bv_not(open);
    let differ = t.bv_xor(a.bits, b.bits);
    let differ = t.bv_and(differ, fixed);
    let surely_differ = t.is_nonzero(differ);
    let some_open = t.is_nonzero(open);
    (t.not(surely_differ), t.or(surely_differ, some_open))
}
