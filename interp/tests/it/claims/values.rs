//! Claims about values: value maps, flags, ranges, dispositions and exit values.

use super::{COUNT, holds, refuted, run};
use backedge_interp::claims::{Evidence, Form, Subject};
use backedge_testkit::claims::{claims, classify, scoped};
use backedge_testkit::module;

#[test]
fn value_maps() {
    holds(
        COUNT,
        &classify("  %i = x\n  -->  {0,+,1}<nuw><nsw><%loop>\n  %next = x\n  -->  {1,+,1}<nuw><nsw><%loop>"),
    );
    holds(COUNT, &classify("  %sum = x\n  -->  (%n + %m)"));
    let wrong = refuted(COUNT, &classify("  %next = x\n  -->  {0,+,1}<%loop>"));
    assert!(matches!(wrong.evidence, Evidence::Value { width: 8, claimed: 0, found: 1 }), "{wrong:?}");
    assert_eq!(wrong.subject, Subject::Claim(0));
    refuted(COUNT, &classify("  %sum = x\n  -->  (%n smax %m)"));
    refuted(COUNT, &classify("  %i = x\n  -->  {0,+,1,+,1}<%loop>"));
}

#[test]
fn flags_in_their_defining_scope() {
    // The sum wraps, but %c executes only if it does not: the flag is on the arguments.
    let source = "
define i8 @f(i8 %a, i8 %b, i1 %p) {
  br i1 %p, label %then, label %else
then:
  %c = add nuw i8 %a, %b
  %d = udiv i8 1, %c
  ret i8 %d
else:
  ret i8 0
}
";
    let wrong = refuted(source, &classify("  %c = x\n  -->  (%a + %b)<nuw>"));
    assert!(
        matches!(&wrong.evidence, Evidence::Wrap { form: Form::Weak, operands, .. } if operands.len() == 2)
    );
    holds(source, &scoped("  flag nuw of i8 (%a + %b) from block %then"));
    refuted(source, &scoped("  flag nsw of i8 (%a + %b) from block %then"));
    refuted(source, &scoped("  flag nuw of i8 (%a + %b) from block %else"));
    refuted(source, &scoped("  flag nuw of i8 (%a + %b) everywhere"));
}

#[test]
fn flags_hold_in_the_strong_form() {
    let source = "
define i8 @f(i8 %a) {
  %low = and i8 %a, 63
  %two = or i8 %low, 64
  ret i8 %two
}
";
    // (64 + 64 - 128) is in range, 64 + 64 is not.
    let wrong = refuted(source, &classify("  %two = x\n  -->  (-128 + 64 + %two)<nsw>"));
    assert!(
        matches!(wrong.evidence, Evidence::Wrap { form: Form::Strong, .. } | Evidence::Value { .. }),
        "{wrong:?}"
    );
    let wrong = refuted(source, &scoped("  flag nsw of i8 (-128 + 64 + %two) everywhere"));
    assert!(matches!(wrong.evidence, Evidence::Wrap { form: Form::Strong, .. }), "{wrong:?}");
    let wrong = refuted(source, &scoped("  flag nuw of i8 (%low * 64 * 0) everywhere"));
    assert!(matches!(wrong.evidence, Evidence::Wrap { form: Form::Strong, .. }), "{wrong:?}");
    holds(source, &scoped("  flag nuw of i8 (%low * 4) everywhere\n  flag nsw of i8 (%low * -2) everywhere"));
}

#[test]
fn flags_of_recurrences() {
    holds(
        COUNT,
        &scoped("  flag nuw of i8 {0,+,1}<%loop> everywhere\n  flag nsw of i8 {122,+,1}<%loop> everywhere"),
    );
    // The last increment wraps, after the last arrival.
    holds(
        COUNT,
        &scoped("  flag nuw of i8 {250,+,1}<%loop> everywhere\n  flag nw of i8 {-1,+,51}<%loop> everywhere"),
    );
    let wrong = refuted(COUNT, &scoped("  flag nsw of i8 {123,+,1}<%loop> everywhere"));
    assert!(matches!(wrong.evidence, Evidence::RecurrenceWrap { index: 5, .. }), "{wrong:?}");
    assert_eq!(wrong.at.map(|(_, iteration)| iteration), Some(5));
    refuted(COUNT, &scoped("  flag nuw of i8 {251,+,1}<%loop> everywhere"));
    refuted(COUNT, &scoped("  flag nw of i8 {0,+,52}<%loop> everywhere"));
    refuted(COUNT, &scoped("  flag nuw of i8 {0,+,%m}<%loop> in loop %loop"));
}

