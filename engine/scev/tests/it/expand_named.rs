//! The expander's code as text: the instructions for an expression, their positions and flags; and obstacles.

use crate::common::bodies::{Text, block, expr, value};
use crate::common::expanded::{expanded, hold_against};
use backedge_ir::entity::Inst;
use backedge_ir::print::function_to_string;
use backedge_scev::expand::{Divisions, MinMax, Obstacle, Options, plan};
use backedge_scev::{Expr, NAry, ScalarEvolution};

/// The terminator of the block called `name`.
fn end(se: &ScalarEvolution<'_>, name: &str) -> Inst {
    se.body().terminator(block(se, name)).expect("a terminator")
}
/// The instruction called `name`.
fn inst(se: &ScalarEvolution<'_>, name: &str) -> Inst {
    value(se, name).as_inst().expect("an instruction")
}

/// Expands the expression that `ask` returns, checks the result by executions, and compares the new lines, each with
/// the label of its block.
fn check(
    source: &str,
    options: Options,
    ask: impl FnOnce(&mut ScalarEvolution<'_>) -> (Expr, Inst),
    expected: &[&str],
) {
    let text = Text::new(source);
    text.with(|se| {
        se.settle();
        let (expr, at) = ask(se);
        let plan = plan(se, expr, at, options).unwrap_or_else(|o| panic!("{o:?}"));
        let (module, _) = expanded(&text, &plan, at);
        let old = function_to_string(&text.module, text.func);
        let new = function_to_string(&module, text.func);
        let mut label = "";
        let mut lines = Vec::new();
        for line in new.lines() {
            if !line.starts_with(' ') {
                label = line.split(':').next().expect("a first part");
            } else if !old.lines().any(|l| l == line) {
                lines.push(format!("{label}: {}", line.trim()));
            }
        }
        assert_eq!(lines, expected, "{new}");
        let seen = hold_against(&text, se, (expr, at), (&plan, options.freeze), (200, 30));
        assert!(seen.equal > 20, "{seen:?}\n{new}");
    });
}
/// The obstacle to expanding the expression that `ask` returns.
fn obstacle(
    source: &str,
    options: Options,
    ask: impl FnOnce(&mut ScalarEvolution<'_>) -> (Expr, Inst),
) -> Obstacle {
    Text::new(source).with(|se| {
        se.settle();
        let (expr, at) = ask(se);
        plan(se, expr, at, options).map(|plan| plan.len()).expect_err("an obstacle")
    })
}

/// The example of *LLVM Loop Opt Ideas*, "SCEV Wrap Flags": `%a + %b` does not wrap in the loop, but may wrap outside.
const GUARDED: &str = "define i1 @f(i8 %a, i8 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

loop:
  %iv = phi i8 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i8 %iv, %b
  %trap = udiv i8 %a, %iv.next
  %ret2 = icmp ult i8 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2

exit1:
  %ret1 = icmp ult i8 %a, %b
  ret i1 false

exit2:
  ret i1 false
}";

#[test]
fn a_scoped_fact_becomes_flags_in_its_scope_only() {
    let sum = |se: &mut ScalarEvolution<'_>| {
        let (a, b) = (value(se, "a"), value(se, "b"));
        let (a, b) = (se.unknown(a), se.unknown(b));
        se.add(&[a, b])
    };
    let plain = Options::default();
    check(
        GUARDED,
        plain,
        |se| (sum(se), end(se, "loop")),
        &["loop: %0 = add nuw nsw i8 %a, %b", "loop: %expanded = bitcast i8 %0 to i8"],
    );
    check(
        GUARDED,
        plain,
        |se| (sum(se), end(se, "exit2")),
        &["exit2: %0 = add nuw nsw i8 %a, %b", "exit2: %expanded = bitcast i8 %0 to i8"],
    );
    check(
        GUARDED,
        plain,
        |se| (sum(se), end(se, "exit1")),
        &["exit1: %0 = add i8 %a, %b", "exit1: %expanded = bitcast i8 %0 to i8"],
    );
}

/// A loop with a preheader; `%x` is loop-invariant, `%y` varies.
const NEST: &str = "declare i8 @get()
define i8 @f(i8 noundef %a, i8 noundef %b, i8 %p, i8 noundef %n) {
entry:
  br label %pre

pre:
  br label %loop

loop:
  %i = phi i8 [ 0, %pre ], [ %i.next, %loop ]
  %y = call noundef i8 @get()
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 0
}";

fn leaf(se: &mut ScalarEvolution<'_>, name: &str) -> Expr {
    let value = value(se, name);
    se.unknown(value)
}

