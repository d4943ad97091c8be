//! Known bits against their definition: for all sets of known bits at small widths, the results of the concrete
//! operation on all members must lie in the abstract result. For operations documented as optimal, the abstract result
//! must be the best known bits of those results.

use crate::concrete::{concrete, flag_sets, holds};
use backedge_analysis::known_bits::KnownBits;
use backedge_ir::inst::{BinaryFlags, BinaryOp};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;

/// All sets of known bits of a width, without contradictions.
fn all(width: u32) -> Vec<KnownBits> {
    let values = || (0..1u128 << width).map(move |v| Int::new(width, v));
    values()
        .flat_map(|zero| values().map(move |one| KnownBits { zero, one }))
        .filter(|k| !k.is_contradiction())
        .collect()
}

fn members(known: KnownBits) -> Vec<Int> {
    let width = known.width();
    (0..1u128 << width).map(|v| Int::new(width, v)).filter(|v| known.contains(*v)).collect()
}

fn best(width: u32, results: impl Iterator<Item = Int>) -> KnownBits {
    results.fold(KnownBits::contradiction(width), |known, v| known.join(KnownBits::constant(v)))
}

/// Counts for one operation.
#[derive(Default, Debug)]
struct Tally {
    cases: u64,
    optimal: u64,
}

impl Tally {
    /// Judges the abstract result of one case.
    fn judge(&mut self, name: &str, abstracted: KnownBits, best: KnownBits, operands: &[KnownBits]) {
        assert!(
            best.implies(abstracted),
            "{name} {operands:?}: {abstracted} does not hold, the best is {best}"
        );
        self.cases += 1;
        self.optimal += u64::from(abstracted == best);
    }
    /// Prints the precision of the operation; `required` is the claimed percentage of optimal results.
    fn close(&self, name: &str, required: u64) {
        println!("{name}: {} cases, {} optimal", self.cases, self.optimal);
        assert!(
            self.optimal * 100 >= self.cases * required,
            "{name}: fewer than {required} % are optimal: {self:?}"
        );
    }
}

/// Claimed percentages of optimal results, over all pairs at widths 1 to 4.
fn claimed(op: BinaryOp, flags: BinaryFlags) -> u64 {
    let plain = flags == BinaryFlags::default();
    match op {
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => 100,
        BinaryOp::Add | BinaryOp::Sub if plain || flags.nuw != flags.nsw => 100,
        BinaryOp::Mul if plain => 95,
        BinaryOp::SDiv if plain => 90,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::SRem => 80,
        BinaryOp::Mul | BinaryOp::UDiv if !flags.exact => 79,
        BinaryOp::URem => 70,
        BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv => 52,
    }
}

#[test]
fn binary_operations() {
    for &op in BinaryOp::ALL {
        for flags in flag_sets(op) {
            let name = format!("{} {flags:?}", op.name());
            let mut tally = Tally::default();
            for width in 1..=4 {
                let all: Vec<_> = all(width).into_iter().map(|k| (k, members(k))).collect();
                for (a, in_a) in &all {
                    for (b, in_b) in &all {
                        let results = in_a.iter().flat_map(|x| in_b.iter().map(|y| (*x, *y)));
                        let best = best(width, results.filter_map(|(x, y)| concrete(op, flags, x, y)));
                        tally.judge(&name, KnownBits::binary(op, flags, *a, *b), best, &[*a, *b]);
                    }
                }
            }
            tally.close(&name, claimed(op, flags));
        }
    }
}

