//! Evaluates floating-point operations. Each evaluation is a function of its operands and of choices made for this
//! evaluation.
//!
//! All evaluations share the deterministic part of an operation. Where the language leaves the result open, the
//! evaluation makes a fresh choice; the choice 0 selects the deterministic result:
//! - [`ChoiceKind::Nan`]: sign and payload of a NaN result. LangRef, "Behavior of Floating-Point NaN values": the
//!   preferred NaN, or a NaN operand, unchanged or made quiet; the sign is open. 0 selects the first NaN operand.
//! - [`ChoiceKind::Float`]: a word of fields. One bit each selects the second of two results (`fmuladd`, `minnum`), the
//!   other sign of a zero under `nsz`, and a result that `reassoc`, `contract`, `arcp` or `afn` allow: any function of
//!   the operands, the selected flags and a number.
//!
//! A fast-math flag present on one side only is thus a field that is 0 on the other side.

use crate::encode::function::{Encoder, choose};
use crate::encode::value::Scalar;
use crate::encode::world::{ChoiceKind, Evaluation};
use crate::term::{Bits, Term, Terms};
use backedge_ir::attr::Attr;
use backedge_ir::inst::FastMath;
use backedge_ir::intrinsic::Intrinsic as I;

/// Number of exponent bits and of fraction bits of a format.
pub(super) type Format = (u32, u32);

/// Width in bits of a choice of kind [`ChoiceKind::Float`].
const WORD: u32 = 25;
/// Selects the second of two results.
const OTHER_RESULT: u32 = 0;
/// Selects the other sign of a zero result.
const FLIP_RESULT: u32 = 1;
/// Selects the other sign of a zero operand; one bit for each of two operands.
const FLIP_OPERANDS: u32 = 2;
/// The first of the bits for results that a flag allows.
const FLAGS: u32 = 4;
/// The number of these bits.
const FLAG_COUNT: u32 = 5;
/// Selects any result, for denormals that may be flushed and for formats whose NaNs are not modelled.
const ANY_RESULT: u32 = FLAGS + 4;
/// All flag bits and all bits of the number that selects among the allowed results.
const LOOSE: u128 = (1 << WORD) - (1 << FLAGS);
/// All bits of the number.
const NUMBER: u128 = (1 << WORD) - (1 << (FLAGS + FLAG_COUNT));

/// The deterministic part of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core {
    /// An opaque function of the operands that yields NaN if an operand is NaN.
    Propagates,
    /// An opaque function of the operands.
    Opaque,
    /// `fmuladd`: the sum with the rounded product, or the fused result.
    MulAdd,
    /// The smaller or larger operand.
    MinMax(I),
}

/// An operation on scalars.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation<'k> {
    pub(super) key: &'k str,
    pub(super) core: Core,
    /// The format of the result; `None` if its NaNs are not modelled.
    pub(super) format: Option<Format>,
    /// The format of the operands, if it is modelled.
    pub(super) from: Option<Format>,
    pub(super) width: u32,
    pub(super) fast: FastMath,
    /// Whether the operation commutes in its first two operands.
    pub(super) commutes: bool,
}

/// A NaN operand: the condition that it is a NaN, and its bits in the format of the result.
#[derive(Clone, Copy)]
struct NanOperand {
    is: Term,
    bits: Term,
}

