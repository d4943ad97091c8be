//! Laws of constant folding at all widths, against exact integers: a result is the exact one reduced to the width,
//! and poison or UB exactly where LangRef says so. Past failures are stored next to this file and tried first.

use backedge_ir::inst::{BinaryFlags, BinaryOp, CastFlags, CastOp, InstKind};
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use backedge_ir::types::Type;
use backedge_transform::fold::{Outcome, fold, outcome};
use num_bigint::BigInt;
use proptest::prelude::*;

const WIDTHS: [u32; 13] = [1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 65, 128];

/// An integer, near a limit as often as not.
fn int(width: u32, (which, off, any): (u8, u8, u128)) -> Int {
    let off = Int::from_i128(width, i128::from(off % 5) - 2);
    match which % 5 {
        0 => off,
        1 => Int::signed_max(width).add(off),
        2 => Int::all_ones(width).add(off),
        3 => Int::new(width, any % 256),
        _ => Int::new(width, any),
    }
}

fn ints<const N: usize>() -> impl Strategy<Value = [Int; N]> {
    let bits = (any::<u8>(), any::<u8>(), any::<u128>());
    (prop::sample::select(&WIDTHS[..]), prop::array::uniform::<_, N>(bits))
        .prop_map(|(width, all)| all.map(|of| int(width, of)))
}

fn unsigned(a: Int) -> BigInt {
    a.bits().into()
}
fn signed(a: Int) -> BigInt {
    a.signed().into()
}
fn fits_unsigned(width: u32, value: &BigInt) -> bool {
    *value >= BigInt::ZERO && *value < BigInt::from(1) << width
}
fn fits_signed(width: u32, value: &BigInt) -> bool {
    let half = BigInt::from(1) << (width - 1);
    *value >= -half.clone() && *value < half
}
fn reduced(width: u32, value: &BigInt) -> Int {
    let modulus = BigInt::from(1) << width;
    let rest = ((value % &modulus) + &modulus) % &modulus;
    Int::new(width, u128::try_from(rest).expect("at most 128 bits"))
}

/// The result according to LangRef, computed from exact results of the unsigned and signed values.
fn by_definition(op: BinaryOp, flags: BinaryFlags, a: Int, b: Int) -> Outcome {
    let width = a.width();
    let (ua, ub, sa, sb) = (unsigned(a), unsigned(b), signed(a), signed(b));
    let flagged = |of_unsigned: &BigInt, of_signed: &BigInt| {
        let poison =
            flags.nuw && !fits_unsigned(width, of_unsigned) || flags.nsw && !fits_signed(width, of_signed);
        if poison { Outcome::Poison } else { Outcome::Int(reduced(width, of_unsigned)) }
    };
    let exactly = |poison: bool, value: &BigInt| {
        if flags.exact && poison { Outcome::Poison } else { Outcome::Int(reduced(width, value)) }
    };
    let amount = u32::try_from(b.bits()).ok().filter(|n| *n < width);
    match op {
        BinaryOp::Add => flagged(&(ua + ub), &(sa + sb)),
        BinaryOp::Sub => flagged(&(ua - ub), &(sa - sb)),
        BinaryOp::Mul => flagged(&(ua * ub), &(sa * sb)),
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem if b.is_zero() => {
            Outcome::Undefined
        }
        BinaryOp::UDiv => exactly(&ua % &ub != BigInt::ZERO, &(&ua / &ub)),
        BinaryOp::URem => Outcome::Int(reduced(width, &(ua % ub))),
        BinaryOp::SDiv | BinaryOp::SRem if !fits_signed(width, &(&sa / &sb)) => Outcome::Undefined,
        BinaryOp::SDiv => exactly(&sa % &sb != BigInt::ZERO, &(&sa / &sb)),
        BinaryOp::SRem => Outcome::Int(reduced(width, &(sa % sb))),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let Some(amount) = amount else { return Outcome::Poison };
            let lost = &ua % (BigInt::from(1) << amount) != BigInt::ZERO;
            match op {
                BinaryOp::Shl => flagged(&(ua << amount), &(sa << amount)),
                BinaryOp::LShr => exactly(lost, &(ua >> amount)),
                _ => exactly(lost, &(sa >> amount)),
            }
        }
        BinaryOp::And => Outcome::Int(reduced(width, &(ua & ub))),
        BinaryOp::Or if flags.disjoint && &ua & &ub != BigInt::ZERO => Outcome::Poison,
        BinaryOp::Or => Outcome::Int(reduced(width, &(ua | ub))),
        BinaryOp::Xor => Outcome::Int(reduced(width, &(ua ^ ub))),
    }
}

