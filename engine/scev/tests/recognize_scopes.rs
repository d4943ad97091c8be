//! Facts with scopes: what the flags of increments say of the sums that recurrences begin with, and where; what does not
//! follow is not said, whatever stands where in the text and whatever is asked first. All facts are held against runs.

#[path = "common/bodies.rs"]
mod bodies;
#[path = "common/runs.rs"]
mod runs;
#[path = "common/watch.rs"]
mod watch;

use backedge_scev::expr::ExprPrinter;
use bodies::{Text, block, expr};
use runs::{Order, ask_all, watch};

/// The expressions of values, each with the flags known in a block, or in the defining scope.
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
        let (compared, violations) = watch(&text, order, 400);
        assert!(violations.is_empty(), "{violations:#?}");
        assert!(compared.runs > 20, "{compared:?}");
    }
}

/// The example of the loop notes, with the block outside of the loop behind it or before it.
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