/// Whether the bits are a NaN.
pub(super) fn is_nan(terms: &mut Terms, (exponent, fraction): Format, bits: Term) -> Term {
    let rest = terms.constant(Bits::signed_max(exponent + fraction + 1));
    let magnitude = terms.bv_and(bits, rest);
    let infinity = infinity(terms, (exponent, fraction));
    terms.ult(infinity, magnitude)
}
fn infinity(terms: &mut Terms, (exponent, fraction): Format) -> Term {
    let (ones, low) = (terms.constant(Bits::ones(exponent)), terms.number(fraction, 0));
    let high = terms.zext(ones, exponent + 1);
    terms.concat(high, low)
}
/// Whether the bits are a zero of either sign.
pub(super) fn is_zero(terms: &mut Terms, bits: Term) -> Term {
    let width = terms.width(bits);
    let rest = terms.constant(Bits::signed_max(width));
    let magnitude = terms.bv_and(bits, rest);
    let some = terms.is_nonzero(magnitude);
    terms.not(some)
}
/// Whether the bits are a denormal.
fn is_denormal(terms: &mut Terms, (exponent, fraction): Format, bits: Term) -> Term {
    let high = terms.extract(bits, exponent + fraction - 1, fraction);
    let normal = terms.is_nonzero(high);
    let zero = is_zero(terms, bits);
    let other = terms.or(normal, zero);
    terms.not(other)
}
/// Whether `a < b` and whether `a == b`, for operands that are not NaN.
pub(super) fn order(terms: &mut Terms, a: Term, b: Term) -> (Term, Term) {
    let (zero_a, zero_b) = (is_zero(terms, a), is_zero(terms, b));
    let zeros = terms.and(zero_a, zero_b);
    let same = terms.eq(a, b);
    let equal = terms.or(zeros, same);
    let key = |terms: &mut Terms, x: Term| {
        let sign = terms.constant(Bits::signed_min(terms.width(x)));
        let negative = terms.is_negative(x);
        let (down, up) = (terms.bv_not(x), terms.bv_or(x, sign));
        terms.ite(negative, down, up)
    };
    let (x, y) = (key(terms, a), key(terms, b));
    let below = terms.ult(x, y);
    let differ = terms.not(zeros);
    (terms.and(below, differ), equal)
}
fn flipped_if(terms: &mut Terms, flip: Term, bits: Term) -> Term {
    let zero = is_zero(terms, bits);
    let flip = terms.and(flip, zero);
    let sign = terms.constant(Bits::signed_min(terms.width(bits)));
    let other = terms.bv_xor(bits, sign);
    terms.ite(flip, other, bits)
}

/// Mask of the fields of a choice for an operation.
fn fields(op: &Operation<'_>, flushes: bool) -> u128 {
    let fast = op.fast;
    let mut open = 0;
    let loose = [FastMath::REASSOC, FastMath::CONTRACT, FastMath::ARCP, FastMath::AFN];
    for (i, _) in (0..).zip(loose).filter(|(_, flag)| fast.contains(*flag)) {
        open |= 1 << (FLAGS + i);
    }
    if fast.contains(FastMath::NSZ) {
        open |= 1 << FLIP_RESULT;
        // The sign of a zero operand affects more than the sign of a zero result.
        let word = op.key.split(' ').next().unwrap_or_default();
        open |= match word {
            "fdiv" => 2 << FLIP_OPERANDS,
            "pow" | "atan2" => 3 << FLIP_OPERANDS,
            _ => 0,
        };
    }
    if flushes || op.format.is_none() || op.from.is_none() {
        open |= 1 << ANY_RESULT;
    }
    let two = match op.core {
        Core::MulAdd => true,
        Core::MinMax(which) => matches!(which, I::MinNum | I::MaxNum),
        Core::Propagates | Core::Opaque => false,
    };
    open |= u128::from(two) << OTHER_RESULT;
    if open & LOOSE != 0 { open | NUMBER } else { open }
}

