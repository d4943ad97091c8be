//! Divisions, poison and undef: the new code neither traps nor is more poisonous than the old one; otherwise there is
//! an obstacle.

use super::{NEST, check, end, inst, leaf, obstacle};
use crate::common::bodies::Text;
use backedge_scev::expand::{Divisions, MinMax, Obstacle, Options};
use backedge_scev::{NAry, ScalarEvolution};

#[test]
fn divisions() {
    let by = |divisor: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let (a, d) = (leaf(se, "a"), leaf(se, divisor));
            (se.udiv(a, d), inst(se, "i.next"))
        }
    };
    check(
        NEST,
        Options::default(),
        by("b"),
        &[
            "pre: %0 = icmp ugt i8 %b, 1",
            "pre: %1 = select i1 %0, i8 %b, i8 1",
            "pre: %2 = udiv i8 %a, %1",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
    check(
        NEST,
        Options::default(),
        by("p"),
        &[
            "pre: %0 = freeze i8 %p",
            "pre: %1 = icmp ugt i8 %0, 1",
            "pre: %2 = select i1 %1, i8 %0, i8 1",
            "pre: %3 = udiv i8 %a, %2",
            "loop: %expanded = bitcast i8 %3 to i8",
        ],
    );
    let certain = Options { divisions: Divisions::Certain, ..Options::default() };
    assert!(matches!(obstacle(NEST, certain, by("b")), Obstacle::Division(_)));
    let intrinsic = format!("declare i8 @llvm.umax.i8(i8, i8)\n{NEST}");
    check(
        &intrinsic,
        Options::default(),
        by("b"),
        &[
            "pre: %0 = call i8 @llvm.umax.i8(i8 %b, i8 1)",
            "pre: %1 = udiv i8 %a, %0",
            "loop: %expanded = bitcast i8 %1 to i8",
        ],
    );
    // After a branch that implies a nonzero divisor, and where the divisor is nonzero in no block.
    let guarded = "define i8 @f(i8 %a, i8 noundef %b) {
entry:
  %zero = icmp eq i8 %b, 0
  br i1 %zero, label %out, label %pre

pre:
  br label %loop

loop:
  %again = icmp ugt i8 %a, %b
  br i1 %again, label %loop, label %out

out:
  ret i8 0
}";
    let ask = |se: &mut ScalarEvolution<'_>| {
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        (se.udiv(a, b), inst(se, "again"))
    };
    check(guarded, certain, ask, &["pre: %0 = udiv i8 %a, %b", "loop: %expanded = bitcast i8 %0 to i8"]);
    let outside = |se: &mut ScalarEvolution<'_>| (ask(se).0, end(se, "out"));
    assert!(matches!(obstacle(guarded, certain, outside), Obstacle::Division(_)));
}

#[test]
fn poison_and_division_after_a_zero_do_not_matter() {
    let ask = |se: &mut ScalarEvolution<'_>| {
        let (a, p, b) = (leaf(se, "a"), leaf(se, "p"), leaf(se, "b"));
        let seven = se.int(8, 7);
        let quotient = se.udiv(seven, p);
        (se.min_max(NAry::UMinSeq, &[a, quotient, b]), inst(se, "i.next"))
    };
    let intrinsics = format!("declare i8 @llvm.umin.i8(i8, i8)\ndeclare i8 @llvm.umax.i8(i8, i8)\n{NEST}");
    check(
        &intrinsics,
        Options::default(),
        ask,
        &[
            "pre: %0 = freeze i8 %p",
            "pre: %1 = call i8 @llvm.umax.i8(i8 %0, i8 1)",
            "pre: %2 = udiv i8 7, %1",
            "pre: %3 = call i8 @llvm.umin.i8(i8 %2, i8 %b)",
            "pre: %4 = call i8 @llvm.umin.i8(i8 %a, i8 %3)",
            "loop: %expanded = bitcast i8 %4 to i8",
        ],
    );
    let poison = |se: &mut ScalarEvolution<'_>| {
        let (a, p) = (leaf(se, "a"), leaf(se, "p"));
        (se.min_max(NAry::UMinSeq, &[a, p]), inst(se, "i.next"))
    };
    check(
        &intrinsics,
        Options::default(),
        poison,
        &[
            "pre: %0 = freeze i8 %p",
            "pre: %1 = call i8 @llvm.umin.i8(i8 %a, i8 %0)",
            "loop: %expanded = bitcast i8 %1 to i8",
        ],
    );
    // Neither a value known not to be poison nor the first operand needs a freeze.
    let first = |se: &mut ScalarEvolution<'_>| {
        let (p, y) = (leaf(se, "p"), leaf(se, "y"));
        (se.min_max(NAry::UMinSeq, &[p, y]), inst(se, "i.next"))
    };
    check(
        &intrinsics,
        Options::default(),
        first,
        &["loop: %0 = call i8 @llvm.umin.i8(i8 %p, i8 %y)", "loop: %expanded = bitcast i8 %0 to i8"],
    );
    let compare = Options { min_max: MinMax::Compare, ..Options::default() };
    check(
        &intrinsics,
        compare,
        poison,
        &[
            "pre: %0 = freeze i8 %p",
            "pre: %1 = icmp ult i8 %a, %0",
            "pre: %2 = select i1 %1, i8 %a, i8 %0",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
}

#[test]
fn results_are_frozen_if_need_be() {
    let frozen = Options { freeze: true, ..Options::default() };
    let of = |names: [&'static str; 2]| {
        move |se: &mut ScalarEvolution<'_>| {
            let (x, y) = (leaf(se, names[0]), leaf(se, names[1]));
            (se.add(&[x, y]), inst(se, "i.next"))
        }
    };
    check(
        NEST,
        frozen,
        of(["a", "p"]),
        &["pre: %0 = add i8 %a, %p", "pre: %1 = freeze i8 %0", "loop: %expanded = bitcast i8 %1 to i8"],
    );
    check(
        NEST,
        frozen,
        of(["a", "b"]),
        &["pre: %0 = add i8 %a, %b", "loop: %expanded = bitcast i8 %0 to i8"],
    );
    // Two uses of an undef could see two values.
    let twice = |se: &mut ScalarEvolution<'_>| {
        let p = leaf(se, "p");
        (se.mul(&[p, p]), inst(se, "i.next"))
    };
    check(
        NEST,
        Options::default(),
        twice,
        &["pre: %0 = freeze i8 %p", "pre: %1 = mul i8 %0, %0", "loop: %expanded = bitcast i8 %1 to i8"],
    );
}

