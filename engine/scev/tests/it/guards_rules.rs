//! One rule per test: a predicate that is known, and a similar one that is not. Also rewriting of expressions by
//! guards.

use crate::common::bodies::{Text, block, expr};
use backedge_ir::opcode::IntPredicate as P;
use backedge_scev::expr::ExprPrinter;
use backedge_scev::guards::Monotonic;
use backedge_scev::{Expr, ScalarEvolution};

/// A function with a guarded loop: `conditions` precede the branch on `%go`, `inside` the branch on `%again`.
fn guarded(conditions: &str, inside: &str) -> String {
    format!(
        "define void @f(i32 %a, i32 %b, i32 %n, i8 %s, ptr %p) {{
entry:
{conditions}
  br i1 %go, label %header, label %exit
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %i.next = add nuw nsw i32 %i, 1
{inside}
  br i1 %again, label %header, label %exit
exit:
  ret void
}}
declare void @llvm.assume(i1)
declare i32 @llvm.umin.i32(i32, i32)
"
    )
}

/// An operand of a query: a value or a number.
fn operand(se: &mut ScalarEvolution<'_>, text: &str, width: u32) -> Expr {
    match text.parse::<i128>() {
        Ok(number) => se.int(width, number),
        Err(_) => expr(se, text),
    }
}

/// Parses a query such as `a ult b`.
fn question(se: &mut ScalarEvolution<'_>, text: &str) -> (P, Expr, Expr) {
    let words: Vec<&str> = text.split(' ').collect();
    let [left, pred, right] = *words else { panic!("not a comparison: {text}") };
    let named = [left, right].into_iter().find(|w| w.parse::<i128>().is_err()).expect("a value");
    let named = expr(se, named);
    let width = se.width(named);
    let pred = P::from_name(pred).expect("a predicate");
    (pred, operand(se, left, width), operand(se, right, width))
}

fn on_entry(conditions: &str, known: &[&str], unknown: &[&str]) {
    let text = Text::new(&guarded(conditions, "  %again = icmp ult i32 %i.next, %n"));
    for (questions, answer) in [(known, true), (unknown, false)] {
        for q in questions {
            text.with(|se| {
                let l = se.loops().ids().next().expect("a loop");
                let (pred, left, right) = question(se, q);
                assert_eq!(
                    se.is_entry_guarded(l, pred, left, right),
                    answer,
                    "{q}, guarded by\n{conditions}"
                );
            });
        }
    }
}

#[test]
fn comparisons_of_the_same_operands() {
    on_entry(
        "  %go = icmp ult i32 %a, %b",
        &["a ult b", "a ule b", "a ne b", "b ugt a", "b ne 0", "a ne -1"],
        &["a slt b", "b ult a", "a ne 0", "a eq b", "b ugt 1"],
    );
    on_entry("  %go = icmp eq i32 %a, %b", &["a eq b", "a sle b", "b uge a"], &["a ult b", "a ne b"]);
    on_entry("  %go = icmp ne i32 %a, 0", &["a ne 0", "a ugt 0", "a uge 1"], &["a sgt 0", "a ne 1"]);
}

#[test]
fn comparisons_with_constants() {
    on_entry("  %go = icmp ult i32 %a, 10", &["a ult 11", "a sge 0", "a slt 10"], &["a ult 9"]);
    on_entry("  %go = icmp sgt i32 %a, 0", &["a sgt 0", "a ne 0", "a uge 1"], &["a sgt 1"]);
    on_entry(
        "  %x = add i32 %a, 5\n  %go = icmp ult i32 %x, 8",
        &["x ult 8", "a slt 3", "a sge -5"],
        &["a ult 8", "a sge 0"],
    );
}

#[test]
fn signs_carry_over_where_they_are_known() {
    let conditions = "  %x = lshr i32 %b, 1\n  %go = icmp ult i32 %a, %x";
    on_entry(conditions, &["a slt x", "a sge 0"], &["a slt 0"]);
    let conditions = "  %x = lshr i32 %a, 1\n  %go = icmp slt i32 %x, %b";
    on_entry(conditions, &["x ult b", "b sgt 0", "b ne 0"], &["x ult n"]);
}

#[test]
fn constants_are_added_where_nothing_wraps() {
    let next =
        "  %a1 = add i32 %a, 1\n  %a2 = add i32 %a, 2\n  %b1 = add i32 %b, -1\n  %go = icmp slt i32 %a, %b";
    on_entry(next, &["a1 sle b", "a sle b1"], &["a1 slt b", "a2 sle b", "a1 ule b"]);
}