impl Encoder<'_, '_> {
    /// Whether the function may flush denormal numbers (LangRef, "denormal-fp-math").
    pub(super) fn may_flush(&self) -> bool {
        let env = &self.module.env;
        env.attrs(&env.funcs[self.func].attrs).any(|attr| match attr {
            Attr::String(key, value) if matches!(&**key, "denormal-fp-math" | "denormal-fp-math-f32") => {
                value.as_deref().is_none_or(|v| v.split(',').any(|mode| !matches!(mode.trim(), "ieee" | "")))
            }
            Attr::Text(text) => text.starts_with("denormal_fpenv"),
            Attr::String(..)
            | Attr::Flag(_)
            | Attr::Int(..)
            | Attr::Type(..)
            | Attr::Range(..)
            | Attr::Memory(_)
            | Attr::NoCapture => false,
        })
    }
    /// A fresh choice for the evaluation of `key` on `operands`.
    fn choice_of(&mut self, kind: ChoiceKind, open: Term, (key, operands): (&str, &[Term])) -> Term {
        self.w.approximate("results that the language leaves open are functions of a choice");
        let of = Evaluation { key: key.into(), operands: operands.to_vec() };
        let var = self.choice_for(kind, open, Some(of));
        let zero = self.w.terms.number(self.w.terms.width(open), 0);
        choose(&mut self.w.terms, zero, open, var)
    }
    /// The result of an operation, after undef bits of the operands are chosen.
    pub(super) fn evaluate(&mut self, op: &Operation<'_>, args: &[Scalar]) -> Scalar {
        let args: Vec<Scalar> = args.iter().map(|a| self.used(*a)).collect();
        let poison = self.w.terms.or_all(args.iter().map(|a| a.poison));
        let mut operands: Vec<Term> = args.iter().map(|a| a.bits).collect();
        let open = fields(op, self.may_flush());
        let word = self.w.terms.number(WORD, open);
        let word = match open {
            0 => word,
            _ => self.choice_of(ChoiceKind::Float, word, (op.key, &operands)),
        };
        for (at, operand) in (0..2).zip(&mut operands) {
            if open >> (FLIP_OPERANDS + at) & 1 == 1 {
                let flip = self.w.terms.bit(word, FLIP_OPERANDS + at);
                *operand = flipped_if(&mut self.w.terms, flip, *operand);
            }
        }
        let (mut bits, mut nan) = self.core(op, word, &operands);
        if open & LOOSE != 0 {
            let (any, by_flags) = self.loosely(op, word, &operands);
            bits = self.w.terms.ite(any, by_flags, bits);
            if let Some(format) = op.format {
                let other = is_nan(&mut self.w.terms, format, by_flags);
                nan = self.w.terms.ite(any, other, nan);
            }
        }
        if open >> FLIP_RESULT & 1 == 1 {
            let flip = self.w.terms.bit(word, FLIP_RESULT);
            bits = flipped_if(&mut self.w.terms, flip, bits);
        }
        if let (Some(format), Some(_)) = (op.format, op.from)
            && !op.fast.contains(FastMath::NNAN)
            && self.w.terms.as_bool(nan) != Some(false)
        {
            let made = self.nan_result(op, format, nan, &operands);
            bits = self.w.terms.ite(nan, made, bits);
        }
        // For an opaque result, this is the only trace of a NaN in an intermediate result.
        let excluded = op.fast.contains(FastMath::NNAN);
        let poison = if excluded { self.w.terms.or(poison, nan) } else { poison };
        Scalar { bits, poison, undef: self.w.terms.number(op.width, 0) }
    }
    /// Whether the choice selects a result that a flag allows, and that result.
    fn loosely(&mut self, op: &Operation<'_>, word: Term, operands: &[Term]) -> (Term, Term) {
        let terms = &mut self.w.terms;
        let part = terms.extract(word, FLAGS + FLAG_COUNT - 1, FLAGS);
        let any = terms.is_nonzero(part);
        let which = terms.extract(word, WORD - 1, FLAGS);
        let mut all = operands.to_vec();
        all.push(which);
        (any, self.w.opaque_float(&format!("{} loosely", op.key), &all, op.width, op.commutes))
    }
    /// The deterministic result, and whether it is a NaN.
    fn core(&mut self, op: &Operation<'_>, word: Term, operands: &[Term]) -> (Term, Term) {
        let rest = op.key.split_once(' ').map_or("", |(_, ty)| ty);
        let opaque = |e: &mut Self, key: &str, operands: &[Term], commutes| {
            e.w.opaque_float(key, operands, op.width, commutes)
        };
        let bits = match op.core {
            Core::Propagates | Core::Opaque => opaque(self, op.key, operands, op.commutes),
            Core::MulAdd => {
                let product = opaque(self, &format!("fmul {rest}"), &operands[..2], true);
                let sum = opaque(self, &format!("fadd {rest}"), &[product, operands[2]], true);
                let fused = opaque(self, &format!("fma {rest}"), operands, true);
                let other = self.w.terms.bit(word, OTHER_RESULT);
                let bits = self.w.terms.ite(other, fused, sum);
                if let Some(format) = op.format {
                    let terms = &mut self.w.terms;
                    let product = is_nan(terms, format, product);
                    let apart = terms.not(other);
                    let product = terms.and(product, apart);
                    let nan = self.any_nan(op, bits, operands);
                    return (bits, self.w.terms.or(product, nan));
                }
                bits
            }
            Core::MinMax(which) => {
                let Some(format) = op.format else {
                    let bits = opaque(self, op.key, operands, op.commutes);
                    return (bits, self.w.terms.bool(false));
                };
                let other = self.w.terms.bit(word, OTHER_RESULT);
                let bits = min_max(&mut self.w.terms, (which, format), other, operands);
                let bits = self.unless_flushed((op.key, format), operands, bits);
                return (bits, is_nan(&mut self.w.terms, format, bits));
            }
        };
        let nan = match op.core {
            Core::Propagates => self.any_nan(op, bits, operands),
            _ => match op.format {
                Some(format) => is_nan(&mut self.w.terms, format, bits),
                None => self.w.terms.bool(false),
            },
        };
        (bits, nan)
    }
    /// Whether the result or an operand is a NaN.
    fn any_nan(&mut self, op: &Operation<'_>, bits: Term, operands: &[Term]) -> Term {
        let mut found = Vec::new();
        if let (Some(format), Some(from)) = (op.format, op.from) {
            found.push(is_nan(&mut self.w.terms, format, bits));
            found.extend(operands.iter().map(|x| is_nan(&mut self.w.terms, from, *x)));
        }
        self.w.terms.or_all(found)
    }
    /// A NaN that an operation on `operands` may produce.
    fn nan_result(&mut self, op: &Operation<'_>, format: Format, nan: Term, operands: &[Term]) -> Term {
        let terms = &mut self.w.terms;
        let (zero, ones) = (terms.number(4, 0), terms.number(4, 15));
        let open = terms.ite(nan, ones, zero);
        let chosen = self.choice_of(ChoiceKind::Nan, open, (op.key, operands));
        let terms = &mut self.w.terms;
        let quiet_bit = terms.number(op.width, 1 << (format.1 - 1));
        let preferred = infinity(terms, format);
        let preferred = terms.bv_or(preferred, quiet_bit);
        let mut candidates: Vec<NanOperand> = operands
            .iter()
            .map(|&x| match op.from {
                Some(from) if from != format => converted_nan(terms, from, format, x),
                _ => NanOperand { is: is_nan(terms, format, x), bits: x },
            })
            .collect();
        if op.commutes && candidates.len() > 1 {
            // Swapped operands yield the same NaNs for the same choices.
            let swap = terms.ult(candidates[0].bits, candidates[1].bits);
            let [a, b] = [candidates[0], candidates[1]];
            let pick = |terms: &mut Terms, x: NanOperand, y: NanOperand| NanOperand {
                is: terms.ite(swap, y.is, x.is),
                bits: terms.ite(swap, y.bits, x.bits),
            };
            candidates[0] = pick(terms, a, b);
            candidates[1] = pick(terms, b, a);
        }
        let first_of = |terms: &mut Terms, list: &mut dyn Iterator<Item = NanOperand>| {
            let list: Vec<NanOperand> = list.collect();
            list.into_iter().rev().fold(preferred, |rest, x| terms.ite(x.is, x.bits, rest))
        };
        let first = first_of(terms, &mut candidates.iter().copied());
        let first_quiet = terms.bv_or(first, quiet_bit);
        let last = first_of(terms, &mut candidates.iter().rev().copied());
        let last_quiet = terms.bv_or(last, quiet_bit);
        let second = first_of(terms, &mut candidates.iter().skip(1).copied());
        let second_quiet = terms.bv_or(second, quiet_bit);
        let all = [first, preferred, first_quiet, last, last_quiet, second, second_quiet, preferred];
        let which = terms.extract(chosen, 2, 0);
        let mut bits = first;
        for (number, candidate) in (0..).zip(all).skip(1) {
            let number = terms.number(3, number);
            let here = terms.eq(which, number);
            bits = terms.ite(here, candidate, bits);
        }
        let flip = terms.bit(chosen, 3);
        let sign = terms.constant(Bits::signed_min(op.width));
        let other = terms.bv_xor(bits, sign);
        terms.ite(flip, other, bits)
    }
    /// The value, with an arbitrary sign if `nsz` is set and the value is zero.
    pub(super) fn open_sign(&mut self, key: &str, fast: FastMath, value: Scalar) -> Scalar {
        if !fast.contains(FastMath::NSZ) {
            return value;
        }
        let value = self.used(value);
        let open = self.w.terms.number(WORD, 1 << FLIP_RESULT);
        let word = self.choice_of(ChoiceKind::Float, open, (key, &[value.bits]));
        let flip = self.w.terms.bit(word, FLIP_RESULT);
        Scalar { bits: flipped_if(&mut self.w.terms, flip, value.bits), ..value }
    }
    /// `exact`, the IEEE 754 result for `operands`, or an opaque function of the operands if one is a denormal that the
    /// function may flush to zero.
    pub(super) fn unless_flushed(
        &mut self,
        (key, format): (&str, Format),
        operands: &[Term],
        exact: Term,
    ) -> Term {
        if !self.may_flush() {
            return exact;
        }
        let denormal: Vec<Term> =
            operands.iter().map(|x| is_denormal(&mut self.w.terms, format, *x)).collect();
        let denormal = self.w.terms.or_all(denormal);
        let width = self.w.terms.width(exact);
        let other = self.w.opaque_float(&format!("{key} of denormal numbers"), operands, width, false);
        self.w.terms.ite(denormal, other, exact)
    }
    /// Any result that flags other than `nnan`, `ninf` and `nsz` allow instead of `value`, which was computed from
    /// `operands` without these flags.
    pub(super) fn open_result(
        &mut self,
        (key, fast): (&str, FastMath),
        operands: &[Term],
        value: Scalar,
    ) -> Scalar {
        let width = self.w.terms.width(value.bits);
        let format = Some((1, 1));
        let fast = fast.without(FastMath::NSZ);
        let op = Operation { key, core: Core::Opaque, format, from: format, width, fast, commutes: false };
        let open = fields(&op, false);
        if open == 0 {
            return value;
        }
        let value = self.used(value);
        let open = self.w.terms.number(WORD, open);
        let word = self.choice_of(ChoiceKind::Float, open, (key, operands));
        let (any, other) = self.loosely(&op, word, operands);
        Scalar { bits: self.w.terms.ite(any, other, value.bits), ..value }
    }
}

