//! Oracles find the faults that they are meant for, and no others.

use backedge_fuzz::oracles::{again, optimize, runs, settling, text, trees};
use backedge_ir::entity::FuncId;
use backedge_ir::module::Module;
use backedge_ir::parse::parse_module;
use backedge_pipeline::registry::parse_pipeline;
use backedge_pipeline::run::{Nobody, PassRun};
use backedge_validate::check::Side;

fn module(text: &str) -> (Module, FuncId) {
    let module = parse_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    let func = module.env.func_named("f").expect("it has @f");
    (module, func)
}

/// A loop that counts to `%n`, with a recurrence whose next value is `step`, and the declaration that `step` needs.
fn counting(step: &str, declaration: &str) -> String {
    format!(
        "{declaration}\ndefine i8 @f(i8 noundef %x, i8 noundef %n) {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i8 [ 0, %entry ], [ %j, %loop ]\n  %p = phi i8 [ %x, %entry ], [ %next, %loop ]\n  \
         %next = {step}\n  %t = icmp ult i8 %p, 100\n  br i1 %t, label %more, label %exit\nmore:\n  \
         %j = add i8 %i, 1\n  %c = icmp ne i8 %j, %n\n  br i1 %c, label %loop, label %exit\nexit:\n  \
         ret i8 %i\n}}\n"
    )
    .replace("[ %j, %loop ]", "[ %j, %more ]")
    .replace("[ %next, %loop ]", "[ %next, %more ]")
}

const PLAIN: &str = "add i8 %p, 3";

#[test]
fn a_target_that_does_something_else_is_found() {
    let (source, func) = module(&counting(PLAIN, ""));
    let (target, _) = module(&counting("add i8 %p, 4", ""));
    let limits = runs::Limits { runs: 100, ..runs::Limits::default() };
    let side = |module| Side { module, func };
    let seen = runs::check(side(&source), side(&source), limits).expect("it refines itself");
    assert!(seen.runs >= 100 && seen.defined > 0, "{seen:?}");
    let found = runs::check(side(&source), side(&target), limits).expect_err("it differs");
    assert!(found.to_string().contains("value mismatch"), "{found}");
}

#[test]
fn what_is_printed_is_read() {
    let (source, _) = module(&counting(PLAIN, ""));
    assert_eq!(text::check(&source), Ok(()));
    // A body with an operand of the wrong type prints as text that the parser rejects.
    let mut wrong = source.clone();
    let func = wrong.env.func_named("f").expect("it has @f");
    let (_, body) = wrong.body_mut(func).expect("it has code");
    let next = body.value_named("next").and_then(|v| v.as_inst()).expect("it is there");
    let mut editor = backedge_ir::editor::Editor::new(body);
    let bit = editor.int(backedge_ir::int::Int::bool(true));
    editor.set_operand(backedge_ir::inst::Use { user: next, index: 0 }, bit);
    assert!(text::check(&wrong).is_err());
}

#[test]
fn passes_are_measured() {
    let (source, _) = module(&counting(PLAIN, ""));
    let pipeline = parse_pipeline("loop-simplify,lcssa,loop(loop-peel<count=3>)").expect("a pipeline");
    let check = |bounds| optimize::check(&mut source.clone(), &pipeline, bounds, &mut Nobody);
    assert!(check(optimize::Bounds::default()).is_ok());
    let none = optimize::Bound { each: 1, besides: 0 };
    let wide = optimize::Bounds::default();
    for (bounds, of) in [
        (optimize::Bounds { size: none, ..wide }, optimize::Quantity::Size),
        (optimize::Bounds { memory: none, ..wide }, optimize::Quantity::Memory),
        (optimize::Bounds { work: none, ..wide }, optimize::Quantity::Work),
    ] {
        let fault = check(bounds).expect_err("it is more");
        assert!(matches!(&fault, optimize::Fault::TooMuch { of: found, .. } if *found == of), "{fault}");
    }
}

