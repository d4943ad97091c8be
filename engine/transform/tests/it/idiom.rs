//! Tests of `loop-idiom`, and of each reason to do nothing.

use crate::common;
use backedge_ir::print::module_to_string;
use backedge_ir::verify::verify_module;
use backedge_testkit::module;
use backedge_transform::idiom::LoopIdiom;
use backedge_transform::lcssa::Lcssa;
use backedge_transform::simplify::LoopSimplify;

/// The module after the pass, and its remarks without their common prefix.
fn after_with(text: &str, pass: LoopIdiom) -> (String, Vec<String>) {
    let mut module = module(text);
    let func = module.bodies().map(|(f, _)| f).next().expect("a body");
    let (env, body) = module.body_mut(func).expect("a body");
    common::run_pass(env, func, body, &LoopSimplify);
    common::run_pass(env, func, body, &Lcssa);
    let remarks = common::run_loop_pass(env, func, body, &pass);
    module.adopt_declarations();
    let printed = module_to_string(&module);
    assert_eq!(verify_module(&module), [], "{printed}");
    let remarks = remarks.iter().map(|r| r.to_string().replace("@f: loop %loop: loop-idiom: ", "")).collect();
    (printed, remarks)
}

fn after(text: &str) -> (String, Vec<String>) {
    after_with(text, LoopIdiom::default())
}

fn becomes(text: &str, call: &str) {
    let (printed, remarks) = after(text);
    assert!(printed.contains(call), "{printed}\n{remarks:?}");
    assert!(!printed.contains("store "), "{printed}");
    assert!(remarks.iter().all(|r| !r.starts_with("missed")), "{remarks:?}");
}

fn stays(text: &str, reason: &str) {
    let (printed, remarks) = after(text);
    assert!(printed.contains("store ") && !printed.contains("call void @llvm"), "{printed}");
    assert_eq!(remarks, [format!("missed: {reason}")], "{printed}");
}

/// A loop over `%n` iterations, counted in `i64`, with `inside` in its body.
fn walking(attributes: &str, inside: &str) -> String {
    format!(
        "define void @f(ptr noalias %p, ptr noalias %q, ptr %r, i64 %n, i8 %v, i32 %w) {attributes} {{\nentry:\n  br label %loop\n\
         loop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n{inside}\n  %j = add nuw i64 %i, 1\n  \
         %c = icmp ult i64 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n  ret void\n}}\n\
         declare void @g()\ndeclare void @writes() willreturn nounwind memory(inaccessiblemem: write)\n"
    )
}

fn store(ty: &str, value: &str, at: &str) -> String {
    format!("  %a{at} = getelementptr inbounds {ty}, ptr %{at}, i64 %i\n  store {ty} {value}, ptr %a{at}\n")
}

#[test]
fn fills() {
    becomes(
        &walking("", &store("i32", "0", "p")),
        "call void @llvm.memset.p0.i64(ptr align 4 %p, i8 0, i64 %",
    );
    becomes(&walking("", &store("i8", "%v", "p")), "(ptr align 1 %p, i8 %v, i64 %");
    becomes(&walking("", &store("i32", "-1", "p")), "i8 -1, i64");
    becomes(&walking("", &store("i16", "257", "p")), "i8 1, i64");
    becomes(&walking("", &store("double", "0.0", "p")), "(ptr align 8 %p, i8 0, i64 %");
    becomes(&walking("", &store("ptr", "null", "p")), "(ptr align 8 %p, i8 0, i64 %");
    becomes(&walking("", &store("[2 x i32]", "zeroinitializer", "p")), "(ptr align 4 %p, i8 0, i64 %");
}

#[test]
fn no_pattern() {
    let (printed, remarks) = after(&walking("", &store("i32", "258", "p")));
    assert!(printed.contains("store i32 258") && remarks.is_empty(), "{printed}\n{remarks:?}");
    let (printed, _) = after(&walking("", &store("i32", "%w", "p")));
    assert!(printed.contains("store i32 %w"), "{printed}");
    // Padding bits next to the value are not stored as part of it.
    stays(
        &walking("", &store("i7", "0", "p")),
        "the stored value is neither a repeated byte nor the result of a matching load",
    );
}

#[test]
fn stores_that_fill_the_stride_together() {
    let member = |n: u32, at: u32| {
        format!("  %m{n} = getelementptr inbounds i8, ptr %s, i64 {at}\n  store i32 0, ptr %m{n}\n")
    };
    let element = "  %s = getelementptr inbounds {i32, i32}, ptr %p, i64 %i\n";
    becomes(&walking("", &format!("{element}{}{}", member(0, 4), member(1, 0))), "call void @llvm.memset");
    stays(
        &walking("", &format!("{element}{}", member(0, 4))),
        "the stores do not fill the stride of their pointers",
    );
    stays(
        &walking("", &format!("{element}{}{}", member(0, 2), member(1, 0))),
        "the stores do not fill the stride of their pointers",
    );
}

#[test]
fn downwards() {
    let text = "define void @f(ptr %p, i64 %n) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i64 [ %n, %entry ], [ %j, %loop ]\n  %a = getelementptr inbounds i32, ptr %p, i64 %i\n  \
                store i32 0, ptr %a\n  %j = add i64 %i, -1\n  %c = icmp eq i64 %i, 0\n  \
                br i1 %c, label %out, label %loop\nout:\n  ret void\n}\n";
    becomes(text, "call void @llvm.memset.p0.i64(ptr align 4 %p, i8 0, i64 %");
}