#[test]
fn invariants_are_hoisted_to_the_preheader() {
    let ask = |se: &mut ScalarEvolution<'_>| {
        let (a, b, y) = (leaf(se, "a"), leaf(se, "b"), leaf(se, "y"));
        let n = leaf(se, "n");
        let product = se.mul(&[a, n]);
        (se.add(&[product, y, b]), inst(se, "i.next"))
    };
    check(
        NEST,
        Options::default(),
        ask,
        &[
            "pre: %0 = mul i8 %a, %n",
            "pre: %1 = add i8 %0, %b",
            "loop: %2 = add i8 %1, %y",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
    check(
        NEST,
        Options { hoist: false, ..Options::default() },
        ask,
        &[
            "loop: %0 = mul i8 %a, %n",
            "loop: %1 = add i8 %b, %0",
            "loop: %2 = add i8 %1, %y",
            "loop: %expanded = bitcast i8 %2 to i8",
        ],
    );
}

#[test]
fn recurrences_exist_or_are_created() {
    let l = |se: &ScalarEvolution<'_>| se.loops().with_header(block(se, "loop")).expect("a loop");
    let there = |se: &mut ScalarEvolution<'_>| (expr(se, "i"), end(se, "loop"));
    check(NEST, Options::default(), there, &["loop: %expanded = bitcast i8 %i to i8"]);
    let other = |se: &mut ScalarEvolution<'_>| {
        let (l, a, b) = (l(se), leaf(se, "a"), leaf(se, "b"));
        (se.add_rec(l, &[a, b]), end(se, "loop"))
    };
    check(
        NEST,
        Options::default(),
        other,
        &[
            "loop: %0 = phi i8 [ %a, %pre ], [ %1, %loop ]",
            "loop: %1 = add i8 %0, %b",
            "loop: %expanded = bitcast i8 %0 to i8",
        ],
    );
    let squares = |se: &mut ScalarEvolution<'_>| {
        let (l, a, b) = (l(se), leaf(se, "a"), leaf(se, "b"));
        let two = se.int(8, 2);
        (se.add_rec(l, &[a, b, two]), end(se, "loop"))
    };
    check(
        NEST,
        Options::default(),
        squares,
        &[
            "loop: %0 = phi i8 [ %b, %pre ], [ %2, %loop ]",
            "loop: %1 = phi i8 [ %a, %pre ], [ %3, %loop ]",
            "loop: %2 = add i8 %0, 2",
            "loop: %3 = add i8 %1, %0",
            "loop: %expanded = bitcast i8 %1 to i8",
        ],
    );
    let outside = |se: &mut ScalarEvolution<'_>| (other(se).0, end(se, "exit"));
    let found = obstacle(NEST, Options::default(), outside);
    assert!(matches!(found, Obstacle::OutsideLoop(_)), "{found:?}");
}

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

/// The flags of `%flagged` exceed the known facts; those of `%plain` do not.
const VALUES: &str = "define ptr @f(i8 %a, i8 %b, ptr %q, i64 %o) {
entry:
  %flagged = add nsw i8 %a, 3
  %plain = add i8 %b, 3
  %at = getelementptr inbounds i8, ptr %q, i64 %o
  br label %behind

behind:
  ret ptr %q
}";

#[test]
fn values_are_used_again_if_not_more_poisonous() {
    let of = |name: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let three = se.int(8, 3);
            let x = leaf(se, name);
            (se.add(&[x, three]), end(se, "behind"))
        }
    };
    check(VALUES, Options::default(), of("b"), &["behind: %expanded = bitcast i8 %plain to i8"]);
    check(
        VALUES,
        Options::default(),
        of("a"),
        &["behind: %0 = add i8 %a, 3", "behind: %expanded = bitcast i8 %0 to i8"],
    );
    let text = Text::new(VALUES);
    text.with(|se| {
        let (e, at) = of("b")(se);
        assert!(!se.is_high_cost(e, at, 0));
        let (e, at) = of("a")(se);
        assert!(se.is_high_cost(e, at, 0) && !se.is_high_cost(e, at, 1));
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        let quotient = se.udiv(a, b);
        assert!(!se.is_safe_to_expand_at(quotient, at) && se.is_safe_to_expand_at(e, at));
        let two = se.int(8, 2);
        let half = se.udiv(a, two);
        assert!(se.is_safe_to_expand_at(half, at));
        assert!(se.is_high_cost(quotient, at, 10));
    });
}

/// `%i` increases by 1 through an addition that may overflow; in `%b` the addition of the current iteration did not.
const EARLIER: &str = "define i8 @f(ptr %p, i8 noundef %n) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr i8, ptr %p, i8 %n
  %loaded = load i8, ptr %p, align 1
  %x = freeze i8 %loaded
  %t = add nsw i8 %x, 1
  %one = sub i8 %t, %x
  %i.next = add i8 %i, %one
  %some = icmp ult i8 %x, %n
  br i1 %some, label %b, label %latch

b:
  %d = udiv i8 7, %t
  store i8 %d, ptr %p, align 1
  br label %latch

latch:
  %u = add i8 %x, 77
  store i8 %u, ptr %p, align 1
  %more = icmp ult i8 %u, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 0
}";

