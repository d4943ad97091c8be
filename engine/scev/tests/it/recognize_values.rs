//! Recognition of values: one case per rule with the expected text, and each value checked against executions.

use crate::common::bodies;
use crate::common::bodies::{Text, expr};
use crate::common::runs;
use crate::common::runs::{Order, ask_all, watch};
use backedge_scev::expr::ExprPrinter;
use backedge_scev::recognize::{ClosedForm, Recurrence, Step};

/// Compares the expression of `%r` in the function `source`, without flags, with the expected text; checks all claims
/// against executions.
fn function(source: &str, expected: &str) {
    let text = Text::new(source);
    for order in [Order::Forwards, Order::Backwards] {
        text.with(|se| {
            ask_all(se, order);
            let found = expr(se, "r");
            let printed = ExprPrinter::new(se).without_flags().text(se, found);
            assert_eq!(printed, expected, "asked {order:?}\n{source}");
        });
        let (compared, violations) = watch(&text, order, 300);
        assert!(violations.is_empty(), "{violations:#?}\n{source}");
        assert!(compared.runs > 20, "{compared:?}\n{source}");
        assert!(compared.values > 20 || expected == "%r", "{compared:?}\n{source}");
    }
}
/// Like [`function`], for straight-line code on `i8 %x, i8 %y, i1 %a, i1 %b, ptr %p, i32 %n`.
fn straight(code: &[&str], expected: &str) {
    let lines: Vec<String> = code.iter().map(|l| format!("  {l}\n")).collect();
    let declarations = "declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.umin.i8(i8, i8)
declare i8 @llvm.umax.i8(i8, i8)
declare i8 @llvm.smin.i8(i8, i8)
declare i8 @llvm.smax.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i8 @llvm.uadd.sat.i8(i8, i8)
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
declare i8 @returns(i8 returned) willreturn nounwind";
    function(
        &format!(
            "define void @f(i8 %x, i8 %y, i1 %a, i1 %b, ptr %p, i32 %n) {{\n{}  ret void\n}}\n{declarations}\n",
            lines.concat()
        ),
        expected,
    );
}

#[test]
fn arithmetic() {
    straight(&["%t = add i8 %x, 3", "%u = add i8 %t, %y", "%r = add i8 %u, 4"], "(7 + %x + %y)");
    straight(&["%r = sub i8 %x, %y"], "((-1 * %y) + %x)");
    straight(&["%r = sub nsw i8 %x, 5"], "(-5 + %x)");
    straight(&["%t = mul i8 %x, 3", "%r = mul i8 %t, %y"], "(3 * %x * %y)");
    straight(&["%r = udiv i8 %x, 7"], "(%x /u 7)");
    straight(&["%r = urem i8 %x, 16"], "(zext i4 (trunc i8 %x to i4) to i8)");
    straight(&["%r = urem i8 %x, 7"], "((-7 * (%x /u 7)) + %x)");
    straight(&["%t = lshr i8 %x, 1", "%r = sdiv i8 %t, 3"], "(%x /u 6)");
    straight(&["%t = lshr i8 %x, 1", "%r = srem i8 %t, 8"], "(zext i3 (trunc i8 (%x /u 2) to i3) to i8)");
    straight(&["%t = lshr i8 %x, 1", "%r = srem i8 %t, -8"], "(zext i3 (trunc i8 (%x /u 2) to i3) to i8)");
}