proptest! {
    #![proptest_config(backedge_testkit::kept(6000))]

    #[test]
    fn arithmetic([a, b] in ints::<2>(), op in prop::sample::select(BinaryOp::ALL), given in any::<[bool; 4]>()) {
        let (wrap, exact, disjoint) = op.allowed_flags();
        let flags = BinaryFlags {
            nuw: wrap && given[0],
            nsw: wrap && given[1],
            exact: exact && given[2],
            disjoint: disjoint && given[3],
        };
        let (kind, ty) = (InstKind::Binary(op, flags), Type::int(a.width()));
        let found = outcome(&kind, ty, &[a, b]);
        prop_assert_eq!(found, Some(by_definition(op, flags, a, b)), "{:?} {:?}", op, flags);
        let value = if let Some(Outcome::Int(value)) = found { Some(value) } else { None };
        prop_assert_eq!(fold(&kind, ty, &[a, b]), value);
        if op.is_commutative() {
            prop_assert_eq!(outcome(&kind, ty, &[b, a]), found);
        }
    }

    #[test]
    fn comparisons([a, b] in ints::<2>(), pred in prop::sample::select(IntPredicate::ALL), samesign in any::<bool>()) {
        let order = if pred.is_signed() { signed(a).cmp(&signed(b)) } else { unsigned(a).cmp(&unsigned(b)) };
        let name = pred.name();
        let holds = match &name[name.len() - 2..] {
            "eq" => order.is_eq(),
            "ne" => order.is_ne(),
            "gt" => order.is_gt(),
            "ge" => order.is_ge(),
            "lt" => order.is_lt(),
            _ => order.is_le(),
        };
        let expected = if samesign && a.is_negative() != b.is_negative() {
            Outcome::Poison
        } else {
            Outcome::Int(Int::bool(holds))
        };
        let kind = |pred, samesign| InstKind::ICmp { pred, samesign };
        prop_assert_eq!(outcome(&kind(pred, samesign), Type::I1, &[a, b]), Some(expected));
        let truth = |pred: IntPredicate, of: [Int; 2]| fold(&kind(pred, false), Type::I1, &of);
        prop_assert_eq!(truth(pred.swapped(), [b, a]), truth(pred, [a, b]));
        prop_assert_ne!(truth(pred.inverse(), [a, b]), truth(pred, [a, b]));
    }

    #[test]
    fn conversions([a] in ints::<1>(), to in prop::sample::select(&WIDTHS[..]), given in any::<[bool; 3]>()) {
        let flags = |nneg, nuw, nsw| CastFlags { nneg, nuw, nsw, ..CastFlags::default() };
        let of = |op, flags| outcome(&InstKind::Cast(op, flags), Type::int(to), &[a]);
        if to > a.width() {
            let poison = given[0] && a.is_negative();
            let wide = if poison { Outcome::Poison } else { Outcome::Int(reduced(to, &unsigned(a))) };
            prop_assert_eq!(of(CastOp::ZExt, flags(given[0], false, false)), Some(wide));
            let wide = Outcome::Int(reduced(to, &signed(a)));
            prop_assert_eq!(of(CastOp::SExt, flags(false, false, false)), Some(wide));
        } else if to < a.width() {
            let poison = given[1] && !fits_unsigned(to, &unsigned(a)) || given[2] && !fits_signed(to, &signed(a));
            let cut = if poison { Outcome::Poison } else { Outcome::Int(reduced(to, &unsigned(a))) };
            prop_assert_eq!(of(CastOp::Trunc, flags(false, given[1], given[2])), Some(cut));
        }
    }
}