/// A poison `%a + %b` would be divided by, and zero is excluded; but first comes a call that may not return.
const STOPS: &str = "declare i8 @get()
declare void @llvm.assume(i1)
define i8 @f(i8 noundef %a, i8 noundef %b) {
entry:
  %before = add i8 %a, 0
  %k = call noundef i8 @get()
  %s = add nuw i8 %a, %b
  %nonzero = icmp ne i8 %s, 0
  call void @llvm.assume(i1 %nonzero)
  br label %after

after:
  %q = udiv i8 1, %s
  br label %exit

exit:
  ret i8 %k
}";

#[test]
fn nothing_traps_before_a_call_that_may_not_return() {
    let plain = Options { reuse: false, ..Options::default() };
    let sum = |se: &mut ScalarEvolution<'_>| {
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        se.add(&[a, b])
    };
    check(
        STOPS,
        plain,
        |se| (sum(se), inst(se, "k")),
        &["entry: %0 = add i8 %a, %b", "entry: %expanded = bitcast i8 %0 to i8"],
    );
    check(
        STOPS,
        plain,
        |se| (sum(se), end(se, "after")),
        &["after: %0 = add nuw i8 %a, %b", "after: %expanded = bitcast i8 %0 to i8"],
    );
    Text::new(STOPS).with(|se| {
        se.settle();
        let (one, sum) = (se.int(8, 1), sum(se));
        let quotient = se.udiv(one, sum);
        let (before, after) = (inst(se, "k"), end(se, "exit"));
        assert!(!se.is_safe_to_expand_at(quotient, before) && se.is_safe_to_expand_at(quotient, after));
    });
}

/// The remainder uses its operand twice. Both uses see the same undef only if neither is an earlier computed value.
#[test]
fn an_undef_is_not_mixed_with_what_was_computed_from_it() {
    let source = "define i8 @f(i8 %p, i8 noundef %d) {
entry:
  %eighth.p = lshr i8 %p, 3
  %eighth.d = lshr i8 %d, 3
  br label %behind

behind:
  ret i8 0
}";
    let rest = |name: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let x = leaf(se, name);
            let (eight, minus_eight) = (se.int(8, 8), se.int(8, -8));
            let eighth = se.udiv(x, eight);
            let back = se.mul(&[minus_eight, eighth]);
            (se.add(&[x, back]), end(se, "behind"))
        }
    };
    check(
        source,
        Options::default(),
        rest("d"),
        &[
            "behind: %0 = mul i8 %eighth.d, -8",
            "behind: %1 = add i8 %0, %d",
            "behind: %expanded = bitcast i8 %1 to i8",
        ],
    );
    check(
        source,
        Options::default(),
        rest("p"),
        &[
            "behind: %0 = freeze i8 %p",
            "behind: %1 = lshr i8 %0, 3",
            "behind: %2 = mul i8 %1, -8",
            "behind: %3 = add i8 %2, %0",
            "behind: %expanded = bitcast i8 %3 to i8",
        ],
    );
}