/// A value that depends on `undef` may differ between uses: it does not cancel, and a sum that uses it twice stays
/// opaque.
#[test]
fn undef_used_twice() {
    straight(&["%t = add i8 undef, %x", "%r = sub i8 %t, %t"], "%r");
    straight(&["%t = add i8 undef, %x", "%u = mul i8 %t, 3", "%r = add i8 %u, %t"], "%r");
    straight(&["%t = add i8 undef, %x", "%u = sub nsw i8 %t, %t", "%r = sext i8 %u to i16"], "%r");
    straight(&["%t = select i1 %a, i8 undef, i8 %x", "%r = xor i8 %t, %t"], "%r");
    straight(&["%t = add i8 undef, %x", "%z = freeze i8 %t", "%r = sub i8 %z, %z"], "0");
    straight(&["%t = add i8 undef, %x", "%u = add i8 %x, %y", "%r = sub i8 %u, %x"], "%y");
    in_loop(
        &["%u = phi i8 [ undef, %entry ], [ %q, %loop ]"],
        &["%q = add i8 %u, 1", "%r = sub i8 %q, %u"],
        "%r",
    );
}

#[test]
fn logic() {
    straight(&["%r = and i8 %x, 15"], "(zext i4 (trunc i8 %x to i4) to i8)");
    straight(&["%r = and i8 %x, 24"], "(8 * (zext i2 (trunc i8 (%x /u 8) to i2) to i8))");
    straight(&["%r = and i8 %x, -8"], "(8 * (%x /u 8))");
    straight(&["%t = shl i8 %x, 2", "%r = and i8 %t, 15"], "(4 * (zext i2 (trunc i8 %x to i2) to i8))");
    straight(&["%r = and i8 %x, 5"], "%r");
    straight(&["%t = shl i8 %x, 2", "%r = or i8 %t, 3"], "(3 + (4 * %x))");
    straight(&["%r = or disjoint i8 %x, %y"], "(%x + %y)");
    straight(&["%r = or i8 %x, %y"], "%r");
    straight(&["%t = or i8 %x, 3", "%r = or i8 %t, 1"], "%t");
    straight(&["%r = xor i8 %x, -1"], "(-1 + (-1 * %x))");
    straight(&["%r = xor i8 %x, -128"], "(-128 + %x)");
    straight(&["%t = shl i8 %x, 2", "%r = xor i8 %t, 3"], "(3 + (4 * %x))");
    straight(&["%t = and i8 %x, 3", "%r = xor i8 %t, 3"], "(3 + (-1 * (zext i2 (trunc i8 %x to i2) to i8)))");
    straight(&["%r = and i1 %a, %b"], "(%a umin %b)");
    straight(&["%r = or i1 %a, %b"], "(%a umax %b)");
    straight(&["%r = xor i1 %a, %b"], "(%a + %b)");
    straight(&["%r = select i1 %a, i1 %b, i1 false"], "(%a umin_seq %b)");
}

#[test]
fn shifts() {
    straight(&["%r = shl i8 %x, 3"], "(8 * %x)");
    straight(&["%r = shl i8 %x, 7"], "(-128 * %x)");
    straight(&["%r = lshr i8 %x, 3"], "(%x /u 8)");
    straight(&["%r = ashr i8 %x, 3"], "%r");
    straight(&["%t = lshr i8 %x, 2", "%r = ashr i8 %t, 3"], "(%x /u 32)");
    straight(&["%t = shl i8 %x, 3", "%r = ashr i8 %t, 3"], "(sext i5 (trunc i8 %x to i5) to i8)");
    straight(&["%t = shl i8 %x, 4", "%r = ashr i8 %t, 2"], "(4 * (sext i4 (trunc i8 %x to i4) to i8))");
    straight(
        &["%t = shl i8 %x, 4", "%u = add i8 %t, 48", "%r = ashr i8 %u, 4"],
        "(sext i4 (3 + (trunc i8 %x to i4)) to i8)",
    );
    straight(&["%t = shl i8 %x, 2", "%u = add i8 %t, 1", "%r = ashr i8 %u, 2"], "%r");
    straight(&["%r = shl i8 %x, 8"], "%r");
}

