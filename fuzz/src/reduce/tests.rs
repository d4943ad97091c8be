//! Reductions whose tests look only at the text.

use super::passes::PASSES;
use super::program::Program;
use super::search::Search;
use super::state::State;
use super::{Ended, Options, Reduced, Stop, Test, reduce};
use backedge_ir::parse::read_module;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A text is interesting if it contains all of these.
struct Holds<'a>(&'a [&'a str]);

impl Test for Holds<'_> {
    fn is_interesting(&self, text: &str, _: &Stop<'_>) -> Result<bool, String> {
        assert!(read_module(text.as_bytes()).is_ok(), "a candidate is wrong:\n{text}");
        Ok(self.0.iter().all(|part| text.contains(part)))
    }
}

fn program(text: &str) -> Program {
    let module = read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    Program::new(module)
}

fn reduced(text: &str, kept: &[&str], options: &Options<'_>) -> Reduced {
    reduce(program(text).module, &Holds(kept), options, &mut ()).unwrap().expect("it is interesting")
}

/// The result of the pass called `name` on `text`.
fn by_pass(name: &str, text: &str, kept: &[&str]) -> String {
    let (test, options) = (Holds(kept), Options::default());
    let first = State::new(program(text));
    let mut nobody = ();
    let mut search = Search::new(&test, &options, &mut nobody, first.clone());
    let pass = PASSES.iter().find(|pass| pass.name == name).expect("a pass");
    (pass.run)(&mut search);
    assert!(search.best.is_smaller_than(&first), "{name} does nothing to\n{text}");
    assert!(search.best.program.is_valid());
    search.best.text
}

/// A loop with inline assembly that returns 256 bits, which is unsupported.
const ASSEMBLER: &str = "\
define i32 @f(i32 %0, ptr %1, i32 noundef %2) #0 !dbg !3 {
  %4 = mul i32 %0, %0 ; the square
  %5 = add i32 %4, 7
  switch i32 %2, label %6 [
    i32 1, label %12
    i32 2, label %6
  ]

6:                                                ; preds = %3, %3, %9
  %7 = phi i32 [ 0, %3 ], [ 0, %3 ], [ %7, %9 ]
  %8 = icmp ult i32 %7, %5
  br i1 %8, label %9, label %12

9:                                                ; preds = %6
  %10 = call i256 asm sideeffect \"mov $1, $0; nop # %7\", \"=r,r\"(i32 %7), !srcloc !4
  store i256 %10, ptr %1, align 4
  %11 = invoke i32 @f(i32 %7, ptr %1, i32 1)
          to label %6 unwind label %14

12:                                               ; preds = %3, %6
  %13 = phi i32 [ %4, %3 ], [ %7, %6 ]
  ret i32 %13

14:                                               ; preds = %9
  %15 = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %15
}

attributes #0 = { nounwind }

!3 = !{}
!4 = !{i64 1}
";

/// A function with unsupported instructions is reduced as text.
#[test]
fn unsupported_functions_are_reduced_by_lines() {
    let by = |kept: &[&str]| reduced(ASSEMBLER, kept, &Options::default()).text;
    let expected = "define i32 @f() {\n  %n10 = call i256 asm sideeffect \"mov $1, $0; nop # %7\", \"=r,r\"(i32 0)\n  \
                    unreachable\n}\n";
    assert_eq!(by(&["asm sideeffect"]), expected);
    // Required parts stay: the edge with its phi.
    let phi = by(&["asm sideeffect", " phi ", "icmp"]);
    assert!(phi.lines().count() <= 12 && !phi.contains("switch") && !phi.contains("invoke"), "{phi}");
    let landing = by(&["landingpad", "asm"]);
    assert!(landing.lines().count() <= 10 && !landing.contains("switch"), "{landing}");
}

/// Once the unsupported part is removed, the function is reduced like any other.
#[test]
fn text_that_can_be_read_in_the_end_is_reduced_further() {
    let small = reduced(ASSEMBLER, &["= mul "], &Options::default());
    assert_eq!(small.size.instructions, 2, "{}", small.text);
    assert!(small.text.contains("\nentry:\n"), "{}", small.text);
}

