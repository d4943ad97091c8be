//! Ranges and divisors of random expressions hold for their values, for all leaves of three bits.

use crate::common::bodies::Text;
use crate::common::eval::{Point, evaluate, flags_hold};
use backedge_analysis::LoopId;
use backedge_ir::inst::Value;
use backedge_ir::int::Int;
use backedge_ir::opcode::IntPredicate;
use backedge_scev::{Expr, Flags, NAry, Node, ScalarEvolution};
use backedge_testkit::Dice;
use rand::RngExt;
use rand::seq::IndexedRandom;

const LOOP: &str = "define void @f(i3 %a, i3 range(i3 1, -3) %b, i3 %c) {
entry:
  br label %header
header:
  br i1 poison, label %header, label %exit
exit:
  ret void
}";

/// The leaves of an execution: three arguments and the iteration.
type Leaves = ([u128; 3], u128);

struct Maker<'r> {
    dice: &'r mut Dice,
    /// The flags with which expressions were created; they are premises.
    given: Vec<(Expr, Flags)>,
    l: LoopId,
}

impl Maker<'_> {
    fn leaf(&mut self, se: &mut ScalarEvolution<'_>) -> Expr {
        let args: Vec<Value> = se.body().args().map(Value::Arg).collect();
        match self.dice.random_range(0..4) {
            3 => se.int(3, self.dice.random_range(0..8)),
            i => se.unknown(args[i]),
        }
    }
    fn flags(&mut self) -> Flags {
        if self.dice.random_bool(0.5) {
            return Flags::NONE;
        }
        *[Flags::NUW, Flags::NSW, Flags::BOTH].choose(self.dice).expect("three")
    }
    /// A sum; flags are given to it only if it is the sum of exactly these two operands.
    fn flagged_sum(&mut self, se: &mut ScalarEvolution<'_>, a: Expr, b: Expr) -> Expr {
        let (plain, flags) = (se.add(&[a, b]), self.flags());
        let is_sum = |e: Expr| matches!(se.node(e), Node::NAry(NAry::Add, _));
        let as_given = matches!(se.node(plain), Node::NAry(NAry::Add, of) if of.len() == 2);
        if as_given && !is_sum(a) && !is_sum(b) {
            self.given.push((plain, flags));
            return se.add_flagged(&[a, b], flags);
        }
        plain
    }
    /// A random expression, invariant in the loop if requested.
    fn expr(&mut self, se: &mut ScalarEvolution<'_>, depth: u32, invariant: bool) -> Expr {
        if depth == 0 {
            return self.leaf(se);
        }
        let a = self.expr(se, depth - 1, invariant);
        let b = self.expr(se, depth - 1, invariant);
        match self.dice.random_range(0..16) {
            0..3 => self.flagged_sum(se, a, b),
            3..5 => se.mul(&[a, b]),
            5 => se.sub(a, b),
            6 => se.udiv(a, b),
            7 => se.urem(a, b),
            8 => se.min_max(NAry::UMax, &[a, b]),
            9 => se.min_max(NAry::UMin, &[a, b]),
            10 => se.min_max(NAry::SMax, &[a, b]),
            11 => se.min_max(NAry::SMin, &[a, b]),
            12 => {
                let wide = se.zext(a, 5);
                let other = se.sext(b, 5);
                let sum = se.add(&[wide, other]);
                se.trunc(sum, 3)
            }
            13 => se.min_max(NAry::UMinSeq, &[a, b]),
            _ if !invariant => {
                let (start, step) = (self.expr(se, depth - 1, true), self.expr(se, depth - 1, true));
                let flags = self.flags();
                // Flags of an expression that folded to another one would be about the other one.
                let plain = se.add_rec(self.l, &[start, step]);
                if matches!(se.node(plain), Node::AddRec(_, of) if *of == [start, step]) {
                    self.given.push((plain, flags));
                    se.add_rec_flagged(self.l, &[start, step], flags)
                } else {
                    plain
                }
            }
            _ => a,
        }
    }
}

