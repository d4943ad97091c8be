//! Constant ranges against their definition: for all ranges at small widths, the results of the concrete operation on
//! all members must lie in the abstract result. Counts how often the result is the smallest possible range, and
//! requires the shares claimed here.

use crate::concrete::{concrete, flag_sets, holds};
use backedge_analysis::known_bits::KnownBits;
use backedge_analysis::range::{ConstantRange, Overflow, Prefer, exact_icmp_region};
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// A set of integers of at most 7 bits: bit `v` is set if `v` is a member.
type Set = u128;

fn values(width: u32) -> impl Iterator<Item = Int> + Clone {
    (0..1u128 << width).map(move |v| Int::new(width, v))
}

fn all(width: u32) -> Vec<(ConstantRange, Set)> {
    let proper = values(width).flat_map(|a| values(width).filter_map(move |b| ConstantRange::new(a, b)));
    let ranges = proper.chain([ConstantRange::empty(width), ConstantRange::full(width)]);
    ranges.map(|r| (r, set_of(r))).collect()
}

fn set_of(range: ConstantRange) -> Set {
    values(range.width()).filter(|v| range.contains(*v)).map(|v| 1 << v.bits()).sum()
}

/// The number of values in the smallest range that contains all members of a set of width `width`.
fn smallest(width: u32, set: Set) -> u32 {
    let size = 1u32 << width;
    if set == 0 {
        return 0;
    }
    let (mut gap, mut widest) = (0, 0);
    for i in 0..2 * size {
        gap = if set >> (i % size) & 1 == 0 { gap + 1 } else { 0 };
        widest = widest.max(gap);
    }
    size - widest
}

#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    optimal: u64,
}

impl Tally {
    fn judge(&mut self, name: &str, result: ConstantRange, exact: Set, operands: &[ConstantRange]) {
        let set = set_of(result);
        assert!(exact & !set == 0, "{name} {operands:?}: {result} misses {:#x}", exact & !set);
        self.cases += 1;
        self.optimal += u64::from(set.count_ones() == smallest(result.width(), exact));
    }
    fn close(&self, name: &str, required: u64) {
        println!("{name}: {} cases, {} optimal", self.cases, self.optimal);
        assert!(self.optimal * 100 >= self.cases * required, "{name}: {self:?}, claimed are {required} %");
    }
}

/// Judges an operation on all pairs of ranges at widths 1 to `most`.
fn binary(
    name: &str,
    most: u32,
    required: u64,
    abstracted: impl Fn(ConstantRange, ConstantRange) -> ConstantRange,
    concrete: impl Fn(Int, Int) -> Option<Int>,
) {
    let mut tally = Tally::default();
    for width in 1..=most {
        let all = all(width);
        // The set of results for each left value and right range.
        let rows: Vec<Vec<Set>> = values(width)
            .map(|x| {
                let result = |y: Int| concrete(x, y).map_or(0, |r| 1u128 << r.bits());
                let row = |set: &Set| {
                    values(width).filter(|y| set >> y.bits() & 1 == 1).fold(0, |s, y| s | result(y))
                };
                all.iter().map(|(_, set)| row(set)).collect()
            })
            .collect();
        for (a, in_a) in &all {
            for (i, (b, _)) in all.iter().enumerate() {
                let members = rows.iter().enumerate().filter(|(x, _)| in_a >> x & 1 == 1);
                let exact = members.fold(0, |s, (_, row)| s | row[i]);
                tally.judge(name, abstracted(*a, *b), exact, &[*a, *b]);
            }
        }
    }
    tally.close(name, required);
}

