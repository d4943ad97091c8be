//! Claims about exit counts, backedge-taken counts and their multiples, also under predicates.

use super::{COUNT, holds, refuted};
use backedge_interp::claims::{Evidence, Violation};
use backedge_interp::input::ArgSpec;
use backedge_testkit::claims::{TWO_COUNTS, at_width, counts, scoped};

#[test]
fn exit_counts() {
    let of_loop = |exits: &str| {
        counts(&format!("Loop %loop: <multiple exits> Unpredictable backedge-taken count.\n{exits}"))
    };
    holds(COUNT, &of_loop("  exit count for loop: i8 5\n  exit count for latch: (-1 + (1 umax %n))"));
    let wrong = refuted(COUNT, &of_loop("  exit count for loop: i8 4"));
    assert!(matches!(wrong.evidence, Evidence::Fires { claimed: 4, at: 4, fires: false }), "{wrong:?}");
    let wrong = refuted(COUNT, &of_loop("  exit count for loop: i8 6"));
    assert!(matches!(wrong.evidence, Evidence::Fires { claimed: 6, at: 5, fires: true }), "{wrong:?}");
    refuted(COUNT, &of_loop("  exit count for latch: (-1 + %n)"));
    refuted(COUNT, &of_loop("  exit count for loop: (5 + (0 * (1 /u %m)))"));
    holds(COUNT, &of_loop("  symbolic max exit count for loop: i8 5"));
    let wrong = refuted(COUNT, &of_loop("  symbolic max exit count for loop: i8 3"));
    assert!(matches!(wrong.evidence, Evidence::Taken { claimed: 3, taken: 4 }), "{wrong:?}");
}

/// P5, for an exit whose branch executes several times in an iteration of the outer loop: it must fire in the claimed
/// iteration, but not at each execution. An iteration that ends without it refutes the count.
#[test]
fn exit_counts_of_branches_in_inner_loops() {
    let source = "
define i8 @f(i8 %n) {
entry:
  br label %outer
outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %again ]
  %is.last = icmp eq i8 %i, 3
  br label %inner
inner:
  %j = phi i8 [ 0, %outer ], [ %j.next, %latch ]
  %j.next = add i8 %j, 1
  %at.end = icmp eq i8 %j, 2
  %leave = and i1 %at.end, %is.last
  br i1 %leave, label %exit, label %latch
latch:
  %more = icmp ult i8 %j, 3
  br i1 %more, label %inner, label %again
again:
  %i.next = add i8 %i, 1
  br label %outer
exit:
  ret i8 %i
}
";
    let outer = |n: u8| {
        let exits = format!("  exit count for inner: i8 {n}");
        counts(&format!("Loop %outer: <multiple exits> Unpredictable backedge-taken count.\n{exits}"))
    };
    holds(source, &outer(3));
    let wrong = refuted(source, &outer(2));
    assert!(matches!(wrong.evidence, Evidence::Fires { claimed: 2, at: 2, fires: false }), "{wrong:?}");
    let wrong = refuted(source, &outer(4));
    assert!(matches!(wrong.evidence, Evidence::Fires { claimed: 4, at: 3, fires: true }), "{wrong:?}");
}

#[test]
fn exit_counts_of_single_edges() {
    let source = "
define i8 @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 1
  switch i8 %i, label %loop [ i8 3, label %three
                              i8 7, label %seven ]
three:
  ret i8 3
seven:
  ret i8 7
}
";
    holds(
        source,
        &scoped(
            "  edge 1 of %loop in loop %loop exit count i8 3\n  edge 2 of %loop in loop %loop exit count i8 7",
        ),
    );
    refuted(source, &scoped("  edge 1 of %loop in loop %loop exit count i8 4"));
    refuted(source, &scoped("  edge 2 of %loop in loop %loop exit count i8 2"));
}

#[test]
fn taken_counts_and_multiples() {
    let exact = "(5 umin (-1 + (1 umax %n)))";
    holds(
        COUNT,
        &counts(&format!(
            "Loop %loop: backedge-taken count is {exact}\nLoop %loop: constant max backedge-taken count is i8 5\n\
             Loop %loop: symbolic max backedge-taken count is (-1 + (1 umax %n))"
        )),
    );
    refuted(COUNT, &counts("Loop %loop: backedge-taken count is (5 umin %n)"));
    let wrong = refuted(COUNT, &counts("Loop %loop: constant max backedge-taken count is i8 4"));
    assert!(matches!(wrong.evidence, Evidence::Taken { claimed: 4, taken: 5 }), "{wrong:?}");
    holds(COUNT, &counts("Loop %loop: symbolic max backedge-taken count is %n"));
    refuted(COUNT, &counts("Loop %loop: symbolic max backedge-taken count is (%n /u 2)"));
    let zero = ", actual taken count either this or zero.";
    refuted(COUNT, &counts(&format!("Loop %loop: constant max backedge-taken count is i8 5{zero}")));
    let wrong = refuted(COUNT, &counts("Loop %loop: Trip multiple is 2"));
    assert!(
        matches!(wrong.evidence, Evidence::Multiple { multiple: 2, taken } if taken % 2 == 0),
        "{wrong:?}"
    );
}