/// Two nested loops with a call in the middle, and much that is not needed.
const NEST: &str = "\
target triple = \"x86_64-unknown-linux-gnu\"

@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@unused = global i64 7

declare void @keep(i32)
declare i32 @other(ptr nocapture readonly) #1

define internal i32 @helper(i32 %x, i32 %y) #0 {
  %s = add nsw i32 %x, %y
  ret i32 %s
}

define i64 @f(i32 %n, i64 %m, ptr noundef %p) #0 {
entry:
  %guard = icmp sgt i32 %n, 0
  br i1 %guard, label %outer, label %done, !prof !0

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %sum = phi i64 [ %m, %entry ], [ %sum.out, %outer.latch ]
  %call = call i32 @helper(i32 %i, i32 %n)
  switch i32 %call, label %inner [
    i32 3, label %done
    i32 70000, label %outer.latch
  ]

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %sum.in = phi i64 [ %sum, %outer ], [ %sum.next, %inner ]
  %at = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 1
  %loaded = load i32, ptr %at, align 4
  call void @keep(i32 %loaded)
  store volatile i32 %j, ptr %p, align 4
  %wide = sext i32 %loaded to i64
  %sum.next = add nuw nsw i64 %sum.in, %wide
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, 100
  br i1 %more, label %inner, label %outer.latch, !llvm.loop !1

outer.latch:
  %sum.out = phi i64 [ %sum, %outer ], [ %sum.next, %inner ]
  %i.next = add nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %outer, label %done

done:
  %r = phi i64 [ 0, %entry ], [ %sum, %outer ], [ %sum.out, %outer.latch ]
  ret i64 %r
}

attributes #0 = { nounwind \"frame-pointer\"=\"all\" }
attributes #1 = { nounwind willreturn }
!0 = !{!\"branch_weights\", i32 1, i32 2}
!1 = distinct !{!1}
";

#[test]
fn a_call_in_a_nest_of_loops_is_all_that_is_left() {
    let done = reduced(NEST, &["call void @keep("], &Options::default());
    assert_eq!(done.ended, Ended::Smallest);
    assert_eq!(done.size.instructions, 2, "{}", done.text);
    let expected =
        "declare void @keep(i32)\n\ndefine i4 @f() {\nentry:\n  call void @keep(i32 0)\n  ret i4 0\n}\n";
    let plain: String = done.text.lines().filter(|l| !l.is_empty()).map(|l| l.to_owned() + "\n").collect();
    assert_eq!(plain, expected.replace("\n\n", "\n"), "{}", done.text);
}

#[test]
fn the_result_is_the_same_whatever_the_number_of_threads() {
    for kept in [&["phi i"][..], &["switch", "call void @keep("], &["getelementptr", "phi"]] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| reduced(NEST, kept, &Options::default()))
        };
        assert_eq!(run(1), run(4), "{kept:?}");
    }
}

#[test]
fn a_loop_stays_where_it_is_wanted() {
    // A phi with its own block among its entries, in a block that branches to itself.
    let done = reduced(NEST, &["phi i32 [ ", "br i1 %"], &Options::default());
    assert!(done.size.instructions <= 5, "{}", done.text);
}

#[test]
fn limits_end_it() {
    let tries = Options { max_tries: 5, ..Options::default() };
    let done = reduced(NEST, &["call void @keep("], &tries);
    assert_eq!((done.ended, done.tries), (Ended::Tries, 6));
    let stop = AtomicBool::new(true);
    let done = reduced(NEST, &["call void @keep("], &Options { stop: Some(&stop), ..Options::default() });
    assert_eq!((done.ended, done.tries), (Ended::Interrupted, 1));
    let none = Options { time: Some(std::time::Duration::ZERO), ..Options::default() };
    assert_eq!(reduced(NEST, &["call void @keep("], &none).ended, Ended::Time);
}