#[test]
fn flags_masked_by_poison_are_hidden() {
    let source = "
define i8 @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi i8 [ 100, %entry ], [ %x.next, %loop ]
  %y = phi i8 [ 100, %entry ], [ %y.next, %loop ]
  %i.next = add i8 %i, 1
  %x.next = add nuw i8 %x, 50
  %y.next = add i8 %y, 50
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret i8 %y
}
";
    // With one phi the flag is hidden; with a second phi of the same recurrence that is not poison, it is shown.
    let wrong = refuted(source, &classify("  %x = x\n  -->  {100,+,50}<nuw><%loop>"));
    assert!(wrong.hidden && matches!(wrong.evidence, Evidence::RecurrenceWrap { index: 4, .. }), "{wrong:?}");
    let both = "  %x = x\n  -->  {100,+,50}<nuw><%loop>\n  %y = y\n  -->  {100,+,50}<nuw><%loop>";
    let wrong = refuted(source, &classify(both));
    assert!(!wrong.hidden && matches!(wrong.subject, Subject::Flag(_)), "{wrong:?}");
}

#[test]
fn ranges() {
    holds(COUNT, &classify("  %i = x\n  -->  %i U: [0,6) S: [0,6)"));
    let wrong = refuted(COUNT, &classify("  %i = x\n  -->  %i U: [0,5) S: full-set"));
    assert!(matches!(wrong.evidence, Evidence::OutOfRange { found: 5, .. }), "{wrong:?}");
    refuted(COUNT, &classify("  %i = x\n  -->  %i U: empty-set S: full-set"));
    holds(COUNT, &scoped("  range of i8 %i from block %latch U: [0,5)"));
    refuted(COUNT, &scoped("  range of i8 %i from block %latch U: [0,4)"));
    refuted(COUNT, &scoped("  range of i8 %n in loop %loop S: [0,127)"));
}

#[test]
fn dispositions_and_exit_values() {
    let with = |rest: &str| classify(&format!("  %next = x\n  -->  %next{rest}"));
    holds(
        COUNT,
        &classify(
            "  %i = x\n  -->  {0,+,1}<%loop>\t\tExits: (5 umin (-1 + (1 umax %n)))\t\tLoopDispositions: { %loop: Computable }",
        ),
    );
    let source = COUNT.replace("%x.next = xor i8 %x, 3", "%x.next = add i8 %m, 0");
    holds(
        &source,
        &classify("  %x = x\n  -->  (0 + %m)\t\tExits: %m\t\tLoopDispositions: { %loop: Invariant }"),
    );
    let wrong = refuted(COUNT, &with("\t\tExits: %n"));
    assert!(matches!(wrong.evidence, Evidence::Value { .. }), "{wrong:?}");
    refuted(COUNT, &with("\t\tLoopDispositions: { %loop: Invariant }"));
}

/// The overflow is false in each iteration except the one that leaves the loop.
const OVERFLOW: &str = "
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)
define void @f(i8 %s) {
entry:
  br label %loop
loop:
  %i = phi i8 [ %s, %entry ], [ %v, %loop ]
  %p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %i, i8 3)
  %v = extractvalue { i8, i1 } %p, 0
  %o = extractvalue { i8, i1 } %p, 1
  %z = extractvalue { i8, i1 } { i8 0, i1 true }, 1
  br i1 %o, label %exit, label %loop
exit:
  ret void
}
";

