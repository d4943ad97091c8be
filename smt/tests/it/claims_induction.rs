//! Claims about all runs: proofs from one iteration to the next, claims that are not inductive, and claims that must
//! never be proved.

use backedge_smt::claims::{ClaimOptions, Method, Reason, Verdict, check_claims, subjects};
use backedge_testkit::claims::{GUARDED_SUM, at_width, claims, counts};
use backedge_testkit::module;
use std::time::Duration;

/// The verdict on each subject of `text`, in short: `P` for proved for all runs by induction, `U` for proved otherwise,
/// `B` for bounded, `R` for refuted, `?` for the rest.
fn short(source: &str, text: &str) -> String {
    let module = module(source);
    let claims = claims(&module, text);
    let options = ClaimOptions { time: Duration::from_secs(3600), ..ClaimOptions::default() };
    let report = check_claims(&module, &claims, &subjects(&claims), &options);
    println!("{:#?}\n{:?}", report.verdicts, report.cost);
    let letter = |verdict: &Verdict| match verdict {
        Verdict::Proved(Method::SaysNothing) => '-',
        Verdict::Proved(Method::Induction) => 'P',
        Verdict::Proved(_) => 'U',
        Verdict::Bounded { beyond: Reason::NotInductive, .. } => 'B',
        Verdict::Bounded { .. } => 'b',
        Verdict::Refuted { .. } => 'R',
        Verdict::Inconclusive(_) => '?',
    };
    report.verdicts.iter().map(|v| letter(&v.verdict)).collect()
}

/// Checks the same at each of these widths.
fn all_widths(source: &str, text: &str, expected: &str) {
    for width in [8, 32, 64] {
        assert_eq!(short(&at_width(source, width), &at_width(text, width)), expected, "at i{width}:\n{text}");
    }
}

