//! Tests of `loop-deletion`, and of each reason to do nothing.

use crate::common;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::module;
use backedge_transform::deletion::LoopDeletion;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::simplify::LoopSimplify;

/// The module after the pass, and its remarks without their common prefix.
fn after(text: &str) -> (String, Vec<String>) {
    let mut module = module(text);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    common::run_pass(env, func, body, &LoopSimplify);
    common::run_pass(env, func, body, &Lcssa);
    let remarks = common::run_loop_pass(env, func, body, &LoopDeletion);
    let printed = module_to_string(&module);
    assert_eq!(verify_module(&module), [], "{printed}");
    let remarks =
        remarks.iter().map(|r| r.to_string().replace("@f: loop %loop: loop-delete: ", "")).collect();
    (printed, remarks)
}

fn is_gone(text: &str, remark: &str) {
    let (printed, remarks) = after(text);
    assert_eq!(remarks, [remark], "{printed}");
    assert!(!printed.contains("phi i32 [ 0, %entry ], [ %j"), "{printed}");
}

fn stays(text: &str, remark: &str) {
    let (printed, remarks) = after(text);
    assert_eq!(remarks, [format!("missed: {remark}")], "{printed}");
    assert!(printed.contains("loop:"), "{printed}");
}

/// A loop that counts `%i` up to `%n`, with `inside` in its body and `result` returned.
fn counting(attributes: &str, inside: &str, result: &str) -> String {
    format!(
        "declare void @g()\ndeclare i32 @pure() memory(none)\ndefine i32 @f(i32 %n, i32 %x, ptr %p) {attributes} {{\nentry:\n  \
         br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  {inside}\n  %j = add nuw i32 %i, 1\n  \
         %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n  ret i32 {result}\n}}\n"
    )
}

#[test]
fn nothing_needed() {
    is_gone(&counting("", "", "5"), "deleted: it has no observable effect");
}

#[test]
fn invariant_results() {
    let text = counting("", "%a = mul i32 %x, 3\n  %b = add nsw i32 %a, 1", "%b");
    is_gone(&text, "deleted: it has no observable effect; 2 instruction(s) hoisted");
    assert!(after(&text).0.contains("add nsw i32 %a, 1"));
}

#[test]
fn results_that_change() {
    stays(&counting("", "", "%i"), "%i.lcssa takes a value that changes in the loop");
    // A division must not be speculated.
    stays(&counting("", "%d = udiv i32 7, %x", "%d"), "%d.lcssa takes a value that changes in the loop");
}

#[test]
fn effects() {
    stays(&counting("", "store i32 1, ptr %p", "0"), "the loop has an effect: store");
    stays(&counting("", "call void @g()", "0"), "the loop has an effect: call");
    stays(&counting("", "%v = load volatile i32, ptr %p", "0"), "the loop has an effect: load");
    // It may not return.
    stays(&counting("", "%v = call i32 @pure()", "0"), "the loop has an effect: call");
}

/// A loop that runs until an invariant bit of `%x` is set.
fn endless(attributes: &str) -> String {
    format!(
        "define i32 @f(i32 %x) {attributes} {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = xor i32 %i, %x\n  %c = icmp eq i32 %j, 77\n  \
         br i1 %c, label %out, label %loop\nout:\n  ret i32 1\n}}\n"
    )
}

#[test]
fn loops_that_may_run_forever() {
    stays(&endless(""), "the loop may run forever");
    is_gone(&endless("mustprogress"), "deleted: it has no observable effect");
}

/// Eight iterations, each of which runs an irreducible cycle with two entries while `%more` holds; `%out` at the end.
fn with_cycle_inside(attributes: &str, metadata: &str, more: &str, latch: &str) -> String {
    format!(
        "define i32 @f(i32 %n, i1 %p) {attributes} {{\nentry:\n  br label %loop\nloop:\n  \
         %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  br i1 %p, label %a, label %b\na:\n  \
         %x = phi i32 [ 0, %loop ], [ %y, %b ]\n  br label %b\nb:\n  %y = phi i32 [ 1, %loop ], [ %x, %a ]\n  {more}\n  \
         br i1 %more, label %a, label %latch\nlatch:\n  %j = add nuw i32 %i, 1\n  {latch}\n  \
         br i1 %c, label %loop, label %out{metadata}\nout:\n  ret i32 1\n}}\n\n!0 = distinct !{{!0, !1}}\n\
         !1 = !{{!\"llvm.loop.mustprogress\"}}\n"
    )
}

#[test]
fn irreducible_cycles_may_run_forever() {
    let (more, latch) = ("%more = icmp eq i32 %n, 7", "%c = icmp ult i32 %j, 8");
    stays(&with_cycle_inside("", "", more, latch), "the loop may run forever");
    // `mustprogress` of the loop does not apply to the cycle.
    stays(&with_cycle_inside("", ", !llvm.loop !0", more, latch), "the loop may run forever");
    is_gone(&with_cycle_inside("mustprogress", "", more, latch), "deleted: it has no observable effect");
}