#[test]
fn binary_operations() {
    for &op in BinaryOp::ALL {
        for flags in flag_sets(op) {
            let one = flags.nuw != flags.nsw;
            let plain = flags == BinaryFlags::default();
            let claimed = match op {
                BinaryOp::Add | BinaryOp::Sub if plain || one => 100,
                BinaryOp::And => 100,
                BinaryOp::Or if plain => 100,
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor => 97,
                BinaryOp::LShr | BinaryOp::AShr => 100,
                BinaryOp::Shl => 72,
                BinaryOp::SDiv if plain => 94,
                BinaryOp::Or | BinaryOp::UDiv if plain || flags.disjoint => 83,
                BinaryOp::URem | BinaryOp::SRem | BinaryOp::SDiv => 70,
                BinaryOp::Mul => 43,
                BinaryOp::Or | BinaryOp::UDiv => 38,
            };
            let name = format!("{} {flags:?}", op.name());
            let abstracted = |a, b| ConstantRange::binary(op, flags, a, b);
            binary(&name, 4, claimed, abstracted, |a, b| concrete(op, flags, a, b));
        }
    }
}

type Two = (&'static str, fn(ConstantRange, ConstantRange) -> ConstantRange, fn(Int, Int) -> Int);

#[test]
fn functions_of_two() {
    let table: [Two; 8] = [
        ("umin", ConstantRange::umin, Int::umin),
        ("umax", ConstantRange::umax, Int::umax),
        ("smin", ConstantRange::smin, Int::smin),
        ("smax", ConstantRange::smax, Int::smax),
        ("uadd.sat", ConstantRange::uadd_sat, Int::uadd_sat),
        ("usub.sat", ConstantRange::usub_sat, Int::usub_sat),
        ("sadd.sat", ConstantRange::sadd_sat, Int::sadd_sat),
        ("ssub.sat", ConstantRange::ssub_sat, Int::ssub_sat),
    ];
    for (name, abstracted, concrete) in table {
        binary(name, 4, 100, abstracted, |a, b| Some(concrete(a, b)));
    }
}

type One = (&'static str, u64, fn(ConstantRange) -> ConstantRange, fn(Int) -> Option<Int>);

#[test]
fn functions_of_one() {
    let table: [One; 8] = [
        ("neg", 100, ConstantRange::neg, |a| Some(a.neg())),
        ("abs", 100, |a| a.abs(false), |a| Some(a.abs())),
        ("abs poison", 100, |a| a.abs(true), |a| (!a.is_smin()).then(|| a.abs())),
        ("ctpop", 100, ConstantRange::ctpop, |a| Some(a.ctpop())),
        ("ctlz", 100, |a| a.ctlz(false), |a| Some(a.ctlz())),
        ("cttz", 100, |a| a.cttz(false), |a| Some(a.cttz())),
        ("ctlz poison", 100, |a| a.ctlz(true), |a| (!a.is_zero()).then(|| a.ctlz())),
        ("cttz poison", 100, |a| a.cttz(true), |a| (!a.is_zero()).then(|| a.cttz())),
    ];
    for (name, claimed, abstracted, concrete) in table {
        let mut tally = Tally::default();
        for width in 1..=6 {
            for (a, set) in all(width) {
                let members = values(width).filter(|v| set >> v.bits() & 1 == 1);
                let exact = members.filter_map(concrete).fold(0, |s, r| s | 1 << r.bits());
                tally.judge(name, abstracted(a), exact, &[a]);
            }
        }
        tally.close(name, claimed);
    }
}

#[test]
fn casts() {
    let mut tally = Tally::default();
    for from in 1..=5 {
        for (a, set) in all(from) {
            let members = || values(from).filter(|v| set >> v.bits() & 1 == 1);
            let set_of = |results: &mut dyn Iterator<Item = Int>| results.fold(0, |s, r| s | 1 << r.bits());
            for to in 1..=from {
                for (nuw, nsw) in [(false, false), (true, false), (false, true)] {
                    let kept =
                        |v: &Int| !(nuw && v.trunc_loses_unsigned(to) || nsw && v.trunc_loses_signed(to));
                    let exact = set_of(&mut members().filter(kept).map(|v| v.trunc(to)));
                    tally.judge("trunc", a.trunc(to, nuw, nsw), exact, &[a]);
                }
            }
            for to in from..=7 {
                for nneg in [false, true] {
                    let kept = |v: &Int| !(nneg && v.is_negative());
                    let exact = set_of(&mut members().filter(kept).map(|v| v.zext(to)));
                    tally.judge("zext", a.zext(to, nneg), exact, &[a]);
                }
                tally.judge("sext", a.sext(to), set_of(&mut members().map(|v| v.sext(to))), &[a]);
            }
        }
    }
    tally.close("casts", 99);
}

#[test]
fn unions_and_intersections() {
    let (mut union, mut intersection) = (Tally::default(), Tally::default());
    for width in 1..=4 {
        for (a, in_a) in all(width) {
            assert_eq!(set_of(a.inverse()), !in_a & set_of(ConstantRange::full(width)));
            for (b, in_b) in all(width) {
                union.judge("union", a.union(b), in_a | in_b, &[a, b]);
                intersection.judge("intersection", a.intersect(b), in_a & in_b, &[a, b]);
                let signed = (Int::signed_min(width), Int::signed_max(width));
                let unsigned = (Int::zero(width), Int::all_ones(width));
                for (prefer, ends, wraps) in [
                    (Prefer::Unsigned, unsigned, ConstantRange::is_wrapped as fn(_) -> bool),
                    (Prefer::Signed, signed, ConstantRange::is_sign_wrapped),
                ] {
                    let mut sound = Tally::default();
                    let got = a.union_with(b, prefer);
                    sound.judge("union", got, in_a | in_b, &[a, b]);
                    sound.judge("intersection", a.intersect_with(b, prefer), in_a & in_b, &[a, b]);
                    let both_flat = !wraps(a) && !wraps(b);
                    // The cover that does not wrap may be the full set; then there is no preferred result.
                    let full = [a, b].iter().any(|r| r.contains(ends.0))
                        && [a, b].iter().any(|r| r.contains(ends.1));
                    assert!(!both_flat || full || !wraps(got), "{a} and {b}: {got} wraps, {prefer:?}");
                }
                assert_eq!(a.contains_range(b), in_b & !in_a == 0, "{a} contains {b}");
            }
        }
    }
    union.close("union", 100);
    intersection.close("intersection", 100);
}

#[test]
fn bounds_and_known_bits() {
    let mut tally = Tally::default();
    for width in 1..=5 {
        for (a, set) in all(width) {
            let members = || values(width).filter(|v| set >> v.bits() & 1 == 1);
            assert_eq!(a.unsigned_min(), members().min_by(|x, y| x.ucmp(*y)), "{a}");
            assert_eq!(a.unsigned_max(), members().max_by(|x, y| x.ucmp(*y)), "{a}");
            assert_eq!(a.signed_min(), members().min_by(|x, y| x.scmp(*y)), "{a}");
            assert_eq!(a.signed_max(), members().max_by(|x, y| x.scmp(*y)), "{a}");
            let none = KnownBits::contradiction(width);
            let best = members().fold(none, |k, v| k.join(KnownBits::constant(v)));
            assert_eq!(a.known_bits(), best, "{a}");
            if width > 3 {
                continue;
            }
            for known in values(width).flat_map(|z| values(width).map(move |o| KnownBits { zero: z, one: o }))
            {
                if !known.is_contradiction() {
                    let exact = members().filter(|v| known.contains(*v)).fold(0, |s, v| s | 1 << v.bits());
                    tally.judge("meet of known bits", a.meet_known_bits(known), exact, &[a]);
                    for signed in [false, true] {
                        let from = ConstantRange::from_known_bits(known, signed);
                        assert!(values(width).all(|v| !known.contains(v) || from.contains(v)));
                    }
                }
            }
        }
    }
    tally.close("meet of known bits", 100);
}

#[test]
fn comparisons_and_regions() {
    for width in 1..=4 {
        let all = all(width);
        for &pred in IntPredicate::ALL {
            for c in values(width) {
                let region = exact_icmp_region(pred, c);
                assert!(values(width).all(|v| region.contains(v) == holds(pred, v, c)), "{pred:?} {c}");
            }
            for (b, in_b) in &all {
                let ys = || values(width).filter(|v| in_b >> v.bits() & 1 == 1);
                let allowed = ConstantRange::allowed_region(pred, *b);
                let satisfying = ConstantRange::satisfying_region(pred, *b);
                for x in values(width) {
                    let some = ys().any(|y| holds(pred, x, y));
                    assert!(!some || allowed.contains(x), "{pred:?} {b} allows {x}");
                    let every = ys().all(|y| holds(pred, x, y));
                    assert!(every || !satisfying.contains(x), "{pred:?} {b}: {x} does not satisfy");
                }
                for (a, in_a) in &all {
                    let mut seen = [false; 2];
                    for x in values(width).filter(|v| in_a >> v.bits() & 1 == 1) {
                        ys().for_each(|y| seen[usize::from(holds(pred, x, y))] = true);
                    }
                    let exact = if seen[0] != seen[1] { Some(seen[1]) } else { None };
                    assert_eq!(a.icmp(pred, *b), exact, "{a} {pred:?} {b}");
                }
            }
        }
        for (a, set) in &all {
            if let Some((pred, c)) = a.as_icmp() {
                let said: Set = values(width).filter(|v| holds(pred, *v, c)).map(|v| 1 << v.bits()).sum();
                assert_eq!(said, *set, "{a} as {pred:?} {c}");
            }
        }
    }
}

#[test]
fn overflow_and_no_wrap_regions() {
    let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Shl];
    for width in 1..=4 {
        let all = all(width);
        for op in ops {
            for signed in [false, true] {
                let flags = BinaryFlags { nuw: !signed, nsw: signed, ..BinaryFlags::default() };
                for (b, in_b) in &all {
                    let ys = || values(width).filter(|v| in_b >> v.bits() & 1 == 1);
                    let region = ConstantRange::guaranteed_no_wrap_region(op, *b, signed);
                    for x in values(width).filter(|x| region.contains(*x)) {
                        let wraps = ys().any(|y| {
                            // A too large shift amount yields poison with or without the flag.
                            concrete(op, BinaryFlags::default(), x, y).is_some()
                                && concrete(op, flags, x, y).is_none()
                        });
                        assert!(!wraps, "{op:?} signed {signed}: {x} wraps with {b}");
                    }
                    if op == BinaryOp::Add || op == BinaryOp::Sub {
                        let exact =
                            values(width).filter(|x| ys().all(|y| concrete(op, flags, *x, y).is_some()));
                        assert_eq!(exact.count() as u32, set_of(region).count_ones(), "{op:?} {signed} {b}");
                    }
                }
                if op != BinaryOp::Shl {
                    overflow(op, signed, flags, &all);
                }
            }
        }
    }
}

fn overflow(op: BinaryOp, signed: bool, flags: BinaryFlags, all: &[(ConstantRange, Set)]) {
    for (a, in_a) in all {
        for (b, in_b) in all {
            let width = a.width();
            let said = if signed { a.signed_overflow(op, *b) } else { a.unsigned_overflow(op, *b) };
            for x in values(width).filter(|v| in_a >> v.bits() & 1 == 1) {
                for y in values(width).filter(|v| in_b >> v.bits() & 1 == 1) {
                    let overflows = concrete(op, flags, x, y).is_none();
                    let holds = match said {
                        Overflow::Maybe => true,
                        Overflow::Never => !overflows,
                        Overflow::AlwaysHigh | Overflow::AlwaysLow => overflows,
                    };
                    assert!(holds, "{op:?} signed {signed}: {x} and {y} of {a} and {b}, said is {said:?}");
                }
            }
        }
    }
}