#[test]
fn facts_of_this_iteration_do_not_hold_for_earlier_ones() {
    check(
        EARLIER,
        Options::default(),
        |se| {
            let (i, t, at) = (expr(se, "i"), expr(se, "t"), end(se, "b"));
            // The premises: the phi is a recurrence, and the addition does not wrap in that block only.
            assert!(se.arena().as_add_rec(i).is_some());
            assert!(se.flags_at(t, block(se, "b")).nsw() && !se.flags(t).nsw());
            (i, at)
        },
        &[
            "loop: %0 = phi i8 [ 0, %entry ], [ %1, %latch ]",
            "b: %expanded = bitcast i8 %0 to i8",
            "latch: %1 = add i8 %0, 1",
        ],
    );
}

/// Sums with negated values; `%w` is never the signed minimum.
const NEGATED: &str = "define i8 @f(i8 noundef %x, i8 noundef %y, i8 noundef range(i8 -5, 5) %w) {
entry:
  %minus.y = sub i8 0, %y
  %minus.w = sub i8 0, %w
  %sum = add nsw i8 %x, %minus.y
  %safe = add nsw i8 %x, %minus.w
  %a = or i8 %sum, 1
  %b = or i8 %safe, 1
  %q = udiv i8 1, %a
  %r = udiv i8 1, %b
  br label %exit

exit:
  ret i8 0
}";

#[test]
fn subtraction_wraps_where_the_negation_does() {
    let plain = Options { reuse: false, ..Options::default() };
    let known = |name: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let e = expr(se, name);
            assert!(se.flags_at(e, block(se, "exit")).nsw());
            (e, end(se, "exit"))
        }
    };
    // 0 + -(-128) does not wrap after the negation has wrapped, but 0 - -128 does.
    check(
        NEGATED,
        plain,
        known("sum"),
        &["exit: %0 = sub i8 %x, %y", "exit: %expanded = bitcast i8 %0 to i8"],
    );
    check(
        NEGATED,
        plain,
        known("safe"),
        &["exit: %0 = sub nsw i8 %x, %w", "exit: %expanded = bitcast i8 %0 to i8"],
    );
    let both = |name: &'static str| {
        move |se: &mut ScalarEvolution<'_>| {
            let (e, x) = (expr(se, name), leaf(se, "x"));
            let minus = se.neg(x);
            (se.add(&[e, minus, minus]), end(se, "exit"))
        }
    };
    // No term to subtract from: 0 - -128 wraps as well.
    check(
        NEGATED,
        plain,
        both("sum"),
        &["exit: %0 = sub i8 0, %x", "exit: %1 = sub i8 %0, %y", "exit: %expanded = bitcast i8 %1 to i8"],
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

#[test]
fn addresses_are_never_inbounds() {
    let text = Text::new(VALUES);
    text.with(|se| {
        let (address, at) = (expr(se, "at"), end(se, "behind"));
        let plan = plan(se, address, at, Options::default()).expect("a plan");
        let (module, _) = expanded(&text, &plan, at);
        let new = function_to_string(&module, text.func);
        assert!(new.contains("%0 = getelementptr i8, ptr %q, i64 %o"), "{new}");
    });
}

#[test]
fn every_obstacle() {
    let plain = Options::default();
    let early = |se: &mut ScalarEvolution<'_>| (leaf(se, "y"), end(se, "entry"));
    assert!(matches!(obstacle(NEST, plain, early), Obstacle::NotAvailable(_)));
    let late = |se: &mut ScalarEvolution<'_>| (leaf(se, "y"), end(se, "exit"));
    assert!(matches!(obstacle(NEST, plain, late), Obstacle::NotClosed(_)));
    let phi = |se: &mut ScalarEvolution<'_>| (leaf(se, "a"), inst(se, "i"));
    assert!(matches!(obstacle(NEST, plain, phi), Obstacle::Place(_)));
    let unknown = |se: &mut ScalarEvolution<'_>| (se.could_not_compute(), end(se, "loop"));
    assert!(matches!(obstacle(NEST, plain, unknown), Obstacle::NotComputed));
    let small = Options { most_parts: 2, ..plain };
    let sum = |se: &mut ScalarEvolution<'_>| {
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        (se.add(&[a, b]), end(se, "loop"))
    };
    assert!(matches!(obstacle(NEST, small, sum), Obstacle::TooLarge));
    let no_preheader = NEST.replace("br label %pre\n", "switch i8 %n, label %pre [ i8 1, label %loop ]\n");
    let no_preheader = no_preheader.replace("[ 0, %pre ]", "[ 0, %pre ], [ 0, %entry ]");
    let rec = |se: &mut ScalarEvolution<'_>| {
        let l = se.loops().with_header(block(se, "loop")).expect("a loop");
        let (a, b) = (leaf(se, "a"), leaf(se, "b"));
        (se.add_rec(l, &[a, b]), end(se, "loop"))
    };
    assert!(matches!(obstacle(&no_preheader, plain, rec), Obstacle::LoopForm(_)));
    let wide = format!("target datalayout = \"p:64:64:64:32\"\n{VALUES}");
    let address = |se: &mut ScalarEvolution<'_>| {
        let q = leaf(se, "q");
        (se.ptr_to_int(q), end(se, "behind"))
    };
    assert!(matches!(obstacle(&wide, plain, address), Obstacle::Pointer(_)));
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
