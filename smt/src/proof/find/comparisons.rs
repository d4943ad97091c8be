//! Candidate comparisons and remainders: order relations of columns with each other and with constants.

use crate::proof::find::columns::Column;
use crate::proof::find::steering::Compared;
use crate::proof::lang::fact::{Bound, Fact, Linear, Order, Owner, Reading};
use crate::proof::lang::number::{mask, signed};
use backedge_ir::body::Body;
use backedge_ir::inst::{InstKind, Value};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Limit on the columns of one width that are compared pair by pair.
const MANY_COMPARED: usize = 12;

/// Remainders of single numbers and of differences by small powers of two.
pub(in crate::proof) fn remainders(columns: &[Column], basis: &[usize]) -> Vec<Fact> {
    let mut facts = Vec::new();
    let fits = |c: &Column| c.width >= 4 && c.part.reading != Reading::Block;
    let own: Vec<&Column> = basis.iter().map(|b| &columns[*b]).filter(|c| fits(c)).collect();
    for (i, column) in own.iter().enumerate() {
        let width = column.width;
        let powers = [4, 3, 2, 1];
        let same = |values: &dyn Fn(usize) -> u128| {
            powers.into_iter().find_map(|power| {
                let rest = values(0) & mask(power);
                let all = (0..column.values.len()).all(|n| values(n) & mask(power) == rest);
                all.then_some((power, rest))
            })
        };
        if column.values.iter().all(|v| *v == column.values[0]) {
            continue;
        }
        if let Some((power, rest)) = same(&|n| column.values[n])
            && column.part.atom.owner != Owner::Argument
        {
            let factor = 1 << (width - power);
            let summands = vec![(factor, SmallVec::from_slice(&[column.part]))];
            let constant = rest.wrapping_mul(factor).wrapping_neg() & mask(width);
            facts.push(Fact::Linear(Linear { width, summands, constant }));
        }
        for other in own[..i].iter().filter(|c| c.width == width) {
            let values = |n: usize| column.values[n].wrapping_sub(other.values[n]);
            if let Some((power, rest)) = same(&values) {
                let factor = 1u128 << (width - power);
                let mut linear = Linear::shifted(width, column.part, other.part, rest);
                for summand in &mut linear.summands {
                    summand.0 = summand.0.wrapping_mul(factor) & mask(width);
                }
                linear.constant = linear.constant.wrapping_mul(factor) & mask(width);
                facts.push(Fact::Linear(linear));
            }
        }
    }
    facts
}

/// Comparisons of numbers with each other and with 0, 1 and 2. Strict ones come with their weaker forms: what holds in
/// samples may not be kept by steps. With `compared`, only of those with each other that it names.
pub(in crate::proof) fn comparisons(
    columns: &[Column],
    basis: &[usize],
    compared: Option<&Compared>,
) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut widths: Vec<u32> = basis.iter().map(|b| columns[*b].width).filter(|w| *w > 1).collect();
    widths.sort_unstable();
    widths.dedup();
    for width in widths {
        let usable = |c: &&Column| c.width == width && c.part.reading != Reading::Block;
        let mut own: Vec<&Column> = basis.iter().map(|b| &columns[*b]).filter(usable).collect();
        own.sort_by_key(|c| (!c.leaf, c.part.atom.owner == Owner::Argument));
        own.truncate(MANY_COMPARED);
        for a in &own {
            let number = |n: u128| vec![n; a.values.len()];
            if a.part.atom.owner != Owner::Argument {
                for n in [0, 1, 2] {
                    add_orders(
                        &mut facts,
                        width,
                        (Bound::Number(n), &number(n)),
                        (Bound::Part(a.part), &a.values),
                    );
                }
                add_orders(
                    &mut facts,
                    width,
                    (Bound::Part(a.part), &a.values),
                    (Bound::Number(0), &number(0)),
                );
            }
            for b in own.iter().filter(|b| b.part != a.part) {
                let arguments = [a, b].iter().filter(|c| c.part.atom.owner == Owner::Argument).count();
                if arguments < 2 && compared.is_none_or(|c| c.has(a.part.atom, b.part.atom)) {
                    let sides = ((Bound::Part(a.part), &a.values), (Bound::Part(b.part), &b.values));
                    add_orders(&mut facts, width, sides.0, sides.1);
                }
            }
        }
    }
    facts
}
/// The numbers that integers are compared with, by their width: where loops end.
pub(in crate::proof) fn tested(bodies: &[&Body]) -> BTreeSet<(u32, u128)> {
    let of = |body: &Body| -> Vec<(u32, u128)> {
        let compares = body.all_insts().map(|inst| body.inst(inst));
        let compares = compares.filter(|data| matches!(data.kind, InstKind::ICmp { .. }));
        let constants = compares.flat_map(|data| data.operands.iter()).filter_map(|value| match value {
            Value::Const(id) => body.consts().as_int(*id),
            Value::Inst(_) | Value::Arg(_) => None,
        });
        constants.filter(|n| n.width() <= 64).map(|n| (n.width(), n.bits())).collect()
    };
    bodies.iter().flat_map(|body| of(body)).filter(|(_, number)| *number > 2).collect()
}
/// Comparisons of numbers of the state with numbers that something is compared with: runs seldom come to the end of a
/// loop that makes a constant number of rounds.
pub(in crate::proof) fn bounds(
    columns: &[Column],
    basis: &[usize],
    tested: &BTreeSet<(u32, u128)>,
) -> Vec<Fact> {
    /// Limit on the constants that one column is compared with: each gives a candidate fact.
    const MANY: usize = 6;
    let mut facts = Vec::new();
    let own = basis.iter().map(|b| &columns[*b]);
    let varies = |c: &&Column| c.values.iter().any(|v| *v != c.values[0]);
    for column in own.filter(|c| c.leaf && c.part.atom.owner != Owner::Argument).filter(varies) {
        let numbers = tested.range((column.width, 0)..=(column.width, u128::MAX));
        for (_, number) in numbers.take(MANY) {
            let constant = (Bound::Number(*number), &vec![*number; column.values.len()]);
            let part = (Bound::Part(column.part), &column.values);
            add_orders(&mut facts, column.width, part, constant);
            add_orders(&mut facts, column.width, constant, part);
        }
    }
    facts
}
fn add_orders(
    facts: &mut Vec<Fact>,
    width: u32,
    (left, a): (Bound, &Vec<u128>),
    (right, b): (Bound, &Vec<u128>),
) {
    let all = |holds: &dyn Fn(u128, u128) -> bool| a.iter().zip(b).all(|(x, y)| holds(*x, *y));
    let mut add = |order| facts.push(Fact::Compare { width, order, left, right });
    let s = |x: u128| signed(x, width);
    // From 1 or 2 on is above 0 or 1, and not 0 is above 0: these are asked about already.
    let said = matches!(left, Bound::Number(1 | 2));
    if all(&|x, y| x <= y) {
        if left != Bound::Number(0) && !said {
            add(Order::Ule);
        }
        if all(&|x, y| x < y) {
            add(Order::Ult);
        }
    }
    if all(&|x, y| s(x) <= s(y)) {
        if !said {
            add(Order::Sle);
        }
        if all(&|x, y| s(x) < s(y)) {
            add(Order::Slt);
        }
    }
    let from_zero = left == Bound::Number(0) || right == Bound::Number(0);
    if left < right && !from_zero && all(&|x, y| x != y) {
        add(Order::Ne);
    }
}