#[test]
fn conditions_are_used_in_a_chain() {
    let chain = "  %x = icmp ult i32 %a, %b\n  %y = icmp ule i32 %b, %n\n  %go = and i1 %x, %y";
    on_entry(chain, &["a ult b", "a ult n"], &["n ult a", "b ult n"]);
    let either = "  %x = icmp ult i32 %a, %b\n  %y = icmp ule i32 %b, %n\n  %go = or i1 %x, %y";
    on_entry(either, &[], &["a ult b", "a ult n", "b ule n"]);
    let strict =
        "  %x = icmp ule i32 %a, %b\n  %y = icmp ne i32 %a, %b\n  %go = select i1 %x, i1 %y, i1 false";
    on_entry(strict, &["a ult b"], &["a slt b"]);
}

#[test]
fn casts_keep_an_order() {
    let wide = "  %w = zext i8 %s to i32\n  %v = sext i8 %s to i32\n  %go = icmp slt i32 %v, 5";
    on_entry(wide, &["s slt 5", "v slt 6"], &["s ult 5", "w ult 5"]);
    let narrow = "  %w = zext i8 %s to i32\n  %go = icmp ult i8 %s, 9";
    on_entry(narrow, &["w ult 9", "w slt 9"], &["w ult 8"]);
}

#[test]
fn minima_are_below_their_operands() {
    let min = "  %m = call i32 @llvm.umin.i32(i32 %a, i32 %b)\n  %go = icmp ult i32 %n, %m";
    on_entry(min, &["n ult a", "n ult b", "m ule a"], &["m ult a", "a ult b"]);
}

#[test]
fn null_and_assumptions() {
    on_entry("  %go = icmp ne ptr %p, null\n", &[], &["a ne 0"]);
    let assumed = "  %x = icmp ult i32 %a, %b\n  call void @llvm.assume(i1 %x)\n  %go = icmp ult i32 %n, 4";
    on_entry(assumed, &["a ult b", "n ult 4"], &["a ult n"]);
}

#[test]
fn backedges_and_blocks() {
    let text = guarded("  %go = icmp ne i32 %n, 0", "  %again = icmp ult i32 %i.next, %n");
    let text = Text::new(&text);
    text.with(|se| {
        let l = se.loops().ids().next().expect("a loop");
        let cases = [("i.next ult n", true), ("i ult n", true), ("n ne 0", true), ("i.next ult i", false)];
        for (q, answer) in cases {
            let (pred, left, right) = question(se, q);
            assert_eq!(se.is_backedge_guarded(l, pred, left, right), answer, "{q}");
        }
        // By induction: 0 < n on entry, and the next value is below n whenever the next iteration is reached.
        for (q, answer) in
            [("i ult n", true), ("i.next ule n", true), ("i.next ult n", false), ("i uge 0", true)]
        {
            let (pred, left, right) = question(se, q);
            assert_eq!(se.is_known(pred, left, right), answer, "{q}");
        }
        let exit = block(se, "exit");
        let (pred, left, right) = question(se, "n ne 0");
        assert!(!se.is_known_at(pred, left, right, exit), "the loop may have been passed by");
        let header = block(se, "header");
        assert!(se.is_known_at(pred, left, right, header));
        let i = expr(se, "i");
        assert_eq!(se.monotonicity(i, P::Ugt), Some(Monotonic::Increasing));
        assert_eq!(se.monotonicity(i, P::Slt), Some(Monotonic::Decreasing));
        assert_eq!(se.monotonicity(i, P::Eq), None);
    });
}

fn applied(conditions: &str, value: &str) -> String {
    let text = Text::new(&guarded(conditions, "  %again = icmp ult i32 %i.next, %n"));
    text.with(|se| {
        let l = se.loops().ids().next().expect("a loop");
        let before = expr(se, value);
        let after = se.apply_guards(before, l);
        ExprPrinter::new(se).text(se, after)
    })
}

#[test]
fn guards_as_expressions() {
    let cases = [
        ("  %go = icmp ult i32 %a, 8", "a", "(7 umin %a)"),
        ("  %go = icmp ne i32 %a, 0", "a", "(1 umax %a)"),
        ("  %go = icmp eq i32 %a, 3", "a", "3"),
        ("  %go = icmp sgt i32 %a, 3", "a", "(4 smax %a)"),
        ("  %x = add i32 %a, -2\n  %go = icmp ult i32 %x, 8", "a", "(2 umax (9 umin %a))"),
        ("  %x = urem i32 %a, 6\n  %go = icmp eq i32 %x, 0", "a", "(6 * (%a /u 6))<nuw>"),
        ("  %go = icmp ult i32 %a, %b", "a", "((-1 + %b) umin %a)"),
        ("  %go = icmp ult i32 %a, 8", "b", "%b"),
        ("  %go = icmp uge i32 %a, 0", "a", "%a"),
    ];
    for (conditions, value, expected) in cases {
        let text = applied(conditions, value);
        let plain = text.replace("<nuw>", "").replace("<nsw>", "");
        assert_eq!(plain, expected.replace("<nuw>", ""), "{conditions}");
    }
    let differ = "  %d = sub i32 %a, %b\n  %go = icmp ne i32 %a, %b";
    assert!(applied(differ, "d").starts_with("(1 umax "), "{}", applied(differ, "d"));
}