type Two = (&'static str, u64, fn(KnownBits, KnownBits) -> KnownBits, fn(Int, Int) -> Option<Int>);

#[test]
fn functions_of_two() {
    let table: [Two; 8] = [
        ("umin", 100, KnownBits::umin, |a, b| Some(a.umin(b))),
        ("umax", 100, KnownBits::umax, |a, b| Some(a.umax(b))),
        ("smin", 100, KnownBits::smin, |a, b| Some(a.smin(b))),
        ("smax", 100, KnownBits::smax, |a, b| Some(a.smax(b))),
        ("uadd.sat", 80, KnownBits::uadd_sat, |a, b| Some(a.uadd_sat(b))),
        ("usub.sat", 80, KnownBits::usub_sat, |a, b| Some(a.usub_sat(b))),
        ("sadd.sat", 80, KnownBits::sadd_sat, |a, b| Some(a.sadd_sat(b))),
        ("ssub.sat", 80, KnownBits::ssub_sat, |a, b| Some(a.ssub_sat(b))),
    ];
    for (name, claimed, abstracted, concrete) in table {
        let mut tally = Tally::default();
        for width in 1..=4 {
            let all: Vec<_> = all(width).into_iter().map(|k| (k, members(k))).collect();
            for (a, in_a) in &all {
                for (b, in_b) in &all {
                    let results = in_a.iter().flat_map(|x| in_b.iter().map(|y| (*x, *y)));
                    let best = best(width, results.filter_map(|(x, y)| concrete(x, y)));
                    tally.judge(name, abstracted(*a, *b), best, &[*a, *b]);
                }
            }
        }
        tally.close(name, claimed);
    }
}

type One = (&'static str, u64, fn(KnownBits) -> KnownBits, fn(Int) -> Option<Int>);

#[test]
fn functions_of_one() {
    let table: [One; 9] = [
        ("neg", 100, KnownBits::neg, |a| Some(a.neg())),
        ("abs", 100, |a| a.abs(false), |a| Some(a.abs())),
        ("abs poison", 92, |a| a.abs(true), |a| (!a.is_smin()).then(|| a.abs())),
        ("ctpop", 100, KnownBits::ctpop, |a| Some(a.ctpop())),
        ("ctlz", 100, |a| a.ctlz(false), |a| Some(a.ctlz())),
        ("cttz", 100, |a| a.cttz(false), |a| Some(a.cttz())),
        ("ctlz poison", 100, |a| a.ctlz(true), |a| (!a.is_zero()).then(|| a.ctlz())),
        ("cttz poison", 100, |a| a.cttz(true), |a| (!a.is_zero()).then(|| a.cttz())),
        ("bitreverse", 100, KnownBits::bitreverse, |a| Some(a.bitreverse())),
    ];
    for (name, claimed, abstracted, concrete) in table {
        let mut tally = Tally::default();
        for width in 1..=6 {
            for a in all(width) {
                let best = best(width, members(a).into_iter().filter_map(concrete));
                tally.judge(name, abstracted(a), best, &[a]);
            }
        }
        tally.close(name, claimed);
    }
}

#[test]
fn casts() {
    let mut tally = Tally::default();
    for from in 1..=5 {
        for a in all(from) {
            let values = members(a);
            for to in 1..=from {
                for (nuw, nsw) in [(false, false), (true, false), (false, true), (true, true)] {
                    let bad =
                        |v: &&Int| !(nuw && v.trunc_loses_unsigned(to) || nsw && v.trunc_loses_signed(to));
                    let best = best(to, values.iter().filter(bad).map(|v| v.trunc(to)));
                    tally.judge("trunc", a.trunc(to, nuw, nsw), best, &[a]);
                }
            }
            for to in from..=7 {
                for nneg in [false, true] {
                    let kept = values.iter().filter(|v| !(nneg && v.is_negative()));
                    tally.judge("zext", a.zext(to, nneg), best(to, kept.map(|v| v.zext(to))), &[a]);
                }
                tally.judge("sext", a.sext(to), best(to, values.iter().map(|v| v.sext(to))), &[a]);
            }
        }
    }
    tally.close("casts", 100);
}

#[test]
fn funnel_shifts() {
    for (name, abstracted, concrete) in [
        ("fshl", KnownBits::fshl as fn(_, _, _) -> _, Int::fshl as fn(Int, Int, Int) -> Int),
        ("fshr", KnownBits::fshr, Int::fshr),
    ] {
        let mut tally = Tally::default();
        for width in 1..=3 {
            let all: Vec<_> = all(width).into_iter().map(|k| (k, members(k))).collect();
            for (a, in_a) in &all {
                for (b, in_b) in &all {
                    for (c, in_c) in &all {
                        let results = in_a.iter().flat_map(|x| {
                            in_b.iter().flat_map(move |y| in_c.iter().map(move |z| concrete(*x, *y, *z)))
                        });
                        tally.judge(name, abstracted(*a, *b, *c), best(width, results), &[*a, *b, *c]);
                    }
                }
            }
        }
        tally.close(name, 85);
    }
}

/// At the widths of `bswap`: sets with few unknown bits, and all their members.
#[test]
fn byte_swaps() {
    for seed in 0..2000u128 {
        let mixed = |n: u128| Int::new(16, (seed + n).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(17));
        let unknown = mixed(1).and(mixed(50)).and(mixed(900));
        let one = mixed(7).and(unknown.not());
        let known = KnownBits { zero: one.not().and(unknown.not()), one };
        let swapped = best(16, members(known).into_iter().map(|v| v.bswap().expect("16 bits")));
        assert_eq!(known.bswap(), swapped);
    }
}

#[test]
fn intervals_and_comparisons() {
    for width in 1..=4 {
        let values: Vec<Int> = (0..1u128 << width).map(|v| Int::new(width, v)).collect();
        for a in all(width) {
            let members = members(a);
            for min in &values {
                let least = members.iter().copied().filter(|m| m.uge(*min)).min_by(|x, y| x.ucmp(*y));
                assert_eq!(a.least_at_least(*min), least, "{a} at least {min}");
                let greatest = members.iter().copied().filter(|m| m.ule(*min)).max_by(|x, y| x.ucmp(*y));
                assert_eq!(a.greatest_at_most(*min), greatest, "{a} at most {min}");
                for max in &values {
                    let kept = members.iter().copied();
                    let unsigned = best(width, kept.clone().filter(|v| v.uge(*min) && v.ule(*max)));
                    assert_eq!(a.clamp_unsigned(*min, *max), unsigned, "{a} in [{min}, {max}]");
                    let signed = best(width, kept.filter(|v| v.sge(*min) && v.sle(*max)));
                    assert_eq!(a.clamp_signed(*min, *max), signed, "{a} in [{min}, {max}]");
                }
            }
            assert_eq!(a.unsigned_min(), *members.iter().min_by(|x, y| x.ucmp(**y)).expect("a member"));
            assert_eq!(a.unsigned_max(), *members.iter().max_by(|x, y| x.ucmp(**y)).expect("a member"));
            assert_eq!(a.signed_min(), *members.iter().min_by(|x, y| x.scmp(**y)).expect("a member"));
            assert_eq!(a.signed_max(), *members.iter().max_by(|x, y| x.scmp(**y)).expect("a member"));
        }
        comparisons(width);
    }
}

fn comparisons(width: u32) {
    let all: Vec<_> = all(width).into_iter().map(|k| (k, members(k))).collect();
    for &pred in IntPredicate::ALL {
        for (a, in_a) in &all {
            for (b, in_b) in &all {
                let mut seen = [false; 2];
                for x in in_a {
                    in_b.iter().for_each(|y| seen[usize::from(holds(pred, *x, *y))] = true);
                }
                let exact = if seen == [true, true] { None } else { Some(seen[1]) };
                assert_eq!(a.icmp(pred, *b), exact, "{a} {pred:?} {b}");
            }
        }
    }
}