/// In the first iteration control reaches `b` twice, with %y 1 and 2: the second time it continues to the latch.
#[test]
fn first_iteration_with_an_irreducible_cycle() {
    let text = "define i32 @f(i32 %n) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  \
                %odd = trunc i32 %i to i1\n  br i1 %odd, label %a, label %b\na:\n  \
                %x = phi i32 [ 0, %loop ], [ %z, %b ]\n  br label %b\nb:\n  %y = phi i32 [ 1, %loop ], [ %x, %a ]\n  \
                %z = add i32 %y, 1\n  %more = icmp ult i32 %z, 3\n  br i1 %more, label %a, label %latch\nlatch:\n  \
                %j = add i32 %i, 1\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n  ret i32 %z\n}\n";
    stays(text, "%z.lcssa takes a value that changes in the loop");
}

#[test]
fn no_exit() {
    let text = |attributes: &str| {
        format!("define void @f() {attributes} {{\nentry:\n  br label %loop\nloop:\n  br label %loop\n}}\n")
    };
    stays(&text(""), "the loop may run forever");
    let (printed, remarks) = after(&text("mustprogress"));
    assert_eq!(remarks, ["deleted: it has no exit but must terminate"]);
    assert!(printed.contains("unreachable") && !printed.contains("loop:"), "{printed}");
}

#[test]
fn never_entered() {
    let text = "define void @f(i32 %n) {\nentry:\n  %z = icmp ult i32 %n, 0\n  br i1 %z, label %pre, label %out\npre:\n  \
                br label %loop\nloop:\n  br label %loop\nout:\n  ret void\n}\n";
    let (printed, remarks) = after(text);
    assert_eq!(remarks, ["deleted: control never reaches it"]);
    assert!(!printed.contains("loop:"), "{printed}");
}

#[test]
fn a_loop_that_no_way_leads_to() {
    let text = "define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %one, label %two
one:
  br i1 true, label %out, label %loop
two:
  br i1 false, label %loop, label %out
loop:
  %i = phi i32 [ 0, %one ], [ 1, %two ], [ %j, %loop ]
  %j = add i32 %i, 1
  br i1 %c, label %loop, label %out
out:
  %r = phi i32 [ 7, %one ], [ 8, %two ], [ %j, %loop ]
  ret i32 %r
}";
    let (printed, remarks) = after(text);
    assert_eq!(remarks.last().map(String::as_str), Some("deleted: control never reaches it"), "{printed}");
    assert!(!printed.contains("loop:") && printed.contains("[ 7, %one ], [ 8, %two ]"), "{printed}");
    // One path that may lead to it is enough.
    let (printed, remarks) = after(&text.replace(
        "br i1 false, label %loop",
        "%z = icmp eq i32 %n, 3
  br i1 %z, label %loop",
    ));
    assert!(printed.contains("loop:") && remarks[0].starts_with("missed: "), "{printed}");
}

/// A loop with a side effect that is left in its first iteration.
fn once(exit: &str) -> String {
    format!(
        "declare void @g()\ndefine i32 @f(i32 %n) {{\nentry:\n  %big = icmp ugt i32 %n, 9\n  br i1 %big, label %pre, label %no\n\
         pre:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %pre ], [ %j, %loop ]\n  call void @g()\n  %j = add i32 %i, 1\n  \
         %c = {exit}\n  br i1 %c, label %loop, label %out\nout:\n  ret i32 %j\nno:\n  ret i32 0\n}}\n"
    )
}

#[test]
fn backedges_that_are_not_taken() {
    for exit in ["icmp eq i32 %i, 1", "icmp ugt i32 %i, %n", "icmp ult i32 %n, %j"] {
        let (printed, remarks) = after(&once(exit));
        assert_eq!(remarks, ["its backedge is never taken, and is gone"], "{printed}");
        assert!(!printed.contains("label %loop, label %out") && printed.contains("@g()"), "{printed}");
    }
    stays(&once("icmp ult i32 %j, %n"), "the loop has an effect: call");
}

/// A loop with two exits, to the blocks `a` and `b`.
fn two_exits(a: &str, b: &str, join: &str) -> String {
    format!(
        "define i32 @f(i32 %n, i32 %x) {{\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  \
         %j = add nuw i32 %i, 1\n  %d = icmp eq i32 %i, %x\n  br i1 %d, label %a, label %latch\nlatch:\n  \
         %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %b\na:\n  {a}\nb:\n  {b}\n{join}}}\n"
    )
}