#[test]
fn selects() {
    let cases = [
        ("ugt", "%x, %y", "%x, i8 %y", "(%x umax %y)"),
        ("ult", "%x, %y", "%x, i8 %y", "(%x umin %y)"),
        ("sge", "%x, %y", "%x, i8 %y", "(%x smax %y)"),
        ("sle", "%x, %y", "%x, i8 %y", "(%x smin %y)"),
        ("sgt", "%x, %y", "%y, i8 %x", "(%x smin %y)"),
        ("ne", "%x, 0", "%x, i8 1", "(1 umax %x)"),
        ("eq", "%x, 0", "1, i8 %x", "(1 umax %x)"),
        ("eq", "%x, %y", "%x, i8 %y", "%y"),
        ("ne", "%x, %y", "%x, i8 %y", "%x"),
        ("eq", "%x, 0", "2, i8 %x", "%r"),
    ];
    for (pred, compared, arms, expected) in cases {
        straight(
            &[&format!("%c = icmp {pred} i8 {compared}"), &format!("%r = select i1 %c, i8 {arms}")],
            expected,
        );
    }
    let offsets = ["%c = icmp ugt i8 %x, %y", "%s = add i8 %x, 9", "%t = add i8 %y, 9"];
    straight(&[&offsets[..], &["%r = select i1 %c, i8 %s, i8 %t"]].concat(), "(9 + (%x umax %y))");
    straight(&[&offsets[..], &["%r = select i1 %c, i8 %t, i8 %s"]].concat(), "(9 + (%x umin %y))");
    straight(
        &[
            "%c = icmp eq i8 %x, 0",
            "%m = call i8 @llvm.umin.i8(i8 %x, i8 %y)",
            "%r = select i1 %c, i8 0, i8 %m",
        ],
        "(%x umin_seq %y)",
    );
    straight(
        &["%w = zext i8 %x to i32", "%c = icmp eq i32 %w, 0", "%r = select i1 %c, i8 1, i8 %x"],
        "(1 umax %x)",
    );
    // Nested minima.
    straight(
        &[
            "%c = icmp eq i8 %x, 0",
            "%d = icmp eq i8 %y, 0",
            "%m = call i8 @llvm.umin.i8(i8 %x, i8 %y)",
            "%s = select i1 %d, i8 0, i8 %m",
            "%o = call i8 @llvm.umin.i8(i8 %s, i8 9)",
            "%r = select i1 %c, i8 0, i8 %o",
        ],
        "(%x umin_seq (9 umin (%y umin_seq %x)))",
    );
    straight(
        &["%c = icmp sgt i8 %x, 4", "%w = sext i8 %x to i16", "%r = select i1 %c, i16 %w, i16 4"],
        "(4 smax (sext i8 %x to i16))",
    );
}

#[test]
fn a_merge_of_two_branches_is_a_select() {
    function(
        "define i8 @f(i8 %x, i8 %y) {
entry:
  %c = icmp slt i8 %x, %y
  br i1 %c, label %less, label %join
less:
  %t = add i8 %y, 1
  br label %join
join:
  %u = add i8 %x, 1
  %r = add i8 0, 0
  ret i8 %r
}",
        "0",
    );
    let source = |value: &str| {
        format!(
            "define i8 @f(i8 %x, i8 %y, ptr %p) {{
entry:
  %u = add i8 %x, 1
  %c = icmp slt i8 %x, %y
  br i1 %c, label %less, label %join
less:
  %t = {value}
  br label %join
join:
  %r = phi i8 [ %t, %less ], [ %u, %entry ]
  ret i8 %r
}}"
        )
    };
    function(&source("add i8 %y, 1"), "(1 + (%x smax %y))");
    function(&source("load i8, ptr %p"), "%r");
}