const COUNT_UP: &str = "
define iW @f(iW %n) {
entry:
  br label %loop
loop:
  %iv = phi iW [ 0, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw iW %iv, 1
  %c = icmp ult iW %iv.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret iW %iv
}
";

#[test]
fn a_counting_loop_is_proved_at_full_width() {
    let text = "Classifying expressions for: @f
  %iv = phi iW [ 0, %entry ], [ %iv.next, %loop ]
  -->  {0,+,1}<nuw><nsw><%loop> U: full-set S: full-set\t\tExits: (-1 + (1 umax %n))\t\tLoopDispositions: { %loop: Computable }
  %iv.next = add nuw nsw iW %iv, 1
  -->  {1,+,1}<nuw><nsw><%loop> U: full-set S: full-set\t\tExits: (1 umax %n)\t\tLoopDispositions: { %loop: Computable }
Determining loop execution counts for: @f
Loop %loop: backedge-taken count is iW (-1 + (1 umax %n))
  exit count for loop: iW (-1 + (1 umax %n))
Loop %loop: constant max backedge-taken count is iW -2
Loop %loop: symbolic max backedge-taken count is iW (-1 + (1 umax %n))
";
    for width in [8, 32, 64] {
        let found = short(&at_width(COUNT_UP, width), &at_width(text, width));
        assert!(found.chars().all(|c| matches!(c, 'P' | '-' | 'U')), "i{width}: {found}");
        assert!(found.matches('P').count() >= 11, "i{width}: {found}");
    }
}

#[test]
fn what_is_false_late_is_not_proved() {
    // One more than the true count, wrong only in the last of many iterations.
    let count = |line: &str| counts(&format!("Loop %loop: {line}"));
    for line in [
        "constant max backedge-taken count is iW 100",
        "constant max backedge-taken count is iW -3",
        "backedge-taken count is iW (-1 + (1 umax (100 umin %n)))",
    ] {
        all_widths(COUNT_UP, &count(line), "B");
    }
    let endless = COUNT_UP.replace("nuw nsw ", "").replace("ult iW %iv.next, %n", "ne iW %iv.next, %n");
    let flags = "Determining loop execution counts for: @f
Loop %loop: backedge-taken count is iW (-1 + %n)
Scoped facts for: @f
  value %iv = iW {0,+,1}<%loop>
  flag nuw of iW {0,+,1}<%loop> everywhere
  flag nsw of iW {0,+,1}<%loop> everywhere
  flag nw of iW {1,+,1}<%loop> everywhere
  range of iW {0,+,1}<%loop> everywhere U: [0,100)
";
    // The loop is bounded only by the number of values of the type.
    all_widths(&endless, flags, "PPPBPB");
}

#[test]
fn loops_that_do_not_end_have_no_count() {
    let source = "
define iW @f(iW %n) {
entry:
  br label %loop
loop:
  %iv = phi iW [ 0, %entry ], [ %iv.next, %loop ]
  %iv.next = add iW %iv, 2
  %c = icmp ne iW %iv, %n
  br i1 %c, label %loop, label %exit
exit:
  ret iW %iv
}
";
    // Correct if n is even; the loop runs forever if it is odd.
    let text = "Determining loop execution counts for: @f
Loop %loop: backedge-taken count is iW (%n /u 2)
";
    all_widths(source, text, "B");
    let flags = "Scoped facts for: @f
  value %iv = iW {0,+,2}<%loop>
  flag nuw of iW {0,+,2}<%loop> everywhere
";
    all_widths(source, flags, "PB");
}

#[test]
fn a_sum_that_does_not_wrap_in_the_loop_does_outside() {
    let sum = at_width(GUARDED_SUM, 32);
    // Loop optimization ideas, "An interesting case": LLVM 13's claim about %c.
    let outside = "Classifying expressions for: @f
  %c = add i32 %a, %b
  -->  (%a + %b)<nuw><nsw>
";
    assert_eq!(short(&sum, outside), "URR");
    let inside = "Scoped facts for: @f
  flag nuw of i32 (%a + %b) in loop %loop
  flag nsw of i32 (%a + %b) in loop %loop
  flag nuw of i32 {(%a + %b),+,%b}<%loop> everywhere
  flag nsw of i32 {(%a + %b),+,%b}<%loop> everywhere
";
    // The backedge is never taken, so there is nothing to prove by induction.
    assert_eq!(short(&sum, inside), "UUUU");
    // With a loop that continues, there is.
    let goes_on = sum.replace("icmp ult i32 %iv.next, %a", "icmp ult i32 %iv.next, 1000000");
    let values = "  value %iv = i32 {%a,+,%b}<%loop>
  flag nuw of i32 {%a,+,%b}<%loop> everywhere
  flag nsw of i32 {%a,+,%b}<%loop> everywhere
";
    assert_eq!(short(&goes_on, &format!("{inside}{values}")), "PPPPPPP");
}

#[test]
fn a_flag_of_one_phi_is_not_that_of_another() {
    // Start and step are equal, but poison of only one increment is UB.
    let source = "
declare void @use(i32 noundef)
define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %p = phi i32 [ 0, %entry ], [ %p.next, %loop ]
  %q = phi i32 [ 0, %entry ], [ %q.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %p.next = add nsw i32 %p, 1000000000
  %q.next = add i32 %q, 1000000000
  %k.next = add i32 %k, 1
  call void @use(i32 noundef %q.next)
  %c = icmp ult i32 %k.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
";
    let text = "Scoped facts for: @f
  flag nsw of i32 {0,+,1000000000}<%loop> everywhere
";
    assert_eq!(short(source, text), "R");
    let used = source.replace("noundef %q.next", "noundef %p.next").replace("1000000000", "1000");
    let text = text.replace("1000000000", "1000");
    let text = format!("{text}  value %p = i32 {{0,+,1000}}<%loop>\n");
    assert_eq!(short(&used, &text), "PP");
}

#[test]
fn nests_and_counts_of_inner_loops() {
    let source = "
define iW @f(iW %n, iW %m) {
entry:
  br label %outer
outer:
  %i = phi iW [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi iW [ %i, %outer ], [ %j.next, %inner ]
  %j.next = add iW %j, 1
  %c = icmp eq iW %j, %m
  br i1 %c, label %latch, label %inner
latch:
  %i.next = add iW %i, 1
  %d = icmp eq iW %i, %n
  br i1 %d, label %exit, label %outer
exit:
  ret iW %i
}
";
    let text = "Determining loop execution counts for: @f
Loop %inner: backedge-taken count is iW {%m,+,-1}<%outer>
Loop %outer: backedge-taken count is iW %n
Scoped facts for: @f
  value %i = iW {0,+,1}<%outer>
  value %j = iW {{0,+,1}<%outer>,+,1}<%inner>
  value %j.next = iW {{1,+,1}<%outer>,+,1}<%inner>
";
    all_widths(source, text, "PPPPP");
    let wrong = "Determining loop execution counts for: @f
Loop %inner: backedge-taken count is iW %m
Scoped facts for: @f
  value %j = iW {0,+,1}<%inner>
";
    all_widths(source, wrong, "RR");
}

#[test]
fn invariants_and_recurrences_that_are_no_addrecs() {
    let source = "
declare i32 @get()
define i32 @f(i32 %s, i32 %t) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %s, %entry ], [ %x.next, %loop ]
  %y = phi i32 [ %s, %entry ], [ %y.next, %loop ]
  %z = phi i32 [ %s, %entry ], [ %z.next, %loop ]
  %w = phi i32 [ %s, %entry ], [ %w.next, %loop ]
  %x.next = xor i32 %x, %t
  %y.next = lshr i32 %y, 3
  %z.next = sub i32 %t, %z
  %w.next = mul i32 %w, %t
  %g = call i32 @get()
  %c = icmp eq i32 %g, 0
  br i1 %c, label %exit, label %loop
exit:
  ret i32 %x
}
";
    let text = "Scoped facts for: @f
  recurrence %x = xor i32 %s, i32 %t in loop %loop
  recurrence %y = lshr i32 %s, i32 3 in loop %loop
  recurrence %z = subfrom i32 %s, i32 %t in loop %loop
  recurrence %w = mul i32 %s, i32 %t in loop %loop
";
    assert_eq!(short(source, text), "PPPP");
    let wrong = "Scoped facts for: @f
  recurrence %x = xor i32 %t, i32 %t in loop %loop
  recurrence %y = ashr i32 %s, i32 3 in loop %loop
";
    assert_eq!(short(source, wrong), "RR");
}

#[test]
fn memory_at_a_header_may_hold_pointers_to_a_parameters_own_block() {
    // Memory contains no such pointer only at the entry: after enough iterations, `%q` is `%p`.
    let source = "
define i8 @f(ptr noalias noundef align 8 dereferenceable(8) %p, ptr noundef align 8 dereferenceable(8) %m, ptr noundef align 8 dereferenceable(8) %z, i32 noundef %n) {
entry:
  store ptr %z, ptr %m
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = load ptr, ptr %m
  %c = icmp eq i32 %i, 900000
  %v = select i1 %c, ptr %p, ptr %z
  store ptr %v, ptr %m
  %i.next = add i32 %i, 1
  %d = icmp ne i32 %i.next, 1000000
  br i1 %d, label %loop, label %exit
exit:
  ret i8 0
}
";
    let text = "Classifying expressions for: @f
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  -->  {0,+,1}<%loop> U: [0,100) S: [0,100)\t\tExits: 999999\t\tLoopDispositions: { %loop: Computable }
";
    let without = source.replace("noalias ", "");
    let found = [source, &without].map(|s| short(s, text));
    assert!(found[0].contains('b') && !found[0].contains(['P', 'B']), "{found:?}");
    assert!(found[1].contains('P') && found[1].contains('B'), "{found:?}");
}