#[test]
fn several_exits() {
    let join = |x: &str, y: &str| format!("join:\n  %r = phi i32 [ {x}, %a ], [ {y}, %b ]\n  ret i32 %r\n");
    let (to, differ) = ("br label %join", "which of the 2 exit blocks is taken matters");
    is_gone(&two_exits(to, to, &join("%x", "%x")), "deleted: it has no observable effect");
    let uncounted = |text: String| {
        text.replace("icmp eq i32 %i, %x", "icmp eq i32 %s, %x")
            .replace("  %d =", "  %s = mul i32 %i, %i\n  %d =")
    };
    stays(&uncounted(two_exits(to, to, &join("1", "2"))), differ);
    // The exits agree, but on a value that only the loop can compute.
    stays(&two_exits(to, to, &join("%i", "%i")), "%i.lcssa takes a value that changes in the loop");
    stays(&two_exits(to, to, &join("%i", "%j")), differ);
    stays(&uncounted(two_exits("ret i32 1", "ret i32 1", "")), differ);
}

#[test]
fn the_counts_decide() {
    let decided = "deleted: by which of its 2 exits it is left is decided before it";
    let (printed, remarks) = after(&two_exits("ret i32 1", "%y = add i32 %x, 2\n  ret i32 %y", ""));
    assert_eq!(remarks, [decided], "{printed}");
    // Of two exits that leave in the same iteration, the earlier one is taken; both counts are frozen.
    let (freezes, compares) =
        (printed.matches("= freeze i32").count(), printed.matches("icmp ule i32").count());
    assert_eq!((freezes, compares), (2, 1), "{printed}");
    assert!(
        printed.contains("br i1 %exit.first, label %a, label %b") && !printed.contains("loop:"),
        "{printed}"
    );
    // The values of both edges are kept apart if they lead to one block.
    let text = "define i32 @f(i32 %n, i32 %x) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  %j = add nuw i32 %i, 1\n  %d = icmp eq i32 %i, %x\n  \
                br i1 %d, label %out, label %latch\nlatch:\n  %v = mul i32 %x, 3\n  %c = icmp ult i32 %j, %n\n  \
                br i1 %c, label %loop, label %out\nout:\n  %r = phi i32 [ 1, %loop ], [ %v, %latch ]\n  ret i32 %r\n}\n";
    let (printed, remarks) = after(text);
    assert_eq!(remarks, [decided], "{printed}");
    assert!(printed.contains("phi i32 [ 1, %entry ], [ %v, %exit.later ]"), "{printed}");
    // An exit that only some iterations pass has no count.
    let text = two_exits("ret i32 1", "ret i32 2", "").replace(
        "br i1 %d, label %a, label %latch",
        "%odd = trunc i32 %i to i1\n  br i1 %odd, label %maybe, label %latch\nmaybe:\n  br i1 %d, label %a, label %latch",
    );
    stays(&text, "which of the 2 exit blocks is taken matters");
    // An existing value costs nothing.
    let dear =
        (1..=12).fold(String::new(), |text, k| text + &format!("%m{k} = udiv i32 %n, {}\n  ", 2 * k + 1));
    let sum = (2..=12).fold("%s1 = add i32 %m1, 0\n  ".to_owned(), |text, k| {
        text + &format!("%s{k} = xor i32 %s{}, %m{k}\n  ", k - 1)
    });
    let text = two_exits("ret i32 1", "ret i32 2", "").replace("entry:\n", &format!("entry:\n  {dear}{sum}"));
    let text = text.replace("icmp eq i32 %i, %x", "icmp eq i32 %i, %s12");
    assert_eq!(after(&text).1, [decided]);
}

#[test]
fn one_exit_block_of_two_exits() {
    let text = |x: &str, y: &str| {
        format!(
            "define i32 @f(i32 %n, i32 %x) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i32 [ 0, %entry ], [ %j, %latch ]\n  %j = add nuw i32 %i, 1\n  %d = icmp eq i32 %i, %x\n  \
             br i1 %d, label %out, label %latch\nlatch:\n  %c = icmp ult i32 %j, %n\n  br i1 %c, label %loop, label %out\n\
             out:\n  %r = phi i32 [ {x}, %loop ], [ {y}, %latch ]\n  ret i32 %r\n}}\n"
        )
    };
    is_gone(&text("%x", "%x"), "deleted: it has no observable effect");
    let uncounted = text("1", "2")
        .replace("icmp eq i32 %i, %x", "icmp eq i32 %s, %x")
        .replace("  %d =", "  %s = mul i32 %i, %i\n  %d =");
    stays(&uncounted, "%r takes a value that changes in the loop");
}

#[test]
fn not_simplified() {
    // Several entries mean that the loop has no preheader, since loop-simplify is not run.
    let text = "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  br label %loop\nb:\n  br label %loop\n\
                loop:\n  br i1 %c, label %loop, label %out\nout:\n  ret void\n}\n";
    let mut module = module(text);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    let remarks = common::run_loop_pass(env, func, body, &LoopDeletion);
    assert_eq!(
        remarks[0].to_string(),
        "@f: loop %loop: loop-delete: missed: the loop is not in loop simplify form"
    );
}
