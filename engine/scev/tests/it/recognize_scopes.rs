//! Scoped facts: implications of the flags of increments for the start sums of recurrences, and their scopes. No
//! unproved fact may appear, whatever the order in the text and of the queries. All facts are checked against
//! executions.

use crate::common::bodies::{Text, block, expr};
use crate::common::runs::{Order, ask_all, watch};
use backedge_scev::expr::ExprPrinter;

/// Checks the expressions of values, each with the flags known in a block, or in the defining scope.
fn check(text: &str, expected: &[(&str, Option<&str>, &str)]) {
    let text = Text::new(text);
    for order in [Order::Forwards, Order::Backwards] {
        text.with(|se| {
            ask_all(se, order);
            for (name, place, wanted) in expected {
                let found = expr(se, name);
                let printer = ExprPrinter::new(se);
                let printer = match place {
                    Some(place) => printer.at(block(se, place)),
                    None => printer,
                };
                assert_eq!(printer.text(se, found), *wanted, "%{name} in {place:?}, asked {order:?}");
            }
        });
        let (compared, violations) = watch(&text, order, 200);
        assert!(violations.is_empty(), "{violations:#?}");
        assert!(compared.runs > 20, "{compared:?}");
    }
}

/// The example of *LLVM Loop Opt Ideas*, "SCEV Wrap Flags", with the block outside of the loop after it or before it.
const LOOP: &str = "loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2
";
const OUTSIDE: &str = "exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 false
";

#[test]
fn a_sum_does_not_wrap_in_the_loop_and_may_outside() {
    for blocks in [[LOOP, OUTSIDE], [OUTSIDE, LOOP]] {
        let text = format!(
            "define i1 @f(i32 %a, i32 %b, i1 %will_overflow) {{
entry:
  br i1 %will_overflow, label %exit1, label %loop

{}
{}
exit2:
  ret i1 false
}}",
            blocks[0], blocks[1]
        );
        check(
            &text,
            &[
                ("c", None, "(%a + %b)"),
                ("c", Some("exit1"), "(%a + %b)"),
                ("c", Some("loop"), "(%a + %b)<nuw><nsw>"),
                ("c", Some("exit2"), "(%a + %b)<nuw><nsw>"),
                ("iv", None, "{%a,+,%b}<nuw><nsw><%loop>"),
                ("iv.next", None, "{(%a + %b),+,%b}<nuw><nsw><%loop>"),
                ("iv.next", Some("loop"), "{(%a + %b)<nuw><nsw>,+,%b}<nuw><nsw><%loop>"),
            ],
        );
    }
}

/// The sum is computed before a guard and does not get the fact that holds after it; the recurrence does.
#[test]
fn a_guarded_loop() {
    check(
        "define void @f(i32 %a, i32 %b, i32 %n) {
entry:
  %c = add i32 %a, %b
  %fits = icmp uge i32 %c, %a
  br i1 %fits, label %before, label %out
before:
  br label %loop
loop:
  %iv = phi i32 [ %a, %before ], [ %iv.next, %loop ]
  %j = phi i32 [ 0, %before ], [ %j.next, %loop ]
  %iv.next = add nuw i32 %iv, %b
  %trap = udiv i32 1, %iv.next
  %j.next = add i32 %j, 1
  %stop = icmp eq i32 %j.next, %n
  br i1 %stop, label %out, label %loop
out:
  ret void
}",
        &[
            ("c", None, "(%a + %b)"),
            ("c", Some("entry"), "(%a + %b)"),
            ("c", Some("out"), "(%a + %b)"),
            ("c", Some("loop"), "(%a + %b)<nuw>"),
            // After the guard, the loop is certainly executed.
            ("c", Some("before"), "(%a + %b)<nuw>"),
            ("iv", None, "{%a,+,%b}<nuw><%loop>"),
            ("iv.next", None, "{(%a + %b),+,%b}<nuw><%loop>"),
        ],
    );
}

