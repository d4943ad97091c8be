//! Hand-written true and false claims of every kind: the true ones are tested and hold, and each false one is refuted
//! by the expected evidence. LLVM 13's claim on the example of *LLVM Loop Opt Ideas* is refuted too.

use backedge_claim::claim::{Claims, Source};
use backedge_claim::text::parse_claims;
use backedge_interp::claims::{Evidence, Form, Options, Report, Subject, Violation, check};
use backedge_interp::input::ArgSpec;
use backedge_interp::{Config, Program};
use backedge_ir::module::Module;
use backedge_ir::parse::read_module;

fn module(source: &str) -> Module {
    read_module(source.as_bytes()).unwrap_or_else(|e| panic!("{e:?}")).module
}

fn claims(module: &Module, text: &str) -> Claims {
    let mut all = parse_claims(module, text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(all.len(), 1);
    let claims = all.remove(0);
    assert_eq!(claims.notes, []);
    claims
}

fn run(module: &Module, claims: &Claims) -> Report {
    let program = Program::new(module, &Config::default());
    let options = Options { runs: 1500, exhaustive: 1 << 12, fuel: 20_000, ..Options::default() };
    check(&program, claims, &options).expect("a function that is modelled")
}

/// All claims of `text` are tested, and none is refuted.
fn holds(source: &str, text: &str) {
    let module = module(source);
    let claims = claims(&module, text);
    let report = run(&module, &claims);
    assert_eq!(report.violations, [], "{text}");
    assert!(!report.tested.is_empty() && report.tested.iter().all(|n| *n > 0), "{text}: {:?}", report.tested);
}

/// A claim of `text` is refuted; returns the first violation shown by a value, if any.
fn refuted(source: &str, text: &str) -> Violation {
    let module = module(source);
    let claims = claims(&module, text);
    let mut violations = run(&module, &claims).violations;
    violations.sort_by_key(|v| v.hidden);
    assert!(!violations.is_empty(), "not refuted: {text}");
    violations.remove(0)
}

/// Counts from 0 up to %n in counted steps; another exit at 5.
const COUNT: &str = "
define i8 @f(i8 %n, i8 %m) {
entry:
  %sum = add i8 %n, %m
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %latch ]
  %x = phi i8 [ %m, %entry ], [ %x.next, %latch ]
  %early = icmp eq i8 %i, 5
  br i1 %early, label %out, label %latch
latch:
  %next = add i8 %i, 1
  %x.next = xor i8 %x, 3
  %more = icmp ult i8 %next, %n
  br i1 %more, label %loop, label %out
out:
  %r = phi i8 [ %i, %loop ], [ %next, %latch ]
  ret i8 %r
}
";

fn classify(lines: &str) -> String {
    format!("Classifying expressions for: @f\n{lines}\n")
}

fn counts(lines: &str) -> String {
    format!("Determining loop execution counts for: @f\n{lines}\n")
}

fn scoped(lines: &str) -> String {
    format!("Scoped facts for: @f\n{lines}\n")
}

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

/// P5 of docs/semantics.md, for an exit whose branch executes several times in an iteration of the outer loop: it must
/// fire in the claimed iteration, but not at each execution. An iteration that ends without it refutes the count.
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

/// The second count is evaluated only if the first one is not 0.
const TWO: &str = "
define void @f(i8 %n, i8 %m) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %c1 = icmp ult i8 %i, %n
  br i1 %c1, label %latch, label %exit
latch:
  %i.next = add nuw i8 %i, 1
  %c2 = icmp ult i8 %i, %m
  br i1 %c2, label %loop, label %exit
exit:
  ret void
}
";