#[test]
fn loops_that_passes_on_trees_leave_out_of_form_are_found() {
    // `%i` is used after its loop without a phi.
    let open = counting(PLAIN, "");
    let closed = open.replace("  ret i8 %i", "  %out = phi i8 [ %i, %loop ], [ %i, %more ]\n  ret i8 %out");
    // Its exit block has a predecessor outside the loop.
    let shared = closed
        .replace(
            "entry:\n  br label %loop",
            "entry:\n  %any = icmp ult i8 %n, 9\n  br i1 %any, label %loop, label %exit",
        )
        .replace("%out = phi i8 ", "%out = phi i8 [ 0, %entry ], ");
    let looked_at = |text: &str, pass: &str| {
        let (module, func) = module(text);
        let body = module.body(func).expect("it has code");
        let run = PassRun {
            number: 0,
            pass,
            implied: false,
            env: &module.env,
            func,
            before: body,
            after: body,
            changed: true,
            remarks: &[],
        };
        trees::check(&run)
    };
    assert_eq!(looked_at(&closed, "hir-fuse"), Ok(()));
    assert_eq!(looked_at(&open, "hir-fuse"), Err(trees::Problem::NotClosed("loop".to_owned())));
    assert_eq!(looked_at(&shared, "hir-fuse"), Err(trees::Problem::NotSimplified("loop".to_owned())));
    // Other passes need not preserve the canonical forms.
    assert_eq!(looked_at(&shared, "simplifycfg"), Ok(()));
}

#[test]
fn endless_pipeline_is_found() {
    let (source, func) = module(&counting(PLAIN, ""));
    let pass = parse_pipeline("loop(loop-peel<count=1>)").expect("a pipeline");
    let unsettled = settling::check(source.clone(), func, &pass, 4).expect("it runs").expect_err("it peels");
    assert!(matches!(&unsettled, settling::Unsettled::Endless { rounds: 4, .. }), "{unsettled}");
    let unfinished = again::check(source, func, ("loop-peel", &pass)).expect("it runs");
    assert!(unfinished.is_err());
}

/// Each round splits all loops of the previous round; doubled code is not built twenty times.
#[test]
fn rounds_end_where_the_code_has_grown_too_much() {
    let text = "define void @f(ptr %p) {
entry:
  br label %outer

outer:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i8 [ 0, %outer ], [ %j.next, %loop ]
  store volatile i8 %j, ptr %p
  %j.next = add nuw nsw i8 %j, 1
  %c = icmp eq i8 %j.next, 101
  br i1 %c, label %latch, label %loop

latch:
  %i.next = add nuw nsw i8 %i, 1
  %d = icmp eq i8 %i.next, 101
  br i1 %d, label %exit, label %outer

exit:
  ret void
}
";
    let (source, func) = module(text);
    let pass = parse_pipeline("loop(iteration-set-split<multiple=2>)").expect("a pipeline");
    let unsettled = settling::check(source, func, &pass, 20).expect("it runs").expect_err("it splits");
    let settling::Unsettled::Endless { rounds, .. } = &unsettled else { panic!("{unsettled}") };
    assert!((2..6).contains(rounds), "{rounds}");
}

/// A recurrence over `i1` repeats after two peeled iterations, which fold away here.
#[test]
fn what_is_asked_for_in_each_round_is_not_undone() {
    let text = "define i1 @f(i1 %a) {
entry:
  br i1 %a, label %enters, label %left

enters:
  br label %head

head:
  %p = phi i1 [ %q, %latch ], [ false, %enters ]
  %goes = icmp sgt i1 %p, %a
  br i1 %goes, label %latch, label %left

left:
  ret i1 false

latch:
  %q = add i1 %p, true
  br label %head
}
";
    let (source, func) = module(text);
    let check = |pipeline: &str| {
        let pipeline = parse_pipeline(pipeline).expect("a pipeline");
        settling::check(source.clone(), func, &pipeline, 8).expect("it runs")
    };
    let asked = check("loop(loop-peel<count=1>)");
    assert!(asked.as_ref().is_ok_and(|rounds| *rounds > 0), "{asked:?}");
}