/// A loop around the given body, with `%iv` from `%a` by `%b` and its own count.
fn counted(body: &str) -> String {
    format!(
        "declare void @may_stop()
declare void @goes_on() willreturn nounwind
define void @f(i32 %a, i32 %b, i32 %n, i1 %w) {{
entry:
  br label %loop
loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %latch ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
{body}
latch:
  %j.next = add i32 %j, 1
  %stop = icmp uge i32 %j.next, %n
  br i1 %stop, label %out, label %loop
out:
  ret void
}}"
    )
}

#[test]
fn without_undefined_behaviour_nothing_follows() {
    let body = "  %iv.next = add nuw nsw i32 %iv, %b\n  br label %latch";
    check(&counted(body), &[("iv", None, "{%a,+,%b}<%loop>"), ("iv.next", None, "{(%a + %b),+,%b}<%loop>")]);
}

#[test]
fn from_the_entry_on_if_the_loop_is_certain() {
    let body = "  %iv.next = add nuw i32 %iv, %b\n  %trap = udiv i32 1, %iv.next\n  br label %latch";
    check(
        &counted(body),
        &[("iv", None, "{%a,+,%b}<nuw><%loop>"), ("iv.next", None, "{(%a + %b)<nuw>,+,%b}<nuw><%loop>")],
    );
}

#[test]
fn a_call_that_may_not_return_comes_first() {
    // The first iteration may not reach the addition; but whenever a backedge is taken, the addition was executed.
    let body = "  call void @may_stop()
  %iv.next = add nuw i32 %iv, %b
  %trap = udiv i32 1, %iv.next
  br label %latch";
    check(
        &counted(body),
        &[
            ("iv", None, "{%a,+,%b}<nuw><%loop>"),
            ("iv.next", None, "{(%a + %b),+,%b}<nw><%loop>"),
            ("iv.next", Some("loop"), "{(%a + %b),+,%b}<nw><%loop>"),
            ("iv.next", Some("latch"), "{(%a + %b)<nuw>,+,%b}<nuw><%loop>"),
        ],
    );
    let body = body.replace("@may_stop", "@goes_on");
    check(&counted(&body), &[("iv.next", None, "{(%a + %b)<nuw>,+,%b}<nuw><%loop>")]);
}

/// Absence of self-wrap does not depend on the start, so it remains when a part of the start cancels, even if that part
/// is poison. If UB proved it, an execution with that poison has the UB immediately.
#[test]
fn self_wrap_does_not_depend_on_what_cancels_out() {
    let text = |step: &str, more: &str| {
        format!(
            "define i8 @f(i8 %x, i8 %y, i8 %n) {{
entry:
  %s = add i8 %x, %y
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %iv = phi i8 [ %s, %entry ], [ %iv.next, %latch ]
  %d = sub i8 %iv, %y
  %i.next = add i8 %i, 1
  %iv.next = {step} i8 %iv, 3
  %c = icmp ult i8 {more}
  br i1 %c, label %latch, label %exit

latch:
  %trap = udiv i8 1, {}
  br label %loop

exit:
  ret i8 %d
}}",
            if step == "add" { "3" } else { "%iv.next" }
        )
    };
    // Proved by the number of iterations, whatever the start is.
    Text::new(&text("add", "%i, 50")).with(|se| {
        se.settle();
        let d = expr(se, "d");
        assert_eq!(ExprPrinter::new(se).text(se, d), "{%x,+,3}<nw><%loop>");
    });
    // Proved by UB.
    let expected = [("iv", None, "{(%x + %y),+,3}<nuw><%loop>"), ("d", None, "{%x,+,3}<nw><%loop>")];
    check(&text("add nuw", "%d, %n"), &expected);
}

#[test]
fn a_conditional_proof_holds_in_its_block() {
    let body = "  %iv.next = add nuw i32 %iv, %b
  br i1 %w, label %proof, label %latch
proof:
  %trap = udiv i32 1, %iv.next
  br label %latch";
    check(
        &counted(body),
        &[
            ("iv", None, "{%a,+,%b}<%loop>"),
            ("iv", Some("proof"), "{%a,+,%b}<nuw><%loop>"),
            ("iv.next", Some("latch"), "{(%a + %b),+,%b}<%loop>"),
            ("iv.next", Some("proof"), "{(%a + %b)<nuw>,+,%b}<nuw><%loop>"),
        ],
    );
}