#[test]
fn counts_of_loops_that_are_left_are_no_poison() {
    let two = at_width(TWO_COUNTS, 8);
    let exact = |count: &str| counts(&format!("Loop %loop: backedge-taken count is {count}"));
    let most = |count: &str| counts(&format!("Loop %loop: symbolic max backedge-taken count is {count}"));
    holds(&two, &exact("(%n umin_seq %m)"));
    holds(&two, &most("(%n umin_seq %m)"));
    // Poison in %m does not reach a branch if %n is 0.
    holds(&two, &most("(%n umin %m)"));
    for wrong in [exact("(%n umin %m)"), exact("(%m umin_seq %n)")] {
        let wrong = refuted(&two, &wrong);
        left_at_once(&wrong);
    }
    // A division by zero is not a count either; it does not matter where it is not evaluated.
    let wrong = refuted(&two, &exact("((%n umin_seq %m) + (0 * (%n /u %n)))"));
    left_at_once(&wrong);
    holds(&two, &exact("(%n umin_seq (%m + (0 * (%n /u %n))))"));
}

/// The first count is 0, and the second one is poison.
#[track_caller]
fn left_at_once(wrong: &Violation) {
    assert_eq!(wrong.evidence, Evidence::PoisonTaken { taken: 0 }, "{wrong:?}");
    assert!(matches!(wrong.input.args[0], ArgSpec::Bits(0) | ArgSpec::Int(0)), "{wrong:?}");
}

/// An inner loop that exits, in an infinite cycle with two entries.
const AROUND: &str = "
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %loop
loop:
  %i = phi i8 [ 0, %a ], [ %next, %loop ]
  %next = add i8 %i, 1
  %more = icmp ult i8 %next, 3
  br i1 %more, label %loop, label %b
b:
  br label %a
}
";

#[test]
fn a_cycle_with_two_entries_is_not_the_loop_in_it() {
    holds(AROUND, &counts("Loop %loop: backedge-taken count is i8 2"));
    let wrong = refuted(AROUND, &counts("Loop %loop: backedge-taken count is i8 1"));
    assert!(matches!(wrong.evidence, Evidence::Taken { .. }), "{wrong:?}");
}

#[test]
fn loops_that_run_forever_and_calls_that_do_not_return() {
    let source = "
declare void @g()
define void @f(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  call void @g()
  %next = add i8 %i, 2
  %done = icmp eq i8 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
define void @h(i8 %n) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 2
  %done = icmp eq i8 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
}
";
    // Odd counts are never reached. If calls may end the loop, only a run that ends in time is conclusive.
    let wrong = refuted(source, &counts("Loop %loop: backedge-taken count is (%n /u 2)").replace("@f", "@h"));
    assert!(matches!(wrong.evidence, Evidence::Endless { .. } | Evidence::Taken { .. }), "{wrong:?}");
    let wrong = refuted(source, &counts("Loop %loop: constant max backedge-taken count is i8 2"));
    assert!(matches!(wrong.evidence, Evidence::Taken { claimed: 2, .. }), "{wrong:?}");
}

#[test]
fn predicated_counts_hold_where_the_predicates_do() {
    let of = |predicate: &str| {
        counts(&format!(
            "Loop %loop: Predicated backedge-taken count is (-1 + %n)\n Predicates:\n    {predicate}"
        ))
    };
    holds(COUNT, &of("Equal predicate: %n == 4"));
    refuted(COUNT, &of("Compare predicate: %n ult) 8"));
    holds(COUNT, &of("Compare predicate: (-1 + %n) ult) 6"));
    // The count is right for n from 1 to 6: 1 + 49·5 is below 256, and so is 1 + 36·6.
    let wrap =
        |step: u32, flag: &str| of(&format!("{{(1 + (0 * %n)),+,{step}}}<%loop> Added Flags: <{flag}>"));
    holds(COUNT, &wrap(49, "nusw"));
    refuted(COUNT, &wrap(36, "nusw"));
    holds(COUNT, &wrap(36, "nssw"));
    refuted(COUNT, &wrap(18, "nssw"));
    holds(COUNT, &format!("{}    Compare predicate: %n ne) 0\n", wrap(25, "nssw")));
}