/// The lowering numbers values that it freezes before the loop after those that it freezes inside; a sum has a fixed
/// order of operands.
const FROZEN: &str = "define void @f(i1 %0) {
  %2 = freeze i1 %0
  br label %3

3:
  %4 = phi i1 [ false, %1 ], [ %8, %3 ]
  %5 = load i1, ptr null
  %6 = freeze i1 %5
  %7 = add i1 %2, %6
  store i1 %7, ptr null
  %8 = add i1 %4, true
  br label %3
}
";

/// The phi that is read first comes first.
const ALTERNATING: &str = "define i1 @f() {
  br label %1

1:
  %2 = phi i1 [ true, %0 ], [ false, %1 ]
  %3 = phi i1 [ false, %0 ], [ true, %1 ]
  %4 = phi i1 [ false, %0 ], [ %7, %1 ]
  %5 = add i1 %3, %2
  %6 = icmp eq i1 %4, false
  %7 = add nuw i1 %4, true
  br i1 %6, label %8, label %1

8:
  %9 = phi i1 [ %5, %1 ]
  ret i1 %9
}
";

/// The recurrence is never poison, with or without the freeze.
const RECURRENCE: &str = "define void @f() {
  br label %1

1:
  %2 = phi i4 [ 0, %0 ], [ %8, %7 ]
  %3 = phi i1 [ false, %0 ], [ %9, %7 ]
  %4 = icmp slt i4 %2, 0
  %5 = freeze i1 %4
  %6 = icmp slt i4 %2, 0
  br i1 %6, label %7, label %10

7:
  %8 = zext i1 %5 to i4
  %9 = add nuw i1 %3, true
  br label %1

10:
  ret void
}
";

/// Facts about the recurring counter must not hide the trip count.
const TWO_COUNTERS: &str = "define void @f() {
  br label %1

1:
  %2 = phi i1 [ false, %0 ], [ %4, %1 ]
  %3 = phi i1 [ false, %0 ], [ %6, %1 ]
  %4 = add i1 %2, true
  %5 = add nsw i1 %3, %4
  %6 = freeze i1 %5
  br i1 %6, label %7, label %1

7:
  ret void
}
";

const COMPARED: &str = "define i4 @f() {
  br label %1

1:
  %2 = phi i1 [ %3, %6 ], [ false, %0 ]
  %3 = add i1 %2, true
  %4 = icmp eq i1 %2, false
  %5 = add i1 %4, true
  br i1 %5, label %7, label %6

6:
  br label %1

7:
  ret i4 0
}
";

const WIDER: &str = "define void @f() {
  br label %1

1:
  %2 = phi i4 [ 0, %0 ], [ %4, %1 ]
  %3 = phi i4 [ 0, %0 ], [ %6, %1 ]
  %4 = add i4 %2, 1
  %5 = add nsw i4 %3, %2
  %6 = freeze i4 %5
  %7 = icmp eq i4 %6, 0
  br i1 %7, label %8, label %1

8:
  ret void
}
";

/// Lowered HIR lifts to the same HIR again, in memory as in text.
#[test]
fn what_hir_becomes_stays() {
    let pipeline = parse_pipeline("loop-simplify,lcssa,hir-roundtrip").expect("a pipeline");
    for text in [FROZEN, ALTERNATING, RECURRENCE, TWO_COUNTERS, COMPARED, WIDER] {
        let (source, func) = module(text);
        let rounds = settling::check(source, func, &pipeline, 6).expect("it runs");
        assert!(rounds.as_ref().is_ok_and(|r| *r < 3), "{rounds:?}\n{text}");
    }
}