/// Two phis share one expression: flags of an increment whose poison is harmless imply nothing for it.
#[test]
fn two_phis_of_one_expression() {
    let source = |proved: &str, harmless: &str| {
        format!(
            "define void @f(i32 %a, i32 %b, i32 %n) {{
entry:
  br label %loop
loop:
  %p = phi i32 [ %a, %entry ], [ %p.next, %loop ]
  %q = phi i32 [ %a, %entry ], [ %q.next, %loop ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %loop ]
  %p.next = add {proved}i32 %p, %b
  %trap = udiv i32 1, %p.next
  %q.next = add {harmless}i32 %q, %b
  %j.next = add i32 %j, 1
  %stop = icmp uge i32 %j.next, %n
  br i1 %stop, label %out, label %loop
out:
  ret void
}}"
        )
    };
    check(&source("", "nuw nsw "), &[("p", None, "{%a,+,%b}<%loop>"), ("q", None, "{%a,+,%b}<%loop>")]);
    check(
        &source("nuw ", "nsw "),
        &[("p", None, "{%a,+,%b}<nuw><%loop>"), ("q", None, "{%a,+,%b}<nuw><%loop>")],
    );
}

/// The sum is invariant in the outer loop and computed only in the inner one.
#[test]
fn nested_loops() {
    check(
        "define void @f(i32 %a, i32 %b, i32 %n, i1 %w) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.latch ]
  br i1 %w, label %inner, label %outer.latch
inner:
  %iv = phi i32 [ %a, %outer ], [ %iv.next, %inner ]
  %iv.next = add nsw i32 %iv, %b
  %more = icmp slt i32 %iv.next, %n
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  %c = add i32 %a, %b
  %k.next = add i32 %k, 1
  %again = icmp ult i32 %k.next, 3
  br i1 %again, label %outer, label %out
out:
  ret void
}",
        &[
            ("c", None, "(%a + %b)"),
            ("c", Some("outer.latch"), "(%a + %b)"),
            ("c", Some("inner"), "(%a + %b)<nsw>"),
            ("iv", None, "{%a,+,%b}<nsw><%inner>"),
            ("iv.next", Some("inner"), "{(%a + %b)<nsw>,+,%b}<nsw><%inner>"),
        ],
    );
}

#[test]
fn rounding_down_does_not_wrap_where_the_quotient_folded() {
    // Where the shift is not poison, its quotient by 4 is the quotient of `%a` by 2; elsewhere, 4 times that may wrap.
    let text = "define i4 @f(i4 %a, i1 %c) {
entry:
  br i1 %c, label %then, label %else

then:
  %v = shl nuw i4 %a, 1
  %trap = icmp eq i4 %v, 0
  br i1 %trap, label %else, label %known

known:
  %low = and i4 %v, -4
  %left = urem i4 %v, 6
  ret i4 %low

else:
  %w = lshr i4 %a, 1
  %x = mul i4 %w, 4
  ret i4 %x
}";
    check(
        text,
        &[
            ("low", None, "(4 * (%a /u 2))"),
            ("low", Some("known"), "(4 * (%a /u 2))<nuw>"),
            ("x", None, "(4 * (%a /u 2))"),
        ],
    );
}

#[test]
fn a_product_after_the_loop_proves_nothing_for_early_iterations() {
    // %i goes from -8 to 0: the exit value can be negated, -8 cannot.
    let text = |start: &str, inside: &str, after: &str| {
        format!(
            "define i4 @f(i32 %x) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i4 [ {start}, %entry ], [ %next, %loop ]\n{inside}  %next = add nsw i4 %i, 1\n  \
             %c = icmp ne i4 %i, 0\n  br i1 %c, label %loop, label %exit\nexit:\n{after}  ret i4 1\n}}"
        )
    };
    let product = "  %v = mul nsw i4 %i, -1\n  %q = or i4 %v, 1\n  %w = udiv i4 1, %q\n";
    check(&text("-8", "", product), &[("v", Some("exit"), "{-8,+,-1}<nw><%loop>")]);
    check(&text("-7", product, ""), &[("v", None, "{7,+,-1}<nsw><%loop>")]);
}
