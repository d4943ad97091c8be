//! Proofs without the solver: which pairs are proved, and that near misses are not.

use backedge_ir::parse::read_module;
use backedge_smt::refinement::{FunctionRef, Uninit};
use backedge_smt::simulation::{Options, Outcome, prove};

const DECLARATIONS: &str = "
declare i32 @g(i32)
declare void @h(ptr)
declare i32 @pure(i32) memory(none) nounwind willreturn
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.expect.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.lifetime.end.p0(ptr)
";

fn outcome(source: &str, target: &str) -> Outcome {
    let text = format!("{source}\n{target}\n{DECLARATIONS}");
    let module = read_module(text.as_bytes()).unwrap_or_else(|e| panic!("{e:?}\n{text}")).module;
    let side = |name| FunctionRef { module: &module, func: module.env.func_named(name).expect(name) };
    prove(side("src"), side("tgt"), &Options { uninit: Uninit::Undef })
}

#[track_caller]
fn proves(source: &str, target: &str) {
    assert_eq!(outcome(source, target), Outcome::Refines, "{target}");
}

#[track_caller]
fn leaves_open(source: &str, target: &str) {
    assert_ne!(outcome(source, target), Outcome::Refines, "{target}");
}

/// The pair in both orders: only the first one is right.
#[track_caller]
fn proves_one_way(source: &str, target: &str) {
    proves(source, target);
    leaves_open(&target.replace("@tgt", "@src"), &source.replace("@src", "@tgt"));
}

const LOOP: &str = "define i32 @src(ptr %p, i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %v = mul nsw i32 %x, 3
  %l = load i32, ptr %p, align 4
  %a = add i32 %v, %l
  %t = add i32 %s, %a
  %j = add nuw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret i32 %t
}";

#[test]
fn code_that_moves_out_of_a_loop() {
    let hoisted = "define i32 @tgt(ptr %p, i32 %n, i32 %x) {
entry:
  %v = mul i32 %x, 3
  %l = load i32, ptr %p, align 4
  %a = add i32 %v, %l
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %t = add i32 %s, %a
  %j = add nuw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret i32 %t
}";
    proves(LOOP, hoisted);
    leaves_open(LOOP, &hoisted.replace("mul i32 %x, 3", "mul i32 %x, 4"));
    leaves_open(LOOP, &hoisted.replace("mul i32 %x, 3", "mul nuw i32 %x, 3"));
    leaves_open(LOOP, &hoisted.replace("align 4", "align 8"));
    leaves_open(LOOP, &hoisted.replace("ult", "ule"));
    // An access that the source makes only if the loop runs.
    let guarded = LOOP.replace("  br label %loop\nloop:", "  br i1 true, label %loop, label %end\nloop:");
    proves(&guarded.replace("ret i32 %t", "ret i32 0"), &hoisted.replace("ret i32 %t", "ret i32 0"));
    let skipped = "define i32 @src(ptr %p, i32 %n, i32 noundef %x) {
entry:
  %e = icmp eq i32 %x, 0
  br i1 %e, label %end, label %more
more:
  %l = load i32, ptr %p, align 4
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ %l, %more ]
  ret i32 %r
}";
    let early = "define i32 @tgt(ptr %p, i32 %n, i32 noundef %x) {
entry:
  %l = load i32, ptr %p, align 4
  %e = icmp eq i32 %x, 0
  br i1 %e, label %end, label %more
more:
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ %l, %more ]
  ret i32 %r
}";
    leaves_open(skipped, early);
    let known = |text: &str| {
        text.replace("ptr %p", "ptr noundef dereferenceable(4) align 4 %p")
            .replace("load i32, ptr noundef dereferenceable(4) align 4 %p", "load i32, ptr %p")
    };
    proves(&known(skipped), &known(early));
}

#[test]
fn flags_may_be_dropped_but_not_added() {
    for (more, less) in [
        ("add nsw i8 %x, %y", "add i8 %x, %y"),
        ("add nuw nsw i8 %x, %y", "add nuw i8 %y, %x"),
        ("udiv exact i8 %x, 2", "udiv i8 %x, 2"),
        ("or disjoint i8 %x, %y", "or i8 %x, %y"),
        ("shl nuw i8 %x, 1", "shl i8 %x, 1"),
    ] {
        let function = |name: &str, op: &str| {
            format!("define i8 @{name}(i8 %x, i8 %y) {{\n  %r = {op}\n  ret i8 %r\n}}")
        };
        proves_one_way(&function("src", more), &function("tgt", less));
    }
}

