//! Laws of ranges and known bits at all widths, including those too wide for enumeration: the concrete result on
//! members is a member of the abstract result. Earlier failures are stored next to this file and run first.

use crate::concrete::{concrete, flag_sets, holds};
use backedge_analysis::range::{ConstantRange, Prefer, exact_icmp_region};
use backedge_ir::inst::BinaryOp;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use proptest::prelude::*;

const WIDTHS: [u32; 13] = [1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 128];

/// Numbers that are often near a limit, to be truncated to a width.
fn bits() -> impl Strategy<Value = (u8, u8, u128)> {
    (any::<u8>(), any::<u8>(), any::<u128>())
}

fn int(width: u32, (which, off, any): (u8, u8, u128)) -> Int {
    let off = Int::from_i128(width, i128::from(off % 5) - 2);
    match which % 6 {
        0 => off,
        1 => Int::signed_max(width).add(off),
        2 => Int::all_ones(width).add(off),
        3 => Int::new(width, any % 256),
        4 => Int::low_ones(width, u32::from(which) % width).add(off),
        _ => Int::new(width, any),
    }
}

/// A range, and a member of it.
#[derive(Copy, Clone, Debug)]
struct Member {
    range: ConstantRange,
    value: Int,
}

fn member(width: u32, [lower, upper, at]: [(u8, u8, u128); 3]) -> Member {
    let (lower, upper) = (int(width, lower), int(width, upper));
    let range = ConstantRange::new(lower, upper).unwrap_or_else(|| ConstantRange::full(width));
    let range = if range.is_empty() { ConstantRange::full(width) } else { range };
    // The first, the last, or a value in between.
    let most = range.size_less_one().unwrap_or(0);
    let steps = match at.0 % 4 {
        0 => 0,
        1 => most,
        _ if most == u128::MAX => at.2,
        _ => at.2 % (most + 1),
    };
    let first = if range.is_full() { Int::zero(width) } else { lower };
    Member { range, value: first.add(Int::new(width, steps)) }
}

fn members<const N: usize>() -> impl Strategy<Value = [Member; N]> {
    let three = prop::array::uniform3(bits());
    (prop::sample::select(&WIDTHS[..]), prop::array::uniform::<_, N>(three))
        .prop_map(|(width, all)| all.map(|of| member(width, of)))
}

proptest! {
    #![proptest_config(backedge_testkit::kept(4000))]

    #[test]
    fn members_are_members([a] in members::<1>()) {
        let Member { range, value } = a;
        prop_assert!(range.contains(value), "{range} {value:?}");
        prop_assert!(!range.inverse().contains(value));
        prop_assert!(range.unsigned_min().is_some_and(|m| m.ule(value)));
        prop_assert!(range.unsigned_max().is_some_and(|m| m.uge(value)));
        prop_assert!(range.signed_min().is_some_and(|m| m.sle(value)));
        prop_assert!(range.signed_max().is_some_and(|m| m.sge(value)));
        let known = range.known_bits();
        prop_assert!(known.contains(value), "{range} {value:?}");
        for signed in [false, true] {
            prop_assert!(ConstantRange::from_known_bits(known, signed).contains(value));
        }
        prop_assert!(range.meet_known_bits(known).contains(value));
        if let Some((pred, limit)) = range.as_icmp() {
            prop_assert!(holds(pred, value, limit), "{range} {pred:?} {limit:?}");
        }
    }

    #[test]
    fn sets_are_sets([a, b] in members::<2>()) {
        let (x, y) = (a.range, b.range);
        for prefer in [Prefer::Smallest, Prefer::Unsigned, Prefer::Signed] {
            let (union, both) = (x.union_with(y, prefer), x.intersect_with(y, prefer));
            prop_assert!(union.contains(a.value) && union.contains(b.value), "{x} {y} {union}");
            for value in [a.value, b.value] {
                prop_assert!(!(x.contains(value) && y.contains(value)) || both.contains(value), "{x} {y} {both}");
                prop_assert!(x.contains(value) != x.inverse().contains(value));
            }
        }
        prop_assert_eq!(x.contains_range(x), true);
        prop_assert!(!x.contains_range(y) || x.contains(b.value));
    }

    #[test]
    fn results_are_members([a, b] in members::<2>(), op in prop::sample::select(BinaryOp::ALL)) {
        for flags in flag_sets(op) {
            if let Some(value) = concrete(op, flags, a.value, b.value) {
                let result = ConstantRange::binary(op, flags, a.range, b.range);
                prop_assert!(result.contains(value), "{op:?} {flags:?} {} {} is {result}, not {value:?}", a.range, b.range);
            }
        }
        let (x, y, r, s) = (a.value, b.value, a.range, b.range);
        prop_assert!(r.umin(s).contains(x.umin(y)) && r.umax(s).contains(x.umax(y)));
        prop_assert!(r.smin(s).contains(x.smin(y)) && r.smax(s).contains(x.smax(y)));
        prop_assert!(r.uadd_sat(s).contains(x.uadd_sat(y)) && r.usub_sat(s).contains(x.usub_sat(y)));
        prop_assert!(r.sadd_sat(s).contains(x.sadd_sat(y)) && r.ssub_sat(s).contains(x.ssub_sat(y)));
        prop_assert!(r.abs(false).contains(x.abs()) && r.ctpop().contains(x.ctpop()));
    }

    #[test]
    fn conversions_are_members([a] in members::<1>(), to in prop::sample::select(&WIDTHS[..])) {
        let Member { range, value } = a;
        if to > value.width() {
            prop_assert!(range.zext(to, false).contains(value.zext(to)));
            prop_assert!(range.sext(to).contains(value.sext(to)));
            prop_assert!(value.is_negative() || range.zext(to, true).contains(value.zext(to)));
        } else if to < value.width() {
            let cut = value.trunc(to);
            prop_assert!(range.trunc(to, false, false).contains(cut));
            prop_assert!(value.trunc_loses_unsigned(to) || range.trunc(to, true, false).contains(cut));
            prop_assert!(value.trunc_loses_signed(to) || range.trunc(to, false, true).contains(cut));
        }
    }

    #[test]
    fn comparisons_are_decided_rightly([a, b] in members::<2>(), pred in prop::sample::select(IntPredicate::ALL)) {
        let truth = holds(pred, a.value, b.value);
        prop_assert!(a.range.icmp(pred, b.range).is_none_or(|decided| decided == truth));
        prop_assert!(!truth || ConstantRange::allowed_region(pred, b.range).contains(a.value));
        let satisfying = ConstantRange::satisfying_region(pred, b.range);
        prop_assert!(truth || !satisfying.contains(a.value), "{pred:?} {} {satisfying}", b.range);
        prop_assert_eq!(exact_icmp_region(pred, b.value).contains(a.value), truth);
    }
}