fn leaves() -> impl Iterator<Item = Leaves> {
    let args = (0..8).flat_map(|a| (1..5).flat_map(move |b| (0..8).map(move |c| [a, b, c])));
    args.flat_map(|args| (0..10).map(move |n| (args, n)))
}

/// Calls `check` at all points at which the given flags hold.
fn at_all_points(
    se: &ScalarEvolution<'_>,
    given: &[(Expr, Flags)],
    mut check: impl FnMut(&Point<'_>, &Leaves),
) {
    for leaves in leaves() {
        let value = |v: Value| match v {
            Value::Arg(arg) => {
                let index = se.body().args().position(|a| a == arg)?;
                Some(leaves.0[index])
            }
            Value::Const(_) | Value::Inst(_) => None,
        };
        let point = Point { value: &value, iteration: &|_| leaves.1 };
        if given.iter().all(|(e, flags)| flags_hold(se, *e, *flags, &point) != Some(false)) {
            check(&point, &leaves);
        }
    }
}

fn with_random(seeds: std::ops::Range<u64>, mut test: impl FnMut(&mut ScalarEvolution<'_>, &mut Maker<'_>)) {
    let text = Text::new(LOOP);
    for seed in seeds {
        let mut dice = Dice::new(seed);
        text.with(|se| {
            let l = se.loops().ids().next().expect("a loop");
            test(se, &mut Maker { dice: &mut dice, given: Vec::new(), l });
        });
    }
}

#[test]
fn values_lie_in_ranges() {
    with_random(0..600, |se, maker| {
        let depth = maker.dice.random_range(1..4);
        let expr = maker.expr(se, depth, false);
        let (unsigned, signed) = (se.unsigned_range(expr), se.signed_range(expr));
        let multiple = se.constant_multiple(expr);
        assert!(!unsigned.is_empty() && !signed.is_empty());
        at_all_points(se, &maker.given, |point, leaves| {
            let Some(bits) = evaluate(se, expr, point) else { return };
            let value = Int::new(se.width(expr), bits);
            let node = se.node(expr);
            assert!(unsigned.contains(value), "{value:?} not in {unsigned} at {leaves:?}: {node:?}");
            assert!(signed.contains(value), "{value:?} not in {signed} at {leaves:?}: {node:?}");
            let divides = if multiple.is_zero() { bits == 0 } else { bits % multiple.bits() == 0 };
            assert!(divides, "{value:?} is no multiple of {multiple:?} at {leaves:?}: {node:?}");
        });
    });
}

#[test]
fn known_predicates_hold() {
    let preds = [
        IntPredicate::Eq,
        IntPredicate::Ne,
        IntPredicate::Ult,
        IntPredicate::Ule,
        IntPredicate::Sgt,
        IntPredicate::Sge,
        IntPredicate::Slt,
        IntPredicate::Ugt,
    ];
    let mut known = 0;
    with_random(0..500, |se, maker| {
        let left = maker.expr(se, 2, false);
        let right = match maker.dice.random_range(0..3) {
            // Operands related to the left side have known comparisons more often.
            0 => {
                let other = maker.expr(se, 1, false);
                se.min_max(NAry::UMax, &[left, other])
            }
            1 => {
                let more = maker.leaf(se);
                maker.flagged_sum(se, left, more)
            }
            _ => maker.expr(se, 2, false),
        };
        for pred in preds {
            let Some(truth) = se.evaluate(pred, left, right) else { continue };
            known += 1;
            at_all_points(se, &maker.given, |point, leaves| {
                let (Some(a), Some(b)) = (evaluate(se, left, point), evaluate(se, right, point)) else {
                    return;
                };
                let width = se.width(left);
                assert_eq!(
                    pred.holds(Int::new(width, a), Int::new(width, b)),
                    truth,
                    "{a} {} {b} at {leaves:?}: {:?} {:?}",
                    pred.name(),
                    se.node(left),
                    se.node(right)
                );
            });
        }
    });
    assert!(known > 400, "only {known} predicates were known");
}
