//! Flags of the new code: only facts that hold where it executes.

use super::{VALUES, check, end, leaf};
use crate::common::bodies::{Text, block, expr, value};
use crate::common::expanded::expanded;
use backedge_ir::print::function_to_string;
use backedge_scev::ScalarEvolution;
use backedge_scev::expand::{Options, plan};

/// The example of the loop notes: `%a + %b` does not wrap in the loop, but may wrap outside.
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