#[test]
fn a_branch_that_moves_out_of_a_loop() {
    let source = "define void @src(i1 %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  br i1 %c, label %call, label %next
call:
  %r = call i32 @g(i32 %i)
  br label %next
next:
  %j = add i32 %i, 1
  %d = icmp ult i32 %j, %n
  br i1 %d, label %loop, label %end
end:
  ret void
}";
    let target = "define void @tgt(i1 %c, i32 %n) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %with, label %without
with:
  br label %a
a:
  %i = phi i32 [ 0, %with ], [ %j, %a ]
  %r = call i32 @g(i32 %i)
  %j = add i32 %i, 1
  %d = icmp ult i32 %j, %n
  br i1 %d, label %a, label %end
without:
  br label %b
b:
  %k = phi i32 [ 0, %without ], [ %l, %b ]
  %l = add i32 %k, 1
  %e = icmp ult i32 %l, %n
  br i1 %e, label %b, label %end
end:
  ret void
}";
    proves(source, target);
    // The loop always branches on the condition before anything happens.
    proves(source, &target.replace("  %f = freeze i1 %c\n", "").replace("i1 %f", "i1 %c"));
    leaves_open(source, &target.replace("label %with, label %without", "label %without, label %with"));
    // Here the condition is used only after a call, which need not return.
    let later =
        source.replace("  br label %loop\nloop:", "  %z = call i32 @g(i32 7)\n  br label %loop\nloop:");
    let early = target
        .replace("  %f = freeze i1 %c\n  br", "  br")
        .replace("i1 %f", "i1 %c")
        .replace("with:\n", "with:\n  %z = call i32 @g(i32 7)\n")
        .replace("without:\n", "without:\n  %y = call i32 @g(i32 7)\n");
    leaves_open(&later, &early);
    let frozen = early.replace("entry:\n", "entry:\n  %f = freeze i1 %c\n").replace("br i1 %c", "br i1 %f");
    proves(&later, &frozen);
}

#[test]
fn a_loop_that_is_deleted() {
    let source = "define void @src(i32 %n) ATTRIBUTES {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 2
  %c = icmp ne i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}";
    let target = "define void @tgt(i32 %n) ATTRIBUTES {\n  ret void\n}";
    let with = |text: &str, attributes: &str| text.replace("ATTRIBUTES", attributes);
    leaves_open(&with(source, ""), &with(target, ""));
    proves(&with(source, "mustprogress"), &with(target, "mustprogress"));
    leaves_open(&with(target, "").replace("@tgt", "@src"), &with(source, "").replace("@src", "@tgt"));
    let calls = source.replace("  %j =", "  %r = call i32 @g(i32 %i)\n  %j =");
    leaves_open(&with(&calls, "mustprogress"), &with(target, "mustprogress"));
    let spins =
        "define void @tgt(i32 %n) mustprogress {\nentry:\n  br label %loop\nloop:\n  br label %loop\n}";
    let stays = spins.replace("@tgt", "@src").replace(" mustprogress", "");
    leaves_open(&stays, spins);
    proves(&spins.replace("@tgt", "@src"), &stays.replace("@src", "@tgt"));
}

#[test]
fn memory_of_the_function_itself() {
    let source = "define i32 @src(i32 %x) {
  %a = alloca i32, align 4
  store i32 %x, ptr %a, align 4
  %r = call i32 @g(i32 1)
  %v = load i32, ptr %a, align 4
  ret i32 %v
}";
    let target = "define i32 @tgt(i32 %x) {
  %r = call i32 @g(i32 1)
  ret i32 %x
}";
    proves(source, target);
    leaves_open(source, &target.replace("i32 1)", "i32 2)"));
    let escapes = source.replace("  %r =", "  call void @h(ptr %a)\n  %r =");
    let without = escapes
        .replace("@src", "@tgt")
        .replace("  %v = load i32, ptr %a, align 4\n  ret i32 %v", "  ret i32 %x");
    proves(&escapes, &escapes.replace("@src", "@tgt"));
    leaves_open(&escapes, &without);
    let marked = "define i32 @src(i32 %x) {
  %a = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  store i32 %x, ptr %a, align 4
  %v = load i32, ptr %a, align 4
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i32 %v
}";
    let late = "define i32 @tgt(i32 %x) {
  %a = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  store i32 %x, ptr %a, align 4
  call void @llvm.lifetime.end.p0(ptr %a)
  %v = load i32, ptr %a, align 4
  ret i32 %v
}";
    proves(marked, &marked.replace("@src", "@tgt"));
    leaves_open(marked, late);
}

