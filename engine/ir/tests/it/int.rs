//! `Int` against its definition: each operation is computed a second time in big integers, from the mathematics or from
//! the intrinsic's definition in LLVM's Language Reference, and never with fixed-width operations.
//!
//! Exhaustive at small widths (one and two operands up to 8 bits, three up to 5); random at all widths up to 128,
//! biased towards the bounds of the ranges and towards shift amounts near the width.

use std::cmp::Ordering;

use backedge_ir::int::{DivisionError, Int};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use proptest::prelude::*;

/// 2^exponent.
fn pow2(exponent: u32) -> BigInt {
    BigInt::from(2).pow(exponent)
}

/// The unsigned value.
fn unsigned(a: Int) -> BigInt {
    BigInt::from(a.bits())
}

/// The signed value: bit patterns of at least 2^(w-1) denote themselves minus 2^w.
fn signed(a: Int) -> BigInt {
    let value = unsigned(a);
    if value >= pow2(a.width() - 1) { value - pow2(a.width()) } else { value }
}

/// The non-negative remainder.
fn modulo(value: &BigInt, modulus: &BigInt) -> BigInt {
    ((value % modulus) + modulus) % modulus
}

/// The quotient rounded towards minus infinity; the divisor must be positive.
fn div_floor(value: &BigInt, divisor: &BigInt) -> BigInt {
    (value - modulo(value, divisor)) / divisor
}

/// The `Int` that is congruent to `value` modulo 2^width.
fn reduce(width: u32, value: &BigInt) -> Int {
    Int::new(width, modulo(value, &pow2(width)).to_u128().expect("reduced below 2^128"))
}

fn fits_unsigned(width: u32, value: &BigInt) -> bool {
    !value.is_negative() && *value < pow2(width)
}

fn fits_signed(width: u32, value: &BigInt) -> bool {
    -pow2(width - 1) <= *value && *value < pow2(width - 1)
}

/// The nearest unsigned value.
fn clamp_unsigned(width: u32, value: BigInt) -> Int {
    reduce(width, &value.max(BigInt::zero()).min(pow2(width) - 1))
}

/// The nearest signed value.
fn clamp_signed(width: u32, value: BigInt) -> Int {
    reduce(width, &value.max(-pow2(width - 1)).min(pow2(width - 1) - 1))
}

/// The bits, least significant first, by repeated halving.
fn digits(a: Int) -> Vec<bool> {
    let mut rest = unsigned(a);
    (0..a.width())
        .map(|_| {
            let odd = (&rest % 2u32).is_one();
            rest /= 2;
            odd
        })
        .collect()
}

/// Σ 2^i over the set bits.
fn from_digits(digits: &[bool]) -> Int {
    let width = u32::try_from(digits.len()).expect("at most 128 bits");
    let value: BigInt = (0..width).zip(digits).filter(|(_, set)| **set).map(|(i, _)| pow2(i)).sum();
    reduce(width, &value)
}

/// The number of leading items equal to `wanted`.
fn run<'a>(bits: impl IntoIterator<Item = &'a bool>, wanted: bool) -> u32 {
    u32::try_from(bits.into_iter().take_while(|bit| **bit == wanted).count()).expect("at most 128 bits")
}