#[test]
fn conversions() {
    straight(&["%t = zext i8 %x to i16", "%r = trunc i16 %t to i8"], "%x");
    straight(
        &["%t = sub nuw i8 %x, %y", "%r = zext i8 %t to i16"],
        "((zext i8 %x to i16) + (-1 * (zext i8 %y to i16)))",
    );
    straight(
        &["%t = sub nsw i8 %x, %y", "%r = sext i8 %t to i16"],
        "((sext i8 %x to i16) + (-1 * (sext i8 %y to i16)))",
    );
    straight(&["%t = sub i8 %x, %y", "%r = sext i8 %t to i16"], "(sext i8 ((-1 * %y) + %x) to i16)");
    straight(&["%r = ptrtoint ptr %p to i64"], "(ptrtoint ptr %p to i64)");
    straight(&["%r = ptrtoint ptr %p to i8"], "(trunc i64 (ptrtoint ptr %p to i64) to i8)");
    straight(&["%t = ptrtoint ptr %p to i64", "%r = inttoptr i64 %t to ptr"], "%r");
    straight(&["%r = freeze i8 %x"], "%r");
    straight(&["%t = freeze i8 %x", "%u = add i8 %t, 1", "%r = freeze i8 %u"], "(1 + %t)");
}

#[test]
fn addresses() {
    straight(&["%r = getelementptr i32, ptr %p, i32 %n"], "((4 * (sext i32 %n to i64)) + %p)");
    straight(&["%r = getelementptr { i8, [4 x i16], i32 }, ptr %p, i64 2, i32 1, i64 3"], "(40 + %p)");
    straight(
        &["%r = getelementptr { i8, i64 }, ptr %p, i32 %n, i32 1"],
        "(4 + (12 * (sext i32 %n to i64)) + %p)",
    );
    straight(&["%r = getelementptr i8, ptr %p, i128 18446744073709551617"], "(1 + %p)");
    straight(&["%r = getelementptr [0 x i16], ptr %p, i64 0, i8 %x"], "((2 * (sext i8 %x to i64)) + %p)");
}

#[test]
fn calls() {
    straight(&["%r = call i8 @llvm.abs.i8(i8 %x, i1 false)"], "((-1 * %x) smax %x)");
    straight(&["%r = call i8 @llvm.smax.i8(i8 %x, i8 %y)"], "(%x smax %y)");
    straight(&["%r = call i8 @llvm.usub.sat.i8(i8 %x, i8 %y)"], "((-1 * (%x umin %y)) + %x)");
    straight(&["%r = call i8 @llvm.uadd.sat.i8(i8 %x, i8 %y)"], "(((-1 + (-1 * %y)) umin %x) + %y)");
    straight(&["%r = call i8 @returns(i8 %x)"], "%x");
    straight(
        &[
            "%t = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %x, i8 %y)",
            "%r = extractvalue { i8, i1 } %t, 0",
        ],
        "(%x + %y)",
    );
}

/// Checks `%r` of a loop of at most `%n` iterations with the given phis and body.
fn in_loop(phis: &[&str], code: &[&str], expected: &str) {
    let lines = |l: &[&str]| l.iter().map(|l| format!("  {l}\n")).collect::<String>();
    function(
        &format!(
            "define void @f(i8 %s, i8 %x, i8 %n, ptr %p) {{
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
{}{}  %i.next = add i8 %i, 1
  %go = icmp ult i8 %i, %n
  br i1 %go, label %loop, label %done
done:
  ret void
}}",
            lines(phis),
            lines(code)
        ),
        expected,
    );
}