#[test]
fn stores_and_loads() {
    let source = "define i32 @src(ptr %p, i32 %x, i32 %y) {
  %q = getelementptr inbounds i8, ptr %p, i64 4
  store i32 %x, ptr %p, align 4
  store i32 %y, ptr %q, align 4
  %v = load i32, ptr %p, align 4
  ret i32 %v
}";
    let target = "define i32 @tgt(ptr %p, i32 %x, i32 %y) {
  %q = getelementptr inbounds i32, ptr %p, i64 1
  store i32 %y, ptr %q, align 4
  store i32 %x, ptr %p, align 4
  ret i32 %x
}";
    proves(source, target);
    leaves_open(source, &target.replace("i64 1", "i64 2"));
    leaves_open(
        source,
        &target.replace("store i32 %x, ptr %p, align 4\n", "store i32 %x, ptr %p, align 8\n"),
    );
    leaves_open(
        &source.replace("i64 4", "i64 3"),
        &target.replace("i32, ptr %p, i64 1", "i8, ptr %p, i64 3"),
    );
    let dead = source.replace(
        "  store i32 %y",
        "  store i32 %y, ptr %p, align 4\n  store i32 %x, ptr %p, align 4\n  store i32 %y",
    );
    proves(&dead, target);
    // A store of what the memory holds may spread poison, so it may be dropped but not added.
    let idle = "define void @src(ptr %p) {\n  %v = load i32, ptr %p, align 4\n  store i32 %v, ptr %p, align 4\n  ret void\n}";
    let none = "define void @tgt(ptr %p) {\n  ret void\n}";
    proves_one_way(idle, none);
}

#[test]
fn calls_in_order() {
    let calls = |name: &str, first: &str, second: &str| {
        format!(
            "define i32 @{name}(i32 %x) {{\n  %a = call i32 {first}\n  %b = call i32 {second}\n  %c = sub i32 %a, %b\n  ret i32 %c\n}}"
        )
    };
    let source = calls("src", "@g(i32 1)", "@g(i32 2)");
    proves(&source, &calls("tgt", "@g(i32 1)", "@g(i32 2)"));
    leaves_open(&source, &calls("tgt", "@g(i32 2)", "@g(i32 1)"));
    leaves_open(&source, &calls("tgt", "@pure(i32 1)", "@pure(i32 2)"));
    // A function without effects may be called once instead of twice, but not twice instead of once.
    let twice = calls("src", "@pure(i32 %x)", "@pure(i32 %x)");
    let once =
        "define i32 @tgt(i32 %x) {\n  %a = call i32 @pure(i32 %x)\n  %c = sub i32 %a, %a\n  ret i32 %c\n}";
    proves_one_way(&twice, once);
}

#[test]
fn results_that_are_chosen() {
    let function = |name: &str, code: &str| format!("define i32 @{name}(i32 %x) {{\n{code}  ret i32 %r\n}}");
    let once = "  %a = mul i32 %x, 3\n  %r = sub i32 %a, %a\n";
    let twice = "  %a = mul i32 %x, 3\n  %b = mul i32 %x, 3\n  %r = sub i32 %a, %b\n";
    proves_one_way(&function("src", twice), &function("tgt", once));
    let frozen = "  %a = freeze i32 %x\n  %r = sub i32 %a, %a\n";
    let apart = "  %a = freeze i32 %x\n  %b = freeze i32 %x\n  %r = sub i32 %a, %b\n";
    proves_one_way(&function("src", apart), &function("tgt", frozen));
    let float = |name: &str, code: &str| format!("define i1 @{name}(float %x, float %y) {{\n{code}}}");
    let compared = "  %a = fadd float %x, %y\n  %b = fadd float %x, %y\n  %i = bitcast float %a to i32\n  %j = bitcast float %b to i32\n  %r = icmp eq i32 %i, %j\n  ret i1 %r\n";
    let same =
        "  %a = fadd float %x, %y\n  %i = bitcast float %a to i32\n  %r = icmp eq i32 %i, %i\n  ret i1 %r\n";
    proves_one_way(&float("src", compared), &float("tgt", same));
}