#[test]
fn counts_of_loops_that_are_left_are_no_poison() {
    let exact = |count: &str| counts(&format!("Loop %loop: backedge-taken count is {count}"));
    let most = |count: &str| counts(&format!("Loop %loop: symbolic max backedge-taken count is {count}"));
    holds(TWO, &exact("(%n umin_seq %m)"));
    holds(TWO, &most("(%n umin_seq %m)"));
    // Poison in %m does not reach a branch if %n is 0.
    holds(TWO, &most("(%n umin %m)"));
    for wrong in [exact("(%n umin %m)"), exact("(%m umin_seq %n)")] {
        let wrong = refuted(TWO, &wrong);
        left_at_once(&wrong);
    }
    // A division by zero is not a count either; it does not matter where it is not evaluated.
    let wrong = refuted(TWO, &exact("((%n umin_seq %m) + (0 * (%n /u %n)))"));
    left_at_once(&wrong);
    holds(TWO, &exact("(%n umin_seq (%m + (0 * (%n /u %n))))"));
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

/// The example of the notes on wrap flags: a fact about the sum holds in one block but not in the other.
const TEST2_A: &str = "
define i1 @f(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop
loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2
exit2:
  ret i1 false
exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 false
}
";

#[test]
fn what_llvm_13_claimed_of_the_guarded_sum_is_refuted() {
    let llvm_13 = classify("  %c = add i32 %a, %b\n  -->  (%a + %b)<nuw><nsw> U: full-set S: full-set");
    let wrong = refuted(TEST2_A, &llvm_13);
    assert!(matches!(&wrong.evidence, Evidence::Wrap { form: Form::Weak, .. }), "{wrong:?}");
    assert!(!wrong.hidden);
    holds(TEST2_A, &classify("  %c = add i32 %a, %b\n  -->  (%a + %b) U: full-set S: full-set"));
    holds(
        TEST2_A,
        &scoped("  flag nuw of i32 (%a + %b) in loop %loop\n  flag nsw of i32 (%a + %b) in loop %loop"),
    );
    refuted(TEST2_A, &scoped("  flag nuw of i32 (%a + %b) from block %exit1"));
}

/// The claims in one version's text that are refuted and shown by a value, as function and line.
fn refuted_lines(source: &str, text: &str) -> Vec<(String, String)> {
    let module = module(source);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for claims in parse_claims(&module, text.as_bytes()).expect("LLVM's text") {
        for violation in run(&module, &claims).violations.iter().filter(|v| !v.hidden) {
            let Source::Line(line) = claims.claims[violation.subject.claim()].source else { continue };
            let name = module.env.funcs[claims.func].name.to_string();
            found.push((name, lines[line as usize - 2].trim().to_owned()));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn versions_of_llvm_on_the_guarded_sum() {
    let source = include_str!("../claims_data/guarded-sum.ll");
    let of_13 = refuted_lines(source, include_str!("../claims_data/guarded-sum.llvm-13.txt"));
    // If the loop comes last, the sum outside was queried before the flag was found. The flag is then only in the
    // start of %iv.next, and is equally wrong in the scope of the arguments.
    let in_function = |name: &str| -> Vec<&str> {
        of_13.iter().filter(|(func, _)| func == name).map(|(_, line)| &**line).collect()
    };
    assert_eq!(in_function("loop_first"), ["%c = add i32 %a, %b"]);
    assert_eq!(in_function("loop_last"), ["%iv.next = add nuw nsw i32 %iv, %b"]);
    assert_eq!(refuted_lines(source, include_str!("../claims_data/guarded-sum.llvm-14.txt")), []);
    assert_eq!(refuted_lines(source, include_str!("../claims_data/guarded-sum.llvm-22.txt")), []);
}

#[test]
fn versions_of_llvm_on_two_phis_of_one_recurrence() {
    let source = include_str!("../claims_data/two-phis.ll");
    for text in [
        include_str!("../claims_data/two-phis.llvm-14.txt"),
        include_str!("../claims_data/two-phis.llvm-22.txt"),
    ] {
        let found = refuted_lines(source, text);
        assert!(found.iter().any(|(_, line)| line.starts_with("%x = phi")), "{found:?}");
    }
}