/// Converts a NaN to another format by keeping the upper fraction bits. If none of them are set, the NaN is made quiet.
fn converted_nan(terms: &mut Terms, from: Format, to: Format, bits: Term) -> NanOperand {
    let is = is_nan(terms, from, bits);
    let sign = terms.extract(bits, from.0 + from.1, from.0 + from.1);
    let fraction = terms.extract(bits, from.1 - 1, 0);
    let fraction = if from.1 >= to.1 {
        terms.extract(fraction, from.1 - 1, from.1 - to.1)
    } else {
        let low = terms.number(to.1 - from.1, 0);
        terms.concat(fraction, low)
    };
    let some = terms.is_nonzero(fraction);
    let top = terms.constant(Bits::signed_min(to.1));
    let fraction = terms.ite(some, fraction, top);
    let ones = terms.constant(Bits::ones(to.0));
    let high = terms.concat(sign, ones);
    NanOperand { is, bits: terms.concat(high, fraction) }
}

/// The smaller or larger operand, as the interpreter computes it; `other` selects between two allowed results.
fn min_max(terms: &mut Terms, (which, format): (I, Format), other: Term, operands: &[Term]) -> Term {
    let (x, y) = (operands[0], operands[1]);
    let (nan_x, nan_y) = (is_nan(terms, format, x), is_nan(terms, format, y));
    let (less, equal) = order(terms, x, y);
    let negative = terms.is_negative(x);
    let x_first = terms.ite(equal, negative, less);
    let smaller = matches!(which, I::MinNum | I::Minimum | I::MinimumNum);
    let takes_x = if smaller { x_first } else { terms.not(x_first) };
    let number = terms.ite(takes_x, x, y);
    let loose = matches!(which, I::MinNum | I::MaxNum);
    let (mut only_x, mut only_y) = match which {
        I::Minimum | I::Maximum => (x, y),
        _ => (y, x),
    };
    if loose {
        let is_quiet = |terms: &mut Terms, bits: Term| terms.bit(bits, format.1 - 1);
        let (quiet_x, quiet_y) = (is_quiet(terms, x), is_quiet(terms, y));
        let (signals_x, signals_y) = (terms.not(quiet_x), terms.not(quiet_y));
        let (nan_only_x, nan_only_y) = (terms.and(other, signals_x), terms.and(other, signals_y));
        only_x = terms.ite(nan_only_x, x, y);
        only_y = terms.ite(nan_only_y, y, x);
    }
    let without_y = terms.ite(nan_y, only_y, number);
    let without_x = terms.ite(nan_y, x, only_x);
    terms.ite(nan_x, without_x, without_y)
}
