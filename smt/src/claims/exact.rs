//! No-wrap flags by their definition in the integers, as conditions under which a flag is violated.

use crate::claims::evaluate::{Evaluator, Exact, Modelled, NotModelled, Summand};
use crate::encode::world::World;
use crate::term::{Bits, Term, Terms};
use backedge_claim::expr::{Flag, NaryOp};

/// The form of a violated flag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// The sum or product of all operands is out of range.
    Weak,
    /// The sum or product of all operands is in range, but that of some of the operands is not.
    Strong,
}

/// A violation of the claim, and whether the weak form is violated too.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlagViolation {
    pub(super) strong: Term,
    pub(super) weak: Term,
}

/// Condition under which `flag` fails for a sum or product of `operands` of the same width.
pub(super) fn nary(w: &mut World, op: NaryOp, flag: Flag, operands: &[Term]) -> Modelled<FlagViolation> {
    let t = &mut w.terms;
    match (op, flag) {
        (NaryOp::Add, Flag::Nuw) => {
            let strong = unsigned_sum(t, operands);
            Ok(FlagViolation { strong, weak: strong })
        }
        (NaryOp::Add, Flag::Nsw) => Ok(signed_sum(t, operands)),
        (NaryOp::Mul, Flag::Nuw) => Ok(unsigned_product(t, operands)),
        (NaryOp::Mul, Flag::Nsw) => Ok(signed_product(t, operands)),
        _ => Err(NotModelled("a flag that the operation has not".to_owned())),
    }
}

/// Number of additional bits that a sum of `count` operands may need.
fn carry_bits(count: usize) -> u32 {
    usize::BITS - count.leading_zeros() + 1
}

fn unsigned_sum(t: &mut Terms, operands: &[Term]) -> Term {
    if let [a, b] = operands {
        return t.uadd_overflows(*a, *b);
    }
    let width = t.width(operands[0]);
    let wide = width + carry_bits(operands.len());
    let mut sum = t.number(wide, 0);
    for x in operands {
        let x = t.zext(*x, wide);
        sum = t.add(sum, x);
    }
    let most = t.constant(Bits::ones(width).zext(wide));
    t.ult(most, sum)
}

/// Whether `sum` is outside the range of signed `width`-bit numbers.
fn out_of_signed_range(t: &mut Terms, sum: Term, width: u32) -> Term {
    let wide = t.width(sum);
    let (least, most) =
        (t.constant(Bits::signed_min(width).sext(wide)), t.constant(Bits::signed_max(width).zext(wide)));
    let (below, above) = (t.slt(sum, least), t.slt(most, sum));
    t.or(below, above)
}

fn signed_sum(t: &mut Terms, operands: &[Term]) -> FlagViolation {
    if let [a, b] = operands {
        // Both operands have the same sign on overflow, so the partial sums are the whole sum.
        let strong = t.sadd_overflows(*a, *b);
        return FlagViolation { strong, weak: strong };
    }
    let width = t.width(operands[0]);
    let wide = width + carry_bits(operands.len());
    let zero = t.number(wide, 0);
    let (mut positive, mut negative) = (zero, zero);
    for x in operands {
        let is_negative = t.is_negative(*x);
        let x = t.sext(*x, wide);
        let (below, above) = (t.ite(is_negative, x, zero), t.ite(is_negative, zero, x));
        (negative, positive) = (t.add(negative, below), t.add(positive, above));
    }
    let sum = t.add(positive, negative);
    let weak = out_of_signed_range(t, sum, width);
    let (high, low) = (out_of_signed_range(t, positive, width), out_of_signed_range(t, negative, width));
    FlagViolation { strong: t.or_all([weak, high, low]), weak }
}

fn unsigned_product(t: &mut Terms, operands: &[Term]) -> FlagViolation {
    let width = t.width(operands[0]);
    let (zero, one) = (t.number(width, 0), t.number(width, 1));
    let (mut strong, mut some_zero, mut product) = (t.bool(false), t.bool(false), one);
    for x in operands {
        let is_zero = t.eq(*x, zero);
        some_zero = t.or(some_zero, is_zero);
        let factor = t.ite(is_zero, one, *x);
        let overflows = t.umul_overflows(product, factor);
        strong = t.or(strong, overflows);
        product = t.mul(product, factor);
    }
    let none_zero = t.not(some_zero);
    FlagViolation { strong, weak: t.and(strong, none_zero) }
}