#[test]
fn recurrences() {
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %t, %loop ]"], &["%t = add i8 %r, %x"], "{%s,+,%x}<%loop>");
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %t, %loop ]"], &["%t = sub i8 %r, 3"], "{%s,+,-3}<%loop>");
    in_loop(
        &["%r = phi i8 [ %s, %entry ], [ %u, %loop ]"],
        &["%t = add i8 %r, 2", "%u = add i8 %t, %x"],
        "{%s,+,(2 + %x)}<%loop>",
    );
    // Quadratic.
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %t, %loop ]"], &["%t = add i8 %r, %i"], "{%s,+,0,+,1}<%loop>");
    // Lagging one iteration.
    in_loop(&["%r = phi i8 [ -1, %entry ], [ %i, %loop ]"], &[], "{-1,+,1}<%loop>");
    in_loop(&["%r = phi i8 [ 3, %entry ], [ %t, %loop ]"], &["%t = add i8 %i, 4"], "{3,+,1}<%loop>");
    // The first value does not match.
    in_loop(&["%r = phi i8 [ 7, %entry ], [ %i, %loop ]"], &[], "%r");
    // Through conversions.
    in_loop(
        &["%r = phi i8 [ %s, %entry ], [ %u, %loop ]"],
        &["%w = zext i8 %r to i16", "%t = add i16 %w, 5", "%u = trunc i16 %t to i8"],
        "{%s,+,5}<%loop>",
    );
    in_loop(
        &["%r = phi ptr [ %p, %entry ], [ %t, %loop ]"],
        &["%t = getelementptr i32, ptr %r, i64 2"],
        "{%p,+,8}<%loop>",
    );
    // No recurrence.
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %t, %loop ]"], &["%t = load i8, ptr %p"], "%r");
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %s, %loop ]"], &[], "%s");
    in_loop(&["%r = phi i8 [ %s, %entry ], [ %r, %loop ]"], &[], "%s");
    in_loop(
        &["%q = phi i8 [ %s, %entry ], [ %t, %loop ]"],
        &["%t = add i8 %q, 0", "%r = add i8 %q, 1"],
        "(1 + %s)",
    );
}

/// An extended value is a recurrence where it is not poison, although its poison is not UB.
#[test]
fn extended_recurrences() {
    let narrow = "%q = phi i8 [ %s, %entry ], [ %t, %loop ]";
    in_loop(
        &[narrow],
        &["%t = add nuw i8 %q, 3", "%r = zext i8 %q to i16"],
        "{(zext i8 %s to i16),+,3}<%loop>",
    );
    in_loop(
        &[narrow],
        &["%t = add nsw i8 %q, -3", "%r = sext i8 %q to i16"],
        "{(sext i8 %s to i16),+,-3}<%loop>",
    );
    in_loop(&[narrow], &["%t = add i8 %q, 3", "%r = zext i8 %q to i16"], "(zext i8 {%s,+,3}<%loop> to i16)");
    in_loop(
        &[narrow],
        &["%t = add nsw i8 %q, 3", "%r = zext nneg i8 %q to i16"],
        "{(sext i8 %s to i16),+,3}<%loop>",
    );
}

/// A loop of 21 iterations with the phi `%r = phi {phi}` and its next value `%t = {step}`; `first` precedes the loop.
fn stepping(first: &str, phi: &str, step: &str) -> Text {
    Text::new(&format!(
        "declare i8 @llvm.umin.i8(i8, i8)
define i8 @f(i8 %s, i8 %x) {{
entry:
  {first}
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %r = phi i8 {phi}
  %t = {step}
  %i.next = add i8 %i, 1
  %go = icmp ult i8 %i, 20
  br i1 %go, label %loop, label %done
done:
  ret i8 %r
}}"
    ))
}

/// Checks the values of a header phi against the closed form at each arrival.
fn beyond(phi: &str, step: &str, check: impl Fn(&Recurrence, Option<ClosedForm>)) {
    let text = stepping("", phi, step);
    text.with(|se| {
        ask_all(se, Order::Forwards);
        let r = bodies::value(se, "r");
        let recurrence = se.recurrence(r).expect("a recurrence");
        let form = se.closed_form(&recurrence);
        check(&recurrence, form);
        let at: Vec<_> = (0..21).map(|n| se.recurrence_at_iteration(&recurrence, n)).collect();
        let (values, violations) = runs::values_at_arrivals(se, &text, r, &at, 100);
        assert!(violations.is_empty(), "{violations:#?}");
        assert!(values > 100 || form.is_none() || at.iter().skip(1).all(Option::is_none));
    });
}