#[test]
fn invariant_is_one_value_in_the_last_iteration_too() {
    let invariant = |value: &str| {
        classify(&format!("  %{value} = x\n  -->  %{value}\t\tLoopDispositions: {{ %loop: Invariant }}"))
    };
    let wrong = refuted(OVERFLOW, &invariant("o"));
    assert!(matches!(wrong.evidence, Evidence::Value { width: 1, claimed: 0, found: 1 }), "{wrong:?}");
    holds(OVERFLOW, &invariant("z"));
    // After the loop is entered again, the value may differ.
    let nest = "
define void @f(i8 %n) {
entry:
  br label %outer
outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i8 [ 0, %outer ], [ %j.next, %inner ]
  %t = xor i8 %i, %n
  %j.next = add i8 %j, 1
  %c = icmp ult i8 %j.next, 3
  br i1 %c, label %inner, label %latch
latch:
  %i.next = add i8 %i, 1
  %d = icmp ult i8 %i.next, 4
  br i1 %d, label %outer, label %exit
exit:
  ret void
}
";
    let of = |loops: &str| classify(&format!("  %t = x\n  -->  %t\t\tLoopDispositions: {{ {loops} }}"));
    holds(nest, &of("%inner: Invariant, %outer: Variant"));
    refuted(nest, &of("%inner: Invariant, %outer: Invariant"));
}

#[test]
fn what_hides_undefined_behaviour_shows_nothing() {
    // Comparing with %u does not fix it for the next comparison, so branching on the first one is UB. The mask makes
    // runs fix the bit when they compute %v.
    let with = |undef: &str| {
        format!(
            "define i8 @f(i8 noundef %x) {{\nentry:\n  %u = and i8 {undef}, 1\n  br label %loop\nloop:\n  \
             %i = phi i8 [ 0, %entry ], [ %next, %latch ]\n  %v = sub i8 %u, 0\n  %stay = icmp ne i8 %i, %v\n  \
             br i1 %stay, label %latch, label %out\nlatch:\n  %next = add i8 %i, 1\n  br label %loop\nout:\n  \
             ret i8 0\n}}\n"
        )
    };
    let text =
        classify("  %i = phi i8 [ 0, %entry ], [ %next, %latch ]\n  -->  {0,+,1}<%loop> U: [0,2) S: [0,2)\n");
    holds(&with("%x"), &text);
    let module = module(&with("undef"));
    let report = run(&module, &claims(&module, &text));
    assert_eq!((report.violations.len(), report.conclusive), (0, 0));
}

#[test]
fn recurrences_that_are_no_addrecs() {
    holds(COUNT, &scoped("  recurrence %x = xor i8 %m, i8 3 in loop %loop"));
    refuted(COUNT, &scoped("  recurrence %x = xor i8 %m, i8 2 in loop %loop"));
    refuted(COUNT, &scoped("  recurrence %x = or i8 %m, i8 3 in loop %loop"));
    let kinds = [
        ("xor", "xor i8 %x, %c"),
        ("subfrom", "sub i8 %c, %x"),
        ("and", "and i8 %x, %c"),
        ("or", "or i8 %x, %c"),
        ("mul", "mul i8 %x, %c"),
        ("shl", "shl i8 %x, %c"),
        ("lshr", "lshr i8 %x, %c"),
        ("ashr", "ashr i8 %x, %c"),
        ("udiv", "udiv i8 %x, %c"),
    ];
    for (kind, step) in kinds {
        let source = format!(
            "define i8 @f(i8 %s, i8 %c) {{\nentry:\n  br label %loop\nloop:\n  \
             %x = phi i8 [ %s, %entry ], [ %n, %loop ]\n  %i = phi i8 [ 0, %entry ], [ %j, %loop ]\n  \
             %n = {step}\n  %j = add i8 %i, 1\n  %d = icmp eq i8 %j, 20\n  \
             br i1 %d, label %out, label %loop\nout:\n  ret i8 %x\n}}\n"
        );
        for (claimed, _) in kinds {
            let text = scoped(&format!("  recurrence %x = {claimed} i8 %s, i8 %c in loop %loop"));
            if claimed == kind {
                holds(&source, &text);
            } else {
                refuted(&source, &text);
            }
        }
    }
}