/// Uses the largest magnitudes of partial products, by sign; a zero operand never enlarges a product.
fn signed_product(t: &mut Terms, operands: &[Term]) -> FlagViolation {
    let width = t.width(operands[0]);
    if let [a, b] = operands {
        let strong = t.smul_overflows(*a, *b);
        return FlagViolation { strong, weak: strong };
    }
    let (zero, one, half) = (t.number(width, 0), t.number(width, 1), t.constant(Bits::signed_min(width)));
    let (mut positive, mut negative) = (one, zero);
    let (mut strong, mut some_zero) = (t.bool(false), t.bool(false));
    // The whole product: its magnitude, whether that overflowed, and its sign.
    let (mut whole, mut too_large, mut whole_negative) = (one, t.bool(false), t.bool(false));
    for x in operands {
        let (is_zero, below) = (t.eq(*x, zero), t.is_negative(*x));
        some_zero = t.or(some_zero, is_zero);
        let opposite = t.bv_neg(*x);
        let magnitude = t.ite(below, opposite, *x);
        let factor = t.ite(is_zero, one, magnitude);
        let overflows = t.umul_overflows(whole, factor);
        too_large = t.or(too_large, overflows);
        whole = t.mul(whole, factor);
        whole_negative = t.xor(whole_negative, below);
        let (over_positive, over_negative) =
            (t.umul_overflows(positive, factor), t.umul_overflows(negative, factor));
        strong = t.or_all([strong, over_positive, over_negative]);
        let (times_positive, times_negative) = (t.mul(positive, factor), t.mul(negative, factor));
        let max = |t: &mut Terms, a, b| {
            let less = t.ult(a, b);
            t.ite(less, b, a)
        };
        let (high, low) = (max(t, positive, times_negative), max(t, negative, times_positive));
        (positive, negative) = (t.ite(below, high, times_positive), t.ite(below, low, times_negative));
        let (p, n) = (t.ule(half, positive), t.ult(half, negative));
        strong = t.or_all([strong, p, n]);
    }
    let beyond_positive = t.ule(half, whole);
    let beyond_negative = t.ult(half, whole);
    let beyond = t.ite(whole_negative, beyond_negative, beyond_positive);
    let none_zero = t.not(some_zero);
    let weak = t.or(too_large, beyond);
    let weak = t.and(weak, none_zero);
    FlagViolation { strong: t.or(strong, weak), weak }
}

/// Condition under which `flag` fails for a recurrence at the arrival with its number.
pub(super) fn addrec(e: &mut Evaluator<'_>, w: &mut World, flag: Flag, exact: &Exact) -> Modelled<Term> {
    let width = w.terms.width(exact.operands[0]);
    let wide = Evaluator::exact_width(w, exact);
    let number = exact.number;
    let zero = w.terms.number(width, 0);
    // If the number has more bits than are represented, any nonzero step has overflowed.
    let mut moves = w.terms.bool(false);
    for step in &exact.operands[1..] {
        let one = w.terms.ne(*step, zero);
        moves = w.terms.or(moves, one);
    }
    let far = w.terms.and(number.beyond, moves);
    if flag == Flag::Nw {
        let [_, step] = exact.operands[..] else {
            return Err(NotModelled("`nw` of a recurrence of degree 2 or more".to_owned()));
        };
        let distance = e.exact_term(w, Summand { x: step, signed: true, degree: 1 }, number, wide)?;
        let t = &mut w.terms;
        let (below, opposite) = (t.is_negative(distance), t.bv_neg(distance));
        let magnitude = t.ite(below, opposite, distance);
        let most = t.constant(Bits::ones(width).zext(wide));
        let wraps = t.ult(most, magnitude);
        return Ok(t.or(wraps, far));
    }
    let mut sum = w.terms.number(wide, 0);
    for (degree, &x) in exact.operands.iter().enumerate() {
        let summand = Summand { x, signed: flag == Flag::Nsw, degree };
        let term = e.exact_term(w, summand, number, wide)?;
        sum = w.terms.add(sum, term);
    }
    let t = &mut w.terms;
    let wraps = if flag == Flag::Nsw {
        out_of_signed_range(t, sum, width)
    } else {
        let most = t.constant(Bits::ones(width).zext(wide));
        t.ult(most, sum)
    };
    Ok(t.or(wraps, far))
}