#[test]
fn what_is_not_interesting_is_not_reduced() {
    let nothing = reduce(program(NEST).module, &Holds(&["no such words"]), &Options::default(), &mut ());
    assert_eq!(nothing, Ok(None));
}

#[test]
fn a_test_that_can_not_be_run_ends_it() {
    struct Breaks(AtomicU64);
    impl Test for Breaks {
        fn is_interesting(&self, _: &str, _: &Stop<'_>) -> Result<bool, String> {
            match self.0.fetch_add(1, Ordering::SeqCst) {
                0 => Ok(true),
                1..4 => Ok(false),
                _ => Err("broken".to_owned()),
            }
        }
    }
    let done = reduce(program(NEST).module, &Breaks(AtomicU64::new(0)), &Options::default(), &mut ());
    assert_eq!(done.unwrap().expect("a result").ended, Ended::Failed("broken".to_owned()));
}

/// A long-running test is abandoned when the time is over, and its answer is ignored.
#[test]
fn running_test_is_stopped_at_time_limit() {
    struct Waits(AtomicU64);
    impl Test for Waits {
        fn is_interesting(&self, _: &str, stop: &Stop<'_>) -> Result<bool, String> {
            let first = self.0.fetch_add(1, Ordering::SeqCst) == 0;
            while !first && !stop() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(true)
        }
    }
    let options = Options { time: Some(Duration::from_millis(200)), ..Options::default() };
    let done = reduce(program(NEST).module, &Waits(AtomicU64::new(0)), &options, &mut ());
    let done = done.unwrap().expect("a result");
    assert_eq!((done.ended, done.tries, done.size), (Ended::Time, 1, done.first));
}