fn check_one(a: Int) {
    let (w, u, s, bits) = (a.width(), unsigned(a), signed(a), digits(a));
    assert!(fits_unsigned(w, &u), "{a:?}: bits above the width");
    assert_eq!(BigInt::from(a.signed()), s, "{a:?} signed");
    assert_eq!(a.to_u64(), u.to_u64(), "{a:?} to_u64");
    assert_eq!(a.to_i64(), s.to_i64(), "{a:?} to_i64");
    assert_eq!(Int::from_i128(w, a.signed()), a, "{a:?} from_i128");
    assert_eq!(a.is_zero(), u.is_zero(), "{a:?} is_zero");
    assert_eq!(a.is_one(), u.is_one(), "{a:?} is_one");
    assert_eq!(a.is_all_ones(), bits.iter().all(|bit| *bit), "{a:?} is_all_ones");
    assert_eq!(a.is_negative(), s.is_negative(), "{a:?} is_negative");
    assert_eq!(a.is_smin(), s == -pow2(w - 1), "{a:?} is_smin");
    assert_eq!(a.is_smax(), s == pow2(w - 1) - 1, "{a:?} is_smax");
    let log2 = (0..w).find(|i| u == pow2(*i));
    assert_eq!(a.exact_log2(), log2, "{a:?} exact_log2");
    assert_eq!(a.is_power_of_two(), log2.is_some(), "{a:?} is_power_of_two");

    assert_eq!(a.neg(), reduce(w, &-&s), "{a:?} neg");
    assert_eq!(a.not(), reduce(w, &(-&s - 1)), "{a:?} not");
    assert_eq!(a.abs(), reduce(w, &s.abs()), "{a:?} abs");

    let count = |n: u32| reduce(w, &BigInt::from(n));
    let ones = u32::try_from(bits.iter().filter(|bit| **bit).count()).expect("at most 128 bits");
    assert_eq!((a.count_ones(), a.ctpop()), (ones, count(ones)), "{a:?} ctpop");
    let leading = run(bits.iter().rev(), false);
    assert_eq!((a.leading_zeros(), a.ctlz()), (leading, count(leading)), "{a:?} ctlz");
    let trailing = run(&bits, false);
    assert_eq!((a.trailing_zeros(), a.cttz()), (trailing, count(trailing)), "{a:?} cttz");
    assert_eq!(a.leading_ones(), run(bits.iter().rev(), true), "{a:?} leading_ones");
    assert_eq!(a.trailing_ones(), run(&bits, true), "{a:?} trailing_ones");
    // LLVM's definition of the number of sign bits: the value fits in the width minus that number plus one.
    let narrowest = (1..=w).find(|n| fits_signed(*n, &s)).expect("it fits in its own width");
    assert_eq!(a.sign_bits(), w - narrowest + 1, "{a:?} sign_bits");

    let reversed: Vec<bool> = bits.iter().rev().copied().collect();
    assert_eq!(a.bitreverse(), from_digits(&reversed), "{a:?} bitreverse");
    let swapped = (w % 16 == 0).then(|| from_digits(&bits.rchunks(8).flatten().copied().collect::<Vec<_>>()));
    assert_eq!(a.bswap(), swapped, "{a:?} bswap");
    for (i, bit) in (0..w).zip(&bits) {
        assert_eq!(a.bit(i), *bit, "{a:?} bit {i}");
    }

    assert_eq!(a.to_string(), s.to_string(), "{a:?} display");
    assert_eq!(format!("{a:?}"), format!("i{w} {s}"), "debug");
    for text in [s.to_string(), u.to_string(), format!("u0x{u:x}"), format!("u0x00{u:X}")] {
        assert_eq!(Int::parse(w, &text), Ok(a), "{text} at i{w}");
    }
}

/// Width changes from and to another width.
fn check_width(a: Int, to: u32) {
    let (w, u, s) = (a.width(), unsigned(a), signed(a));
    if to >= w {
        assert_eq!(a.zext(to), reduce(to, &u), "zext {a:?} to i{to}");
        assert_eq!(a.sext(to), reduce(to, &s), "sext {a:?} to i{to}");
    }
    if to <= w {
        assert_eq!(a.trunc(to), reduce(to, &u), "trunc {a:?} to i{to}");
        assert_eq!(a.trunc_loses_unsigned(to), !fits_unsigned(to, &u), "trunc nuw {a:?} to i{to}");
        assert_eq!(a.trunc_loses_signed(to), !fits_signed(to, &s), "trunc nsw {a:?} to i{to}");
        for lo in [0, (w - to) / 2, w - to] {
            let piece = reduce(to, &div_floor(&u, &pow2(lo)));
            assert_eq!(a.extract(lo, to), piece, "{a:?} extract {lo}, i{to}");
        }
        if to < w {
            assert_eq!(a.extract(to, w - to).concat(a.trunc(to)), a, "{a:?} split at {to} and put together");
        }
    }
    let ones = reduce(w, &(pow2(to.min(w)) - 1));
    assert_eq!(Int::low_ones(w, to), ones, "i{w} low_ones {to}");
}