/// Peeling one iteration makes these recurrences invariant; one peeled iteration suffices.
#[test]
fn recurrences_that_have_settled_are_not_peeled_again() {
    let text = "loop(loop-peel),instsimplify,early-cse,dce,simplifycfg";
    let pipeline = parse_pipeline(text).expect("a pipeline");
    for step in ["and i8 %p, %n", "or i8 %p, %n", "call i8 @llvm.umax.i8(i8 %p, i8 %n)"] {
        let (source, func) = module(&counting(step, "declare i8 @llvm.umax.i8(i8, i8)"));
        let rounds = settling::check(source, func, &pipeline, 6).expect("it runs");
        assert!(rounds.as_ref().is_ok_and(|r| (1..4).contains(r)), "{step}: {rounds:?}");
    }
}

/// Two edges from one block to one exit with different values: one of them always needs a block of its own, and
/// loop-simplify form gives the other one a block too.
#[test]
fn one_of_two_blocks_at_an_exit_stays_for_good() {
    let two = "two:\n  br label %after\n";
    // The block has as many predecessors as the other one, or more.
    let as_many = ("br label %loop", "one:\n  br label %after\n", "1");
    let more = (
        "%t = icmp ult i8 %j, %n\n  br i1 %t, label %loop, label %one",
        "one:\n  %v = phi i8 [ 1, %loop ], [ %j, %more ]\n  br label %after\n",
        "%v",
    );
    let pipeline = parse_pipeline("loop-simplify,lcssa,simplifycfg<no-keep-loops>").expect("a pipeline");
    for (latch, one, value) in [as_many, more] {
        for exits in [[one, two].concat(), [two, one].concat()] {
            let text = format!(
                "define i8 @f(i8 noundef %x, i8 noundef %n, i1 %c) {{\nentry:\n  br i1 %c, label %loop, label %after\n\
                 loop:\n  %i = phi i8 [ 0, %entry ], [ %j, %more ]\n  switch i8 %i, label %more [\n    \
                 i8 5, label %one\n    i8 9, label %two\n  ]\nmore:\n  %j = add i8 %i, %x\n  {latch}\n{exits}after:\n  \
                 %r = phi i8 [ 0, %entry ], [ {value}, %one ], [ %x, %two ]\n  ret i8 %r\n}}\n"
            );
            let (source, func) = module(&text);
            let rounds = settling::check(source, func, &pipeline, 6).expect("it runs");
            assert!(rounds.as_ref().is_ok_and(|r| *r < 3), "{text}\n{rounds:?}");
        }
    }
}

/// Rotation and the HIR form alternate on a loop with two exits, and its blocks swap their order each time.
#[test]
fn a_form_that_is_made_again_is_not_undone() {
    let text = "define void @f() {
  br label %1

1:
  br i1 false, label %4, label %2

2:
  br i1 false, label %3, label %1

3:
  ret void

4:
  ret void
}
";
    for passes in
        ["loop-simplify,loop-rotate,lcssa,hir-roundtrip", "loop-simplify,loop-rotate,lcssa,hir-fuse<force>"]
    {
        let (source, func) = module(text);
        let pipeline = parse_pipeline(passes).expect("a pipeline");
        let rounds = settling::check(source, func, &pipeline, 6).expect("it runs");
        assert!(rounds.is_ok(), "{passes}: {rounds:?}");
    }
}

/// Each of two tests would make the other's counter dead if the other test stayed unchanged.
#[test]
fn two_tests_do_not_change_counters_with_each_other() {
    let text = "define i4 @f(i4 noundef %a) {
entry:
  br label %head

head:
  %p = phi i4 [ 0, %entry ], [ %p.next, %latch ]
  %q = phi i8 [ 0, %entry ], [ %q.next, %latch ]
  %first = icmp slt i4 %p, %a
  br i1 %first, label %more, label %exit

more:
  %second = icmp ule i8 %q, 0
  br i1 %second, label %latch, label %exit

latch:
  %p.next = add i4 %p, 1
  %q.next = add i8 %q, 1
  br label %head

exit:
  ret i4 0
}
";
    let (source, func) = module(text);
    let pipeline = parse_pipeline("loop(indvars)").expect("a pipeline");
    let rounds = settling::check(source, func, &pipeline, 6).expect("it runs");
    assert!(rounds.as_ref().is_ok_and(|r| *r < 3), "{rounds:?}");
}