#[test]
fn no_text_is_tested_twice() {
    #[derive(Default)]
    struct Remembers(std::sync::Mutex<std::collections::HashSet<String>>);
    impl Test for Remembers {
        fn is_interesting(&self, text: &str, _: &Stop<'_>) -> Result<bool, String> {
            assert!(self.0.lock().unwrap().insert(text.to_owned()), "again:\n{text}");
            Ok(text.contains("@keep(") && text.contains("phi"))
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    pool.install(|| reduce(program(NEST).module, &Remembers::default(), &Options::default(), &mut ()))
        .unwrap()
        .expect("it is interesting");
}

#[test]
fn items_that_nothing_needs_go() {
    let text = by_pass("items", NEST, &["define i64 @f(", "call i32 @helper"]);
    for gone in ["@unused", "@other", "define internal", "triple", "[i32 1, i32 2"] {
        assert!(!text.contains(gone), "{gone}:\n{text}");
    }
    assert!(text.contains("declare i32 @helper(i32, i32)"), "{text}");
}

#[test]
fn attributes_go_together_and_one_by_one() {
    let text = by_pass("attributes", NEST, &[]);
    for gone in ["!prof", "!llvm.loop", "attributes #0", "internal i32", "noundef"] {
        assert!(!text.contains(gone), "{gone}:\n{text}");
    }
    let text = by_pass("attributes-each", NEST, &["\"frame-pointer\"", "noundef"]);
    assert!(text.contains("attributes #0 = { \"frame-pointer\"=\"all\" }"), "{text}");
}

#[test]
fn blocks_and_edges_go() {
    let text = by_pass("blocks", NEST, &["@keep(i32 %", "define i64 @f("]);
    assert!(!text.contains("switch") && !text.contains("%again"), "{text}");
    let text = by_pass("edges", NEST, &["inner:", "outer.latch:", "%loaded"]);
    assert!(!text.contains("i32 3, label") && !text.contains("%guard"), "{text}");
}

#[test]
fn what_is_not_reached_may_be_what_matters() {
    let dead = "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  ret i32 %x\n\
        dead:\n  %d = add i32 %x, 1\n  br i1 %c, label %more, label %b\nmore:\n  %m = lshr i32 %d, %x\n  br label %dead\n\
        gone:\n  br label %b\n}\n";
    let text = reduced(dead, &["lshr"], &Options::default()).text;
    assert_eq!(text.lines().filter(|l| l.contains("lshr") || l.contains("ret")).count(), 3, "{text}");
    assert!(!text.contains("br ") && !text.contains("add"), "{text}");
}

#[test]
fn results_become_what_is_there() {
    let text = by_pass("results", NEST, &["@keep(i32 %", "ret i64 %"]);
    assert!(!text.contains("load") && !text.contains("getelementptr"), "{text}");
}

#[test]
fn what_was_used_may_matter_when_it_is_dead() {
    let code = "define ptr @f(ptr %p, ptr %q) {\n  %one = getelementptr i16, ptr %p, i64 1\n  %x = load i1, ptr %one\n\
        store i1 %x, ptr %q\n  ret ptr %q\n}\n";
    let text = by_pass("dead-code", code, &["getelementptr"]);
    assert!(!text.contains("load") && !text.contains("store"), "{text}");
    // If it does not matter, it is removed with the others.
    let text = by_pass("results", code, &["ret ptr %q"]);
    assert!(!text.contains("getelementptr"), "{text}");
}

#[test]
fn straight_control_flow_is_merged() {
    let diamond = "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  br label %m\nb:\n  br label %m\n\
        m:\n  %r = phi i32 [ 1, %a ], [ %x, %b ]\n  br label %e\ne:\n  ret i32 %r\n}\n";
    let text = by_pass("straighten", diamond, &["ret i32 %"]);
    assert!(text.contains("select i1 %c, i32 1, i32 %x"), "{text}");
    assert!(!text.contains("br label %e"), "{text}");
    let swapped = diamond.replace("[ 1, %a ], [ %x, %b ]", "[ %x, %b ], [ 1, %a ]");
    let text = by_pass("straighten", &swapped, &["ret i32 %"]);
    assert!(text.contains("select i1 %c, i32 1, i32 %x"), "{text}");
    let triangle = "define i32 @f(i1 %c, i32 %x) {\nentry:\n  br i1 %c, label %m, label %b\nb:\n  br label %m\n\
        m:\n  %r = phi i32 [ 1, %entry ], [ %x, %b ]\n  ret i32 %r\n}\n";
    let text = by_pass("straighten", triangle, &["ret i32 %"]);
    assert!(text.contains("select i1 %c, i32 1, i32 %x"), "{text}");
}

#[test]
fn passes_of_ours_make_smaller() {
    let foldable = "define i32 @f(i32 %x) {\n  %a = add i32 %x, 0\n  %b = xor i32 %a, %a\n  %c = or i32 %b, %x\n  ret i32 %c\n}\n";
    assert!(by_pass("optimize", foldable, &["ret i32 %"]).contains("ret i32 %x"));
}

#[test]
fn arguments_go_from_pairs_too() {
    let pair = "define i32 @src(i32 %a, i32 %b, i8 %c) {\n  %r = add i32 %a, %b\n  ret i32 %r\n}\n\
        define i32 @tgt(i32 %a, i32 %b, i8 %c) {\n  %r = sub i32 %a, %b\n  ret i32 %r\n}\n";
    let text = by_pass("arguments", pair, &["add i32 %", "sub i32 %"]);
    assert!(text.contains("@src(i32 %a)") && text.contains("@tgt(i32 %a)"), "{text}");
    let called = "define i32 @g(i32 %a, i32 %b) {\n  ret i32 %b\n}\n\
        define i32 @f(i32 %x) {\n  %r = call i32 @g(i32 7, i32 %x)\n  ret i32 %r\n}\n";
    let text = by_pass("arguments", called, &["ret i32 %b", "call i32 @g(i32 %x)"]);
    assert!(text.contains("@g(i32 %b)"), "{text}");
}

#[test]
fn operands_flags_and_constants_become_simple() {
    let text = by_pass("operands", NEST, &["@keep(i32 ", "add nuw nsw i64"]);
    assert!(text.contains("call void @keep(i32 0)"), "{text}");
    let text = by_pass("flags", NEST, &["nsw i64"]);
    assert!(text.contains("add nsw i64 %sum.in") && text.contains("add i32 %j, 1"), "{text}");
    assert!(!text.contains("volatile") && !text.contains("inbounds"), "{text}");
    let text = by_pass("constants", NEST, &["icmp slt i32 %j.next, ", "add nuw nsw i32 %j, 1"]);
    assert!(text.contains("icmp slt i32 %j.next, 0"), "{text}");
}

#[test]
fn integers_become_narrow_together() {
    let wide = "declare i64 @llvm.smax.i64(i64, i64)\ndefine i64 @f(i64 %n, i32 %k) {\nentry:\n  %m = call i64 @llvm.smax.i64(i64 %n, i64 1)\n  \
        %z = zext i32 %k to i64\n  br label %loop\nloop:\n  %i = phi i64 [ %z, %entry ], [ %j, %loop ]\n  %j = add i64 %i, 1000000\n  \
        %t = trunc i64 %j to i32\n  %u = icmp eq i32 %t, %k\n  %c = icmp slt i64 %j, %m\n  %d = and i1 %c, %u\n  br i1 %d, label %loop, label %exit\n\
        exit:\n  ret i64 %j\n}\n";
    let text = by_pass("widths", wide, &["llvm.smax", "zext", "trunc"]);
    assert!(!text.contains("i64"), "{text}");
    let text = by_pass("widths", wide, &["llvm.smax", "icmp slt"]);
    assert!(!text.contains("i64") && !text.contains("i32"), "{text}");
}

#[test]
fn any_file_of_the_corpus_is_reduced_without_harm() {
    let files = backedge_testkit::corpus_files();
    for path in files.iter().step_by(37) {
        let text = std::fs::read_to_string(path).expect("a file");
        let Ok(parsed) = read_module(text.as_bytes()) else { continue };
        let options = Options { max_tries: 60, ..Options::default() };
        let kept = |marker: &'static str| text.contains(marker).then_some(marker);
        let kept: Vec<&str> = [kept("phi"), kept("ret")].into_iter().flatten().collect();
        let done = reduce(parsed.module, &Holds(&kept), &options, &mut ()).unwrap().expect("interesting");
        assert!(done.size < done.first, "{}:\n{}", path.display(), done.text);
    }
}

#[test]
fn a_value_in_the_middle_is_returned() {
    let text = "define i1 @f(i8 %x, ptr %p) {\nentry:\n  %c = icmp eq i8 %x, 0\n  br i1 %c, label %then, label %out\n\
                then:\n  %q = getelementptr i8, ptr %p, i8 %x\n  store i8 1, ptr %q\n  ret i1 true\n\
                out:\n  ret i1 false\n}\n";
    let small = by_pass("returned", text, &["getelementptr"]);
    let expected = "define ptr @f(i8 %x, ptr %p) {\nentry:\n  %c = icmp eq i8 %x, 0\n  \
                    br i1 %c, label %then, label %out\n\nthen:                                             \
                    ; preds = %entry\n  %q = getelementptr i8, ptr %p, i8 %x\n  ret ptr %q\n\n\
                    out:                                              ; preds = %entry\n  ret ptr null\n}\n";
    assert_eq!(small, expected);
    // A caller that uses the result prevents the edit; for a pair, both functions would have to change.
    let caller = format!("{text}define i1 @g() {{\n  %r = call i1 @f(i8 0, ptr null)\n  ret i1 %r\n}}\n");
    let pair = format!("{}{}", text.replace("@f", "@src"), text.replace("@f", "@tgt"));
    for text in [caller, pair] {
        let first = State::new(program(&text));
        let (test, options, mut nobody) = (Holds(&["getelementptr", "store"]), Options::default(), ());
        let mut search = Search::new(&test, &options, &mut nobody, first.clone());
        let pass = PASSES.iter().find(|pass| pass.name == "returned").expect("a pass");
        (pass.run)(&mut search);
        assert_eq!(search.best.text, first.text);
    }
}