fn check_arithmetic(a: Int, b: Int) {
    let w = a.width();
    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    let overflows = |u: &BigInt, s: &BigInt| (!fits_unsigned(w, u), !fits_signed(w, s));

    let (u, s) = (&ua + &ub, &sa + &sb);
    let got = (a.add_overflows_unsigned(b), a.add_overflows_signed(b));
    assert_eq!((a.add(b), got), (reduce(w, &u), overflows(&u, &s)), "{a:?} add {b:?}");
    assert_eq!(
        (a.uadd_sat(b), a.sadd_sat(b)),
        (clamp_unsigned(w, u), clamp_signed(w, s)),
        "{a:?} add.sat {b:?}"
    );

    let (u, s) = (&ua - &ub, &sa - &sb);
    let got = (a.sub_overflows_unsigned(b), a.sub_overflows_signed(b));
    assert_eq!((a.sub(b), got), (reduce(w, &u), overflows(&u, &s)), "{a:?} sub {b:?}");
    assert_eq!(
        (a.usub_sat(b), a.ssub_sat(b)),
        (clamp_unsigned(w, u), clamp_signed(w, s)),
        "{a:?} sub.sat {b:?}"
    );

    let (u, s) = (&ua * &ub, &sa * &sb);
    let got = (a.mul_overflows_unsigned(b), a.mul_overflows_signed(b));
    assert_eq!((a.mul(b), got), (reduce(w, &u), overflows(&u, &s)), "{a:?} mul {b:?}");
    let high = |product: &BigInt| reduce(w, &div_floor(product, &pow2(w)));
    assert_eq!((a.mulhi_unsigned(b), a.mulhi_signed(b)), (high(&u), high(&s)), "{a:?} mulhi {b:?}");
}

fn check_division(a: Int, b: Int) {
    let w = a.width();
    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    let unsigned_verdict = if ub.is_zero() { Err(DivisionError::ZeroDivisor) } else { Ok(()) };
    assert_eq!(a.check_unsigned_division(b), unsigned_verdict, "{a:?} by {b:?}");
    if unsigned_verdict.is_err() {
        assert_eq!(a.check_signed_division(b), unsigned_verdict, "{a:?} by {b:?}");
        assert_eq!((a.udiv(b), a.urem(b), a.sdiv(b), a.srem(b)), (None, None, None, None), "{a:?} by {b:?}");
        assert!(!a.udiv_is_exact(b) && !a.sdiv_is_exact(b), "{a:?} by {b:?}");
        return;
    }
    // Like LLVM, num-bigint truncates quotients towards zero and gives remainders the dividend's sign. To avoid relying
    // on that, the remainder is also checked against its defining properties.
    let (quotient, remainder) = (&ua / &ub, &ua % &ub);
    assert!(!remainder.is_negative() && remainder < ub && &quotient * &ub + &remainder == ua);
    let got = (a.udiv(b), a.urem(b), a.udiv_is_exact(b));
    let want = (Some(reduce(w, &quotient)), Some(reduce(w, &remainder)), remainder.is_zero());
    assert_eq!(got, want, "{a:?} udiv, urem {b:?}");

    let (quotient, remainder) = (&sa / &sb, &sa % &sb);
    assert!(remainder.abs() < sb.abs() && &quotient * &sb + &remainder == sa);
    assert!(remainder.is_zero() || remainder.is_negative() == sa.is_negative());
    let got = (a.check_signed_division(b), a.sdiv(b), a.srem(b), a.sdiv_is_exact(b));
    let want = if fits_signed(w, &quotient) {
        (Ok(()), Some(reduce(w, &quotient)), Some(reduce(w, &remainder)), remainder.is_zero())
    } else {
        (Err(DivisionError::SignedOverflow), None, None, false)
    };
    assert_eq!(got, want, "{a:?} sdiv, srem {b:?}");
}