fn copy(ty: &str, from: &str, to: &str, ahead: i32) -> String {
    format!(
        "  %k = add nsw i64 %i, {ahead}\n  %l = getelementptr inbounds {ty}, ptr %{from}, i64 %k\n  %x = load {ty}, ptr %l\n  \
         %s = getelementptr inbounds {ty}, ptr %{to}, i64 %i\n  store {ty} %x, ptr %s"
    )
}

#[test]
fn copies() {
    becomes(
        &walking("", &copy("i32", "p", "q", 0)),
        "call void @llvm.memcpy.p0.p0.i64(ptr align 4 %q, ptr align 4 %p, i64 %",
    );
    becomes(
        &walking("", &copy("i32", "p", "p", 1)),
        "call void @llvm.memmove.p0.p0.i64(ptr align 4 %p, ptr align 4 %",
    );
    // The load reads what the previous iteration wrote.
    stays(&walking("", &copy("i32", "p", "p", -1)), "something else in the loop may touch the memory");
    // Not known to be disjoint.
    let text = walking("", &copy("i32", "p", "q", 0)).replace("noalias ", "");
    stays(&text, "something else in the loop may touch the memory");
    // The loaded value is used after the memory would have been moved.
    let used = format!("{}\n  %z = add i32 %x, 1\n  store i32 %z, ptr %q", copy("i32", "p", "p", 1));
    let (printed, _) = after(&walking("", &used));
    assert!(!printed.contains("memmove"), "{printed}");
}

#[test]
fn options() {
    let fill = walking("", &store("i32", "0", "p"));
    let (printed, _) = after_with(&fill, LoopIdiom { memset: false, memcpy: true });
    assert!(printed.contains("store i32 0"), "{printed}");
    let copying = walking("", &copy("i32", "p", "q", 0));
    let (printed, _) = after_with(&copying, LoopIdiom { memset: true, memcpy: false });
    assert!(printed.contains("store i32 %x"), "{printed}");
}

#[test]
fn observable() {
    let fill = store("i32", "0", "p");
    let seen = |what: &str| format!("the loop may be observed before it ends, or not terminate: {what}");
    stays(&walking("", &format!("{fill}  call void @g()")), &seen("call"));
    stays(&walking("", &format!("{fill}  call void @writes()")), &seen("call"));
    stays(&walking("", &format!("{fill}  %x = load volatile i32, ptr %q")), &seen("load"));
    // If the cycle in its body never terminates, the loop writes one element.
    let cycle =
        "  br i1 %u, label %a, label %b\na:\n  br label %b\nb:\n  br i1 %u, label %a, label %next\nnext:";
    let text = |attributes: &str| {
        let text = walking(attributes, &format!("{fill}{cycle}"));
        text.replace("i32 %w)", "i32 %w, i1 %u)").replace("[ %j, %loop ]", "[ %j, %next ]")
    };
    stays(&text(""), &seen("an irreducible cycle within"));
    becomes(&text("mustprogress"), "call void @llvm.memset");
    let (printed, _) = after(&walking("", &fill.replace("store", "store volatile")));
    assert!(printed.contains("store volatile"), "{printed}");
}

#[test]
fn touched() {
    let fill = store("i32", "0", "p");
    let reason = "something else in the loop may touch the memory";
    stays(&walking("", &format!("{fill}  %x = load i32, ptr %p")), reason);
    becomes(&walking("", &format!("{fill}  %x = load i32, ptr %q")), "call void @llvm.memset");
}

#[test]
fn conditional() {
    let text = "define void @f(ptr %p, i64 %n, i64 %m) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i64 [ 0, %entry ], [ %j, %latch ]\n  %d = icmp ult i64 %i, %m\n  \
                br i1 %d, label %inside, label %latch\ninside:\n  %a = getelementptr inbounds i32, ptr %p, i64 %i\n  \
                store i32 0, ptr %a\n  br label %latch\nlatch:\n  %j = add nuw i64 %i, 1\n  %c = icmp ult i64 %j, %n\n  \
                br i1 %c, label %loop, label %out\nout:\n  ret void\n}\n";
    stays(text, "not every iteration executes the store");
}

#[test]
fn several_exits() {
    // The store precedes both exits: the count is the minimum of both.
    let text = "define void @f(ptr %p, i64 %n, i64 %m) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i64 [ 0, %entry ], [ %j, %latch ]\n  %a = getelementptr inbounds i32, ptr %p, i64 %i\n  \
                store i32 0, ptr %a\n  %d = icmp eq i64 %i, %m\n  br i1 %d, label %out, label %latch\nlatch:\n  \
                %j = add nuw i64 %i, 1\n  %c = icmp ult i64 %j, %n\n  br i1 %c, label %loop, label %out\nout:\n  ret void\n}\n";
    becomes(text, "call void @llvm.memset");
}

#[test]
fn count_unknown() {
    let text = "define void @f(ptr %p, ptr noalias %q) {\nentry:\n  br label %loop\nloop:\n  \
                %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n  %a = getelementptr inbounds i32, ptr %p, i64 %i\n  \
                store i32 0, ptr %a\n  %b = getelementptr inbounds i32, ptr %q, i64 %i\n  %x = load i32, ptr %b\n  \
                %j = add nuw i64 %i, 1\n  %c = icmp eq i32 %x, 0\n  br i1 %c, label %out, label %loop\nout:\n  ret void\n}\n";
    stays(text, "it is not known how often the loop runs");
}

#[test]
fn library_functions() {
    let fill = store("i32", "0", "p");
    let reason = "the function must not call memset and the like";
    stays(&walking("\"no-builtins\"", &fill), reason);
    let (printed, _) = after(&walking("", &fill).replace("@f(", "@memset("));
    assert!(printed.contains("store i32 0"), "{printed}");
}