#[test]
fn divisions() {
    let function = |name: &str, code: &str| {
        format!("define i8 @{name}(i1 noundef %c, i8 noundef %x, i8 noundef %y) {{\n{code}}}")
    };
    let guarded = "entry:\n  br i1 %c, label %a, label %b\na:\n  %d = sdiv i8 %x, %y\n  br label %b\nb:\n  %r = phi i8 [ 0, %entry ], [ %d, %a ]\n  ret i8 %r\n";
    let early = "entry:\n  %d = sdiv i8 %x, %y\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %r = phi i8 [ 0, %entry ], [ %d, %a ]\n  ret i8 %r\n";
    leaves_open(&function("src", guarded), &function("tgt", early));
    proves(&function("src", early), &function("tgt", guarded));
    let by_three = |text: &str| text.replace("%x, %y", "%x, 3");
    proves(&function("src", &by_three(guarded)), &function("tgt", &by_three(early)));
    let by_minus_one = |text: &str| text.replace("%x, %y", "%x, -1");
    leaves_open(&function("src", &by_minus_one(guarded)), &function("tgt", &by_minus_one(early)));
    // The dividend of the source may be poison where the target's is the least integer.
    let hidden = "  %n = sub nsw i8 0, %x\n  %d = sdiv i8 %n, %y\n  ret i8 0\n";
    let bare = "  %n = sub i8 0, %x\n  %d = sdiv i8 %n, %y\n  ret i8 0\n";
    leaves_open(&function("src", hidden), &function("tgt", bare));
}

#[test]
fn a_constant_number_of_iterations() {
    let source = "define void @src(ptr noundef %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 7, ptr %q, align 4
  %j = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %j, COUNT
  br i1 %c, label %end, label %loop
end:
  ret void
}";
    let store = |n: u32| {
        format!("  %q{n} = getelementptr inbounds i32, ptr %p, i64 {n}\n  store i32 7, ptr %q{n}, align 4\n")
    };
    let whole = |count: u32| {
        format!(
            "define void @tgt(ptr noundef %p) {{\n{}  ret void\n}}",
            (0..count).map(store).collect::<String>()
        )
    };
    proves(&source.replace("COUNT", "5"), &whole(5));
    leaves_open(&source.replace("COUNT", "5"), &whole(4));
    leaves_open(&source.replace("COUNT", "5"), &whole(6));
    let by_two = "define void @tgt(ptr noundef %p) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %q = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 7, ptr %q, align 4
  %k = add nuw nsw i64 %i, 1
  %r = getelementptr inbounds i32, ptr %p, i64 %k
  store i32 7, ptr %r, align 4
  %j = add nuw nsw i64 %i, 2
  %c = icmp eq i64 %j, COUNT
  br i1 %c, label %end, label %loop
end:
  ret void
}";
    proves(&source.replace("COUNT", "1000"), &by_two.replace("COUNT", "1000"));
    leaves_open(&source.replace("COUNT", "1000"), &by_two.replace("COUNT", "1002"));
    leaves_open(&source.replace("COUNT", "1001"), &by_two.replace("COUNT", "1000"));
}

#[test]
fn statements_at_calls_of_intrinsics() {
    for (call, argument) in [
        ("call void @llvm.memset.p0.i64(ptr ATTRIBUTE%p, i8 0, i64 4, i1 false)", "ptr ATTRIBUTE%p"),
        ("call void @llvm.prefetch.p0(ptr ATTRIBUTE%p, i32 0, i32 3, i32 1)", "ptr ATTRIBUTE%p"),
        ("%r = call i64 @llvm.expect.i64(i64 ATTRIBUTE%x, i64 1)", "i64 ATTRIBUTE%x"),
        ("%r = call i64 @llvm.umax.i64(i64 ATTRIBUTE%x, i64 1)", "i64 ATTRIBUTE%x"),
    ] {
        let attributes = if argument.starts_with("ptr") {
            ["dereferenceable(64) ", "align 64 ", "nonnull ", "noundef "]
        } else {
            ["noundef ", "range(i64 0, 4) ", "noundef range(i64 0, 4) ", "noundef range(i64 1, 0) "]
        };
        let function = |name: &str, attribute: &str| {
            let call = call.replace("ATTRIBUTE", attribute);
            format!("define void @{name}(ptr %p, i64 %x) {{\n  {call}\n  ret void\n}}")
        };
        proves(&function("src", ""), &function("tgt", ""));
        for attribute in attributes {
            if attribute.starts_with("range") {
                // Nothing uses the result, which is poison outside the range.
                continue;
            }
            leaves_open(&function("src", ""), &function("tgt", attribute));
        }
    }
}