fn check_shifts(a: Int, b: Int) {
    let w = a.width();
    let (ua, sa) = (unsigned(a), signed(a));
    let Some(by) = unsigned(b).to_u32().filter(|by| *by < w) else {
        assert_eq!((a.shl(b), a.lshr(b), a.ashr(b)), (None, None, None), "{a:?} shifted by {b:?}");
        assert_eq!((a.ushl_sat(b), a.sshl_sat(b)), (None, None), "{a:?} shl.sat {b:?}");
        assert!(a.shl_loses_unsigned(b) && a.shl_loses_signed(b), "{a:?} shl {b:?}");
        assert!(!a.lshr_is_exact(b) && !a.ashr_is_exact(b), "{a:?} exact shift by {b:?}");
        return;
    };
    let factor = pow2(by);
    let (u, s) = (&ua * &factor, &sa * &factor);
    let got = (a.shl(b), a.shl_loses_unsigned(b), a.shl_loses_signed(b));
    assert_eq!(got, (Some(reduce(w, &u)), !fits_unsigned(w, &u), !fits_signed(w, &s)), "{a:?} shl {b:?}");
    let want = (Some(clamp_unsigned(w, u)), Some(clamp_signed(w, s)));
    assert_eq!((a.ushl_sat(b), a.sshl_sat(b)), want, "{a:?} shl.sat {b:?}");
    assert_eq!(a.lshr(b), Some(reduce(w, &div_floor(&ua, &factor))), "{a:?} lshr {b:?}");
    assert_eq!(a.ashr(b), Some(reduce(w, &div_floor(&sa, &factor))), "{a:?} ashr {b:?}");
    let exact = modulo(&ua, &factor).is_zero();
    assert_eq!((a.lshr_is_exact(b), a.ashr_is_exact(b)), (exact, exact), "{a:?} exact shift by {b:?}");
}

fn check_logic_and_order(a: Int, b: Int) {
    let (da, db) = (digits(a), digits(b));
    let each = |op: fn(bool, bool) -> bool| {
        from_digits(&da.iter().zip(&db).map(|(x, y)| op(*x, *y)).collect::<Vec<_>>())
    };
    assert_eq!(a.and(b), each(|x, y| x && y), "{a:?} and {b:?}");
    assert_eq!(a.or(b), each(|x, y| x || y), "{a:?} or {b:?}");
    assert_eq!(a.xor(b), each(|x, y| x != y), "{a:?} xor {b:?}");
    assert_eq!(a.is_disjoint(b), !da.iter().zip(&db).any(|(x, y)| *x && *y), "{a:?} disjoint {b:?}");

    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    assert_eq!((a.ucmp(b), a.scmp(b)), (ua.cmp(&ub), sa.cmp(&sb)), "{a:?} cmp {b:?}");
    assert_eq!(
        (a.ult(b), a.ule(b), a.ugt(b), a.uge(b)),
        (ua < ub, ua <= ub, ua > ub, ua >= ub),
        "{a:?} icmp u {b:?}"
    );
    assert_eq!(
        (a.slt(b), a.sle(b), a.sgt(b), a.sge(b)),
        (sa < sb, sa <= sb, sa > sb, sa >= sb),
        "{a:?} icmp s {b:?}"
    );
    assert_eq!(unsigned(a.umin(b)), ua.clone().min(ub.clone()), "{a:?} umin {b:?}");
    assert_eq!(unsigned(a.umax(b)), ua.max(ub), "{a:?} umax {b:?}");
    assert_eq!(signed(a.smin(b)), sa.clone().min(sb.clone()), "{a:?} smin {b:?}");
    assert_eq!(signed(a.smax(b)), sa.max(sb), "{a:?} smax {b:?}");
    assert_eq!(a == b, da == db, "{a:?} == {b:?}");
}