#[test]
fn beyond_addition() {
    let unknown = "[ %s, %entry ], [ %t, %loop ]";
    let known = |start: &str| format!("[ {start}, %entry ], [ %t, %loop ]");
    beyond(unknown, "sub i8 %x, %r", |r, form| {
        assert_eq!(r.step, Step::Reflect);
        assert!(matches!(form, Some(ClosedForm::Alternates(..))));
    });
    beyond(&known("5"), "xor i8 %r, 3", |r, form| {
        assert_eq!(r.step, Step::Xor);
        assert!(matches!(form, Some(ClosedForm::Alternates(..))));
    });
    beyond(unknown, "xor i8 %r, -1", |_, form| assert!(matches!(form, Some(ClosedForm::Alternates(..)))));
    beyond(unknown, "xor i8 %x, %r", |r, form| assert!(r.step == Step::Xor && form.is_none()));
    beyond(&known("13"), "and i8 %r, 6", |_, form| assert!(matches!(form, Some(ClosedForm::Settles(..)))));
    beyond(&known("13"), "or i8 %r, 2", |_, form| assert!(matches!(form, Some(ClosedForm::Settles(..)))));
    beyond(unknown, "call i8 @llvm.umin.i8(i8 %r, i8 %x)", |_, form| {
        assert!(matches!(form, Some(ClosedForm::Settles(..))));
    });
    beyond(unknown, "mul i8 %r, 3", |_, form| assert!(matches!(form, Some(ClosedForm::Geometric(..)))));
    beyond(unknown, "shl i8 %r, 1", |_, form| {
        assert!(matches!(form, Some(ClosedForm::Shifted(Step::Shl, ..))));
    });
    beyond(unknown, "lshr i8 %r, 3", |_, form| {
        assert!(matches!(form, Some(ClosedForm::Shifted(Step::LShr, ..))));
    });
    beyond(&known("-100"), "ashr i8 %r, 1", |_, form| {
        assert!(matches!(form, Some(ClosedForm::Shifted(Step::AShr, ..))));
    });
    beyond(unknown, "udiv i8 %r, 5", |_, form| assert!(matches!(form, Some(ClosedForm::Divided(..)))));
    beyond(unknown, "udiv i8 %r, 1", |_, form| assert!(matches!(form, Some(ClosedForm::Divided(..)))));
}

/// A recurrence beyond addition on a value that comes from `undef` is not recognized, unless the value is frozen.
#[test]
fn beyond_addition_of_undef() {
    // "%y - (%y - 4)" need not be 4 if %y comes from undef; it is 4 if %y is frozen.
    for (y, known) in [("add i8 undef, %x", false), ("freeze i8 undef", true)] {
        let text = stepping(&format!("%y = {y}"), "[ 4, %entry ], [ %t, %loop ]", "sub i8 %y, %r");
        text.with(|se| {
            let r = bodies::value(se, "r");
            assert_eq!(se.recurrence(r).is_some(), known, "{y}");
        });
    }
}

#[test]
fn deep_chains() {
    let mut source = String::from("define i32 @f(i32 %x, i32 %y) {\n  %v0 = add i32 %x, 1\n");
    for i in 1..20_000 {
        let line = match i % 4 {
            0 => format!("add nuw i32 %v{}, %y", i - 1),
            1 => format!("mul i32 %v{}, %x", i - 1),
            2 => format!("xor i32 %v{}, %y", i - 1),
            _ => format!("udiv i32 %v{}, 3", i - 1),
        };
        source.push_str(&format!("  %v{i} = {line}\n"));
    }
    source.push_str("  ret i32 %v19999\n}\n");
    let text = Text::new(&source);
    text.with(|se| {
        let start = std::time::Instant::now();
        expr(se, "v19999");
        ask_all(se, Order::Forwards);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    });
}