fn check_two(a: Int, b: Int) {
    check_arithmetic(a, b);
    check_division(a, b);
    check_shifts(a, b);
    check_logic_and_order(a, b);
}

/// `high:low` is one integer of twice the width; the funnel shifts shift it and extract one half.
fn check_funnel(high: Int, low: Int, amount: Int) {
    let w = high.width();
    let joined = unsigned(high) * pow2(w) + unsigned(low);
    let by = (unsigned(amount) % w).to_u32().expect("below the width");
    let left = reduce(w, &div_floor(&(&joined * pow2(by)), &pow2(w)));
    assert_eq!(high.fshl(low, amount), left, "fshl {high:?}, {low:?}, {amount:?}");
    let right = reduce(w, &div_floor(&joined, &pow2(by)));
    assert_eq!(high.fshr(low, amount), right, "fshr {high:?}, {low:?}, {amount:?}");
}

/// Rotation as a rotation of the array of bits.
fn check_rotate(a: Int, amount: Int) {
    let by = (unsigned(amount) % a.width()).to_usize().expect("below the width");
    let mut bits = digits(a);
    bits.rotate_right(by); // the array has the least significant bit first
    assert_eq!(a.rotl(amount), from_digits(&bits), "{a:?} rotl {amount:?}");
    let mut bits = digits(a);
    bits.rotate_left(by);
    assert_eq!(a.rotr(amount), from_digits(&bits), "{a:?} rotr {amount:?}");
}

fn all(width: u32) -> impl Iterator<Item = Int> {
    (0..1u128 << width).map(move |bits| Int::new(width, bits))
}

#[test]
fn constants_at_every_width() {
    for w in 1..=Int::MAX_WIDTH {
        let equal = |got: Int, value: BigInt| assert_eq!((got.width(), unsigned(got)), (w, value));
        equal(Int::zero(w), BigInt::zero());
        equal(Int::one(w), BigInt::one());
        equal(Int::all_ones(w), pow2(w) - 1);
        equal(Int::unsigned_max(w), pow2(w) - 1);
        equal(Int::signed_min(w), pow2(w - 1));
        equal(Int::signed_max(w), pow2(w - 1) - 1);
        equal(Int::new(w, u128::MAX), pow2(w) - 1);
        equal(Int::from_i128(w, i128::MIN), modulo(&-pow2(127), &pow2(w)));
        equal(Int::from_ordering(w, Ordering::Less), pow2(w) - 1);
        equal(Int::from_ordering(w, Ordering::Equal), BigInt::zero());
        equal(Int::from_ordering(w, Ordering::Greater), BigInt::one());
    }
    assert_eq!((Int::bool(false), Int::bool(true)), (Int::zero(1), Int::one(1)));
}

#[test]
fn widths_out_of_range_panic() {
    for width in [0, 129, 256, u32::MAX] {
        assert!(std::panic::catch_unwind(|| Int::new(width, 0)).is_err(), "i{width}");
    }
    let concat = || Int::zero(65).concat(Int::zero(64));
    assert!(std::panic::catch_unwind(concat).is_err(), "i129 by concat");
}

#[test]
fn exhaustive_one_operand() {
    for w in 1..=8 {
        for a in all(w) {
            check_one(a);
            for to in 1..=10 {
                check_width(a, to);
            }
        }
    }
}

#[test]
fn exhaustive_two_operands() {
    for w in 1..=8 {
        for a in all(w) {
            for b in all(w) {
                check_two(a, b);
            }
        }
    }
}

#[test]
fn exhaustive_concat_and_rotate() {
    for w in 1..=8 {
        for a in all(w) {
            for b in all(w) {
                check_rotate(a, b);
            }
            for low in (1..=if w <= 4 { 8 } else { 4 }).flat_map(all) {
                let joined = unsigned(a) * pow2(low.width()) + unsigned(low);
                assert_eq!(a.concat(low), reduce(w + low.width(), &joined), "{a:?} concat {low:?}");
            }
        }
    }
}

#[test]
fn exhaustive_three_operands() {
    for w in 1..=5 {
        for a in all(w) {
            for b in all(w) {
                for c in all(w) {
                    check_funnel(a, b, c);
                }
            }
        }
    }
}

/// The same at six to eight bits in machine words, exhaustively: 19 million cases.
#[test]
fn exhaustive_three_operands_in_words() {
    for w in 6u32..=8 {
        let modulus = 1u32 << w;
        for high in 0..modulus {
            for low in 0..modulus {
                let whole = high << w | low;
                for amount in 0..modulus {
                    let [a, b, c] = [high, low, amount].map(|x| Int::new(w, x.into()));
                    let by = amount % w;
                    let (left, right) = (whole << by >> w & (modulus - 1), whole >> by & (modulus - 1));
                    assert!(a.fshl(b, c).bits() == left.into(), "fshl {a:?} {b:?} {c:?}");
                    assert!(a.fshr(b, c).bits() == right.into(), "fshr {a:?} {b:?} {c:?}");
                }
            }
        }
    }
}

/// Bit patterns biased towards values at which arithmetic changes its behavior: near 0, near powers of two (including
/// the bounds of the ranges, and products that barely fit or barely overflow), small shift amounts.
fn pattern() -> impl Strategy<Value = u128> {
    let near = |center: u128| (-3i128..=3).prop_map(move |offset| center.wrapping_add_signed(offset));
    prop_oneof![
        3 => any::<u128>(),
        1 => near(0),
        2 => (0u32..128).prop_flat_map(move |i| near(1 << i)),
        1 => (0u32..128).prop_flat_map(move |i| near((1u128 << i).wrapping_neg())),
        2 => 0u128..=130,
        1 => (any::<u128>(), 0u32..128).prop_map(|(bits, by)| bits >> by),
    ]
}

fn width() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..=Int::MAX_WIDTH, 1 => prop::sample::select(vec![8, 16, 32, 63, 64, 65, 127, 128])]
}

fn ints<const N: usize>() -> impl Strategy<Value = [Int; N]> {
    (width(), prop::array::uniform::<_, N>(pattern()))
        .prop_map(|(w, patterns)| patterns.map(|bits| Int::new(w, bits)))
}

proptest! {
    #![proptest_config(backedge_testkit::kept(8192))]

    #[test]
    fn random_one_operand([a] in ints::<1>(), to in width()) {
        check_one(a);
        check_width(a, to);
    }

    #[test]
    fn random_two_operands([a, b] in ints::<2>()) {
        check_two(a, b);
        check_rotate(a, b);
    }

    /// Pairs whose product is close to a bound of the range, which random pairs of wide operands never are.
    #[test]
    fn random_products_at_the_border([a] in ints::<1>(), offset in -2i32..=2, signed_border: bool, negate: bool) {
        let w = a.width();
        prop_assume!(!a.is_zero());
        let border = pow2(if signed_border { w - 1 } else { w });
        let factor = div_floor(&border, &unsigned(a)) + offset;
        let b = reduce(w, &factor);
        check_arithmetic(a, if negate { b.neg() } else { b });
        check_division(reduce(w, &(unsigned(a) * factor)), a);
    }

    #[test]
    fn random_three_operands([a, b, c] in ints::<3>()) {
        check_funnel(a, b, c);
    }
}
