//! Semantics other than arithmetic: calls of all kinds, exits, guards, assumptions, atomics, volatile accesses,
//! globals, allocas, address spaces, byte orders; and old spellings that are equivalent to new ones.

use crate::support::table::{cases, check};
use crate::support::{describe, module, outcome, run};
use backedge_interp::observe::EventKind;

#[test]
fn assumptions_and_guards() {
    let prelude = "declare void @llvm.assume(i1)\ndeclare void @llvm.experimental.guard(i1, ...)\n\
        declare i32 @llvm.experimental.deoptimize.i32(...)\ndeclare i1 @llvm.experimental.widenable.condition()";
    check(
        prelude,
        &cases! {
            "void @f(i1 %c)" { "call void @llvm.assume(i1 %c)\nret void" } ["undef"] => "ub assume-violated";
            "void @f(ptr %p)" { "call void @llvm.assume(i1 true) [\"align\"(ptr %p, i64 4, i64 1)]\nret void" } ["zeros:8"] => "ub assume-violated";
            "void @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 1\ncall void @llvm.assume(i1 true) [\"align\"(ptr %q, i64 4, i64 1)]\nret void" } ["zeros:8"] => "void";
            "void @f(ptr %p)" { "call void @llvm.assume(i1 true) [\"nonnull\"(ptr %p)]\nret void" } ["poison"] => "ub assume-violated";
            "void @f(ptr %p)" { "call void @llvm.assume(i1 true) [\"dereferenceable\"(ptr %p, i64 8)]\nret void" } ["zeros:8"] => "void";
            "void @f(ptr %p)" { "call void @llvm.assume(i1 true) [\"dereferenceable_or_null\"(ptr %p, i64 8)]\nret void" } ["null"] => "void";
            "void @f(ptr %p)" { "call void @llvm.assume(i1 true) [\"dereferenceable_or_null\"(ptr %p, i64 8)]\nret void" } ["zeros:4"] => "ub assume-violated";
            "void @f(i8 %x)" { "call void @llvm.assume(i1 true) [\"noundef\"(i8 %x)]\nret void" } ["undef"] => "ub assume-violated";
            "void @f(i8 %x)" { "call void @llvm.assume(i1 true) [\"noundef\"(i8 %x)]\nret void" } ["3"] => "void";
            "void @f(i8 %x)" { "call void @llvm.assume(i1 true) [\"ignore\"(i8 %x)]\nret void" } ["poison"] => "void";
            "i8 @f(i1 %c)" { "call void (i1, ...) @llvm.experimental.guard(i1 %c, i32 7) [\"deopt\"(i32 1)]\nret i8 1" } ["1"] => "i8 1";
            "i8 @f(i1 %c)" { "call void (i1, ...) @llvm.experimental.guard(i1 %c) [\"deopt\"()]\nret i8 1" } ["0"] => "deoptimized";
            "i8 @f(i1 %c)" { "call void (i1, ...) @llvm.experimental.guard(i1 %c) [\"deopt\"()]\nret i8 1" } ["poison"] => "ub branch-on-poison";
            "i32 @f()" { "%r = call i32 (...) @llvm.experimental.deoptimize.i32(i32 3) [\"deopt\"(i32 1)]\nret i32 %r" } [] => "deoptimized";
            "i1 @f()" { "%r = call i1 @llvm.experimental.widenable.condition()\nret i1 %r" } [], [0] => "i1 true";
            "i1 @f()" { "%r = call i1 @llvm.experimental.widenable.condition()\nret i1 %r" } [], [1] => "i1 false";
        },
    );
}

/// For a call that may unwind, answer 1 means that it throws and answer 2 that it ends the program.
#[test]
fn invokes_and_exits() {
    let prelude = "declare i32 @ext()\ndeclare i32 @p(...)\ndeclare i32 @quiet() nounwind\n\
        define i32 @thrower() personality ptr @p {\n%x = invoke i32 @ext() to label %n unwind label %u\nn:\nret i32 %x\n\
        u:\n%l = landingpad { ptr, i32 } cleanup\nresume { ptr, i32 } %l\n}";
    check(
        prelude,
        &cases! {
            "i32 @f() personality ptr @p" { "%x = invoke i32 @ext() to label %n unwind label %u\nn:\nret i32 1\nu:\n%l = landingpad { ptr, i32 } catch ptr null\nret i32 2" } [], [0] => "i32 1";
            "i32 @f() personality ptr @p" { "%x = invoke i32 @ext() to label %n unwind label %u\nn:\nret i32 1\nu:\n%l = landingpad { ptr, i32 } catch ptr null\nret i32 2" } [], [1] => "i32 2";
            "i32 @f() personality ptr @p" { "%x = invoke i32 @ext() to label %n unwind label %u\nn:\nret i32 1\nu:\n%l = landingpad { ptr, i32 } catch ptr null\nret i32 2" } [], [2] => "exited";
            "i32 @f() personality ptr @p" { "%x = invoke i32 @thrower() to label %n unwind label %u\nn:\nret i32 1\nu:\n%l = landingpad { ptr, i32 } catch ptr null\nret i32 2" } [], [1] => "i32 2";
            "i32 @f()" { "%x = call i32 @thrower()\nret i32 %x" } [], [1] => "threw";
            "i32 @f() nounwind" { "%x = call i32 @thrower()\nret i32 %x" } [], [1] => "ub nounwind-violated";
            "i32 @f()" { "%x = call i32 @quiet()\nret i32 7" } [], [1] => "exited";
            "i32 @f() willreturn" { "%x = call i32 @quiet()\nret i32 7" } [], [1] => "ub willreturn-violated";
        },
    );
}

#[test]
fn atomics_run_by_one_thread() {
    check(
        "",
        &cases! {
            "i32 @f(ptr %p)" { "%r = atomicrmw add ptr %p, i32 5 seq_cst\n%s = load atomic i32, ptr %p acquire, align 4\n%t = add i32 %r, %s\nret i32 %t" } ["bytes:02000000"] => "i32 9";
            "i8 @f(ptr %p)" { "%r = atomicrmw nand ptr %p, i8 6 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:03"] => "i8 -3";
            "i8 @f(ptr %p)" { "%r = atomicrmw umax ptr %p, i8 6 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:ff"] => "i8 -1";
            "i8 @f(ptr %p)" { "%r = atomicrmw min ptr %p, i8 6 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:ff"] => "i8 -1";
            "i8 @f(ptr %p)" { "%r = atomicrmw uinc_wrap ptr %p, i8 3 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:03"] => "i8 0";
            "i8 @f(ptr %p)" { "%r = atomicrmw udec_wrap ptr %p, i8 3 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:00"] => "i8 3";
            "float @f(ptr %p)" { "%r = atomicrmw fadd ptr %p, float 1.5 monotonic\n%s = load float, ptr %p\nret float %s" } ["zeros:4"] => "float 1.5";
            "float @f(ptr %p)" { "%r = atomicrmw fsub ptr %p, float 1.5 monotonic\n%s = load float, ptr %p\nret float %s" } ["zeros:4"] => "float -1.5";
            "float @f(ptr %p)" { "%r = atomicrmw fmax ptr %p, float 1.5 monotonic\n%s = load float, ptr %p\nret float %s" } ["bytes:0000c07f"] => "float 1.5";
            "float @f(ptr %p)" { "%r = atomicrmw fmin ptr %p, float 1.5 monotonic\n%s = load float, ptr %p\nret float %s" } ["zeros:4"] => "float 0.0";
            "i1 @f(ptr %p)" { "%r = atomicrmw fmaximum ptr %p, float 1.5 monotonic\n%s = load float, ptr %p\n%c = fcmp uno float %s, %s\nret i1 %c" } ["bytes:0000c07f"] => "i1 true";
            "float @f(ptr %p)" { "%r = atomicrmw fminimum ptr %p, float -0.0 monotonic\n%s = load float, ptr %p\nret float %s" } ["zeros:4"] => "float -0.0";
            "float @f(ptr %p)" { "%r = atomicrmw fmaximum ptr %p, float -0.0 monotonic\n%s = load float, ptr %p\nret float %s" } ["zeros:4"] => "float 0.0";
            "<2 x half> @f(ptr %p)" { "%r = atomicrmw fadd ptr %p, <2 x half> <half 1.0, half 2.0> monotonic\n%s = load <2 x half>, ptr %p\nret <2 x half> %s" } ["zeros:4"] => "{ half 0x3c00, half 0x4000 }";
            "i8 @f(ptr %p)" { "%r = atomicrmw usub_cond ptr %p, i8 6 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:05"] => "i8 5";
            "i8 @f(ptr %p)" { "%r = atomicrmw usub_sat ptr %p, i8 6 monotonic\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:05"] => "i8 0";
            "{i8, i1} @f(ptr %p, i8 %e)" { "%r = cmpxchg ptr %p, i8 %e, i8 9 seq_cst monotonic\nret {i8, i1} %r" } ["bytes:03", "3"] => "{ i8 3, i1 true }";
            "{i8, i1} @f(ptr %p, i8 %e)" { "%r = cmpxchg ptr %p, i8 %e, i8 9 seq_cst monotonic\nret {i8, i1} %r" } ["bytes:03", "4"] => "{ i8 3, i1 false }";
            "i8 @f(ptr %p, i8 %e)" { "%x = cmpxchg ptr %p, i8 %e, i8 9 seq_cst monotonic\n%r = load i8, ptr %p\nret i8 %r" } ["bytes:03", "3"] => "i8 9";
            "i8 @f(ptr %p)" { "fence syncscope(\"singlethread\") seq_cst\nstore atomic i8 4, ptr %p release, align 1\n%r = load atomic i8, ptr %p unordered, align 1\nret i8 %r" } ["zeros:1"] => "i8 4";
            "i32 @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 1\n%r = load atomic i32, ptr %q monotonic, align 4\nret i32 %r" } ["zeros:8"] => "ub misaligned";
        },
    );
}

/// Volatile accesses are events in order, including those of copies.
#[test]
fn volatile_accesses_are_events() {
    let source = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
        define i8 @f(ptr %p, ptr %q) {\n%r = load volatile i8, ptr %p\nstore volatile i8 %r, ptr %q\n\
        call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 2, i1 true)\n\
        call void @llvm.memset.p0.i64(ptr %q, i8 1, i64 2, i1 true)\n\
        call void @llvm.memset.p0.i64(ptr %q, i8 1, i64 2, i1 false)\nret i8 %r\n}";
    let module = module(source);
    let run = run(&module, "f", &["bytes:0508", "zeros:2"]);
    assert_eq!(describe(&module, "f", &run), "i8 5");
    let kinds: Vec<&str> = run
        .events
        .iter()
        .map(|e| match &e.kind {
            EventKind::VolatileLoad { len: 1, .. } => "load of 1",
            EventKind::VolatileLoad { len: 2, .. } => "load of 2",
            EventKind::VolatileLoad { .. } => "load",
            EventKind::VolatileStore { .. } => "store",
            EventKind::Call { .. } => "call",
            EventKind::Output { .. } => "output",
        })
        .collect();
    assert_eq!(kinds, ["load of 1", "store", "load of 2", "store", "store"]);
}

#[test]
fn calls_and_arguments() {
    let prelude = "%s = type { i32, i32 }\n\
        define i32 @sum(ptr byval(%s) align 4 %p) {\n%q = getelementptr i32, ptr %p, i64 1\n%a = load i32, ptr %p\n%b = load i32, ptr %q\n%r = add i32 %a, %b\nstore i32 0, ptr %p\nret i32 %r\n}\n\
        define void @fill(ptr sret(%s) %p) {\nstore %s { i32 3, i32 4 }, ptr %p\nret void\n}\n\
        define i32 @twice(ptr %g, i32 %x) {\n%a = call i32 %g(i32 %x)\n%b = call i32 %g(i32 %a)\nret i32 %b\n}\n\
        define i32 @inc(i32 %x) {\n%r = add i32 %x, 1\nret i32 %r\n}\n\
        define i32 @fact(i32 %n) {\n%c = icmp eq i32 %n, 0\nbr i1 %c, label %z, label %r\nz:\nret i32 1\nr:\n%m = sub i32 %n, 1\n%p = call i32 @fact(i32 %m)\n%q = mul i32 %n, %p\nret i32 %q\n}\n\
        @table = constant [2 x ptr] [ptr @inc, ptr @fact]\n@inc2 = alias i32 (i32), ptr @inc";
    check(
        prelude,
        &cases! {
            "i32 @f()" { "%p = alloca %s\ncall void @fill(ptr sret(%s) %p)\n%r = call i32 @sum(ptr byval(%s) align 4 %p)\n%a = load i32, ptr %p\n%t = add i32 %r, %a\nret i32 %t" } [] => "i32 10";
            "i32 @f()" { "%r = call i32 @sum(ptr byval(%s) align 4 null)\nret i32 %r" } [] => "ub noundef-violated";
            "i32 @f()" { "%r = call i32 @twice(ptr @inc, i32 5)\nret i32 %r" } [] => "i32 7";
            "i32 @f()" { "%r = call i32 @twice(ptr @inc2, i32 5)\nret i32 %r" } [] => "i32 7";
            "i32 @f()" { "%q = getelementptr [2 x ptr], ptr @table, i64 0, i64 1\n%g = load ptr, ptr %q\n%r = call i32 %g(i32 5)\nret i32 %r" } [] => "i32 120";
            "i32 @f()" { "%q = getelementptr i8, ptr @inc, i64 1\n%r = call i32 %q(i32 5)\nret i32 %r" } [] => "ub bad-callee";
            "i32 @f()" { "%r = call i32 @inc(i32 5, i32 6)\nret i32 %r" } [] => "unsupported a call with another type than its callee's";
            "i32 @f(ptr %p)" { "%r = call i32 %p(i32 5)\nret i32 %r" } ["undef"] => "ub bad-callee";
            "i32 @f(ptr %p)" { "%r = call i32 %p(i32 5)\nret i32 %r" } ["zeros:4"] => "ub bad-callee";
            "i32 @f()" { "%r = load i32, ptr @inc\nret i32 %r" } [] => "ub out-of-bounds";
        },
    );
}

#[test]
fn globals_and_constant_expressions() {
    let prelude = "@a = global [4 x i16] [i16 1, i16 2, i16 3, i16 4]\n@end = global ptr getelementptr inbounds ([4 x i16], ptr @a, i64 0, i64 3)\n\
        @self = global ptr @self\n@n = global i64 ptrtoint (ptr @a to i64)\n@d = global i64 sub (i64 ptrtoint (ptr getelementptr (i16, ptr @a, i64 3) to i64), i64 ptrtoint (ptr @a to i64))\n\
        @s = constant { i8, i32, [2 x i8] } { i8 1, i32 2, [2 x i8] c\"xy\" }\n@z = global [3 x i32] zeroinitializer\n\
        @u = global i8 undef\n@v = constant <2 x i8> splat (i8 7)\n@al = alias i16, getelementptr (i16, ptr @a, i64 1)\n\
        @out = external global i32\n@packed = constant <{ i8, i32 }> <{ i8 1, i32 2 }>";
    check(
        prelude,
        &cases! {
            "i16 @f()" { "%p = load ptr, ptr @end\n%r = load i16, ptr %p\nret i16 %r" } [] => "i16 4";
            "i1 @f()" { "%p = load ptr, ptr @self\n%r = icmp eq ptr %p, @self\nret i1 %r" } [] => "i1 true";
            "i1 @f()" { "%n = load i64, ptr @n\n%m = ptrtoint ptr @a to i64\n%r = icmp eq i64 %n, %m\nret i1 %r" } [] => "i1 true";
            "i64 @f()" { "%r = load i64, ptr @d\nret i64 %r" } [] => "i64 6";
            "i32 @f()" { "%r = load i32, ptr getelementptr ({ i8, i32, [2 x i8] }, ptr @s, i64 0, i32 1)\nret i32 %r" } [] => "i32 2";
            "i8 @f()" { "%r = load i8, ptr getelementptr ({ i8, i32, [2 x i8] }, ptr @s, i64 0, i32 2, i64 1)\nret i8 %r" } [] => "i8 121";
            "i8 @f()" { "%r = load i8, ptr @u\nret i8 %r" } [] => "undef";
            "i8 @f()" { "%r = load i8, ptr getelementptr (i8, ptr @v, i64 1)\nret i8 %r" } [] => "i8 7";
            "i16 @f()" { "%r = load i16, ptr @al\nret i16 %r" } [] => "i16 2";
            "i32 @f()" { "%r = load i32, ptr @out\nret i32 %r" } [] => "i32 0";
            "i32 @f()" { "%q = getelementptr i8, ptr @packed, i64 1\n%r = load i32, ptr %q, align 1\nret i32 %r" } [] => "i32 2";
            "i32 @f()" { "store i32 5, ptr getelementptr (i32, ptr @z, i64 2)\n%r = load i32, ptr getelementptr (i32, ptr @z, i64 2)\nret i32 %r" } [] => "i32 5";
            "void @f()" { "store i8 5, ptr @s\nret void" } [] => "ub read-only-write";
            "i16 @f()" { "%r = load i16, ptr getelementptr (i16, ptr @a, i64 4)\nret i16 %r" } [] => "ub out-of-bounds";
        },
    );
}

#[test]
fn the_stack() {
    let prelude = "declare ptr @llvm.stacksave.p0()\ndeclare void @llvm.stackrestore.p0(ptr)\n\
        define ptr @saved() {\n%s = call ptr @llvm.stacksave.p0()\nret ptr %s\n}";
    check(
        prelude,
        &cases! {
            "i8 @f(i32 %n)" { "%a = alloca i8\nstore i8 1, ptr %a\n%s = call ptr @llvm.stacksave.p0()\n%b = alloca i8, i32 %n\nstore i8 2, ptr %b\ncall void @llvm.stackrestore.p0(ptr %s)\n%r = load i8, ptr %a\nret i8 %r" } ["5"] => "i8 1";
            "i8 @f(i32 %n)" { "%s = call ptr @llvm.stacksave.p0()\n%b = alloca i8, i32 %n\nstore i8 2, ptr %b\ncall void @llvm.stackrestore.p0(ptr %s)\n%r = load i8, ptr %b\nret i8 %r" } ["5"] => "ub use-after-free";
            "void @f(ptr %p)" { "call void @llvm.stackrestore.p0(ptr %p)\nret void" } ["zeros:4"] => "ub invalid-pointer";
            "void @f()" { "%s = call ptr @saved()\ncall void @llvm.stackrestore.p0(ptr %s)\nret void" } [] => "ub use-after-free";
            "i32 @f(i32 %n)" { "br label %l\nl:\n%i = phi i32 [ 0, %0 ], [ %j, %l ]\n%s = call ptr @llvm.stacksave.p0()\n%b = alloca i32, i32 %n\nstore i32 %i, ptr %b\n%v = load i32, ptr %b\ncall void @llvm.stackrestore.p0(ptr %s)\n%j = add i32 %i, 1\n%c = icmp ult i32 %j, 9\nbr i1 %c, label %l, label %e\ne:\nret i32 %v" } ["3"] => "i32 8";
            "i8 @f(i64 %n)" { "%b = alloca i8, i64 %n\nret i8 0" } ["-1"] => "ub alloca-size";
            "i8 @f()" { "%b = alloca [0 x i8]\n%r = load i8, ptr %b\nret i8 %r" } [] => "ub out-of-bounds";
        },
    );
}

/// Pointers of other widths, indices narrower than pointers, and big-endian numbers.
#[test]
fn data_layouts() {
    let run = |layout: &str, body: &str, args: &[&str]| {
        outcome(&format!("target datalayout = \"{layout}\"\n{body}"), args)
    };
    let load24 = "define i24 @f(ptr %p) {\n%r = load i24, ptr %p\nret i24 %r\n}";
    assert_eq!(run("e", load24, &["bytes:01020304"]), "i24 197121");
    assert_eq!(run("E", load24, &["bytes:01020304"]), "i24 66051");
    let store17 = "define i8 @f(ptr %p) {\nstore i17 65538, ptr %p\n%q = getelementptr i8, ptr %p, i64 2\n%r = load i8, ptr %q\nret i8 %r\n}";
    // LangRef ("store") does not specify the padding bits in a value's bytes.
    assert_eq!(run("e", store17, &["zeros:4"]), "i8 0b???????1");
    assert_eq!(run("E", store17, &["zeros:4"]), "i8 2");
    let halves = "define i16 @f(ptr %p) {\nstore i32 16909060, ptr %p\n%r = load i16, ptr %p\nret i16 %r\n}";
    assert_eq!(run("e", halves, &["zeros:4"]), "i16 772");
    assert_eq!(run("E", halves, &["zeros:4"]), "i16 258");
    let vector = "define i16 @f(<2 x i8> %v) {\n%r = bitcast <2 x i8> %v to i16\nret i16 %r\n}";
    assert_eq!(run("e", vector, &["{1, 2}"]), "i16 513");
    assert_eq!(run("E", vector, &["{1, 2}"]), "i16 258");
    let nibbles = "define i8 @f(<2 x i4> %v) {\n%r = bitcast <2 x i4> %v to i8\nret i8 %r\n}";
    assert_eq!(run("e", nibbles, &["{1, 2}"]), "i8 33");
    assert_eq!(run("E", nibbles, &["{1, 2}"]), "i8 18");

    let size = "define i64 @f(ptr %p) {\n%q = getelementptr ptr, ptr %p, i32 1\n%a = ptrtoint ptr %q to i64\n%b = ptrtoint ptr %p to i64\n%r = sub i64 %a, %b\nret i64 %r\n}";
    assert_eq!(run("p:16:16", size, &["zeros:8"]), "i64 2");
    assert_eq!(run("p:32:32", size, &["zeros:8"]), "i64 4");
    let cut =
        "define i32 @f(i32 %x) {\n%p = inttoptr i32 %x to ptr\n%r = ptrtoint ptr %p to i32\nret i32 %r\n}";
    assert_eq!(run("p:16:16", cut, &["0x12345"]), "i32 9029");
    assert_eq!(run("p:32:32", cut, &["0x12345"]), "i32 74565");
    // An 8-bit index wraps within the low byte of a 16-bit address.
    let wraps = "define i16 @f(i16 %x, i32 %i) {\n%p = inttoptr i16 %x to ptr\n%q = getelementptr i8, ptr %p, i32 %i\n%r = ptrtoint ptr %q to i16\nret i16 %r\n}";
    assert_eq!(run("p:16:16:16:8", wraps, &["0x12ff", "1"]), "i16 4608");
    assert_eq!(run("p:16:16:16:16", wraps, &["0x12ff", "1"]), "i16 4864");
    assert_eq!(run("p:16:16", wraps, &["0xffff", "65537"]), "i16 0");

    let spaces = "@g = addrspace(3) global i32 7\ndefine i32 @f() {\n%p = alloca i32, addrspace(5)\n%v = load i32, ptr addrspace(3) @g\nstore i32 %v, ptr addrspace(5) %p\n%r = load i32, ptr addrspace(5) %p\nret i32 %r\n}";
    assert_eq!(run("A5-p3:32:32-p5:32:32", spaces, &[]), "i32 7");
    let cast = "define i8 @f(ptr %p) {\n%q = addrspacecast ptr %p to ptr addrspace(1)\n%r = load i8, ptr addrspace(1) %q\nret i8 %r\n}";
    // LangRef leaves the resulting pointer open.
    assert!(run("e", cast, &["bytes:09"]).contains("addrspacecast"));
    let stored = "define i32 @f(ptr %p) {\n%a = alloca ptr\nstore ptr %p, ptr %a\n%q = load ptr, ptr %a\n%r = load i32, ptr %q\nret i32 %r\n}";
    assert_eq!(run("E-p:32:32", stored, &["bytes:00000009"]), "i32 9");
    assert_eq!(run("p:16:16", stored, &["bytes:09000000"]), "i32 9");
}

/// Pairs of the same function in an old and the current spelling.
#[test]
fn old_and_new_spellings_mean_the_same() {
    let pairs = [
        (
            "define i8 @f(ptr nocapture readonly %p) {\nstore i8 1, ptr %p\nret i8 0\n}",
            "define i8 @f(ptr readonly captures(none) %p) {\nstore i8 1, ptr %p\nret i8 0\n}",
        ),
        (
            "define i8 @f(ptr %p) readnone {\n%r = load i8, ptr %p\nret i8 %r\n}",
            "define i8 @f(ptr %p) memory(none) {\n%r = load i8, ptr %p\nret i8 %r\n}",
        ),
        (
            "define i8 @f(ptr %p) readonly {\nstore i8 1, ptr %p\nret i8 2\n}",
            "define i8 @f(ptr %p) memory(read) {\nstore i8 1, ptr %p\nret i8 2\n}",
        ),
        (
            "define i8 @f(ptr %p) writeonly {\n%r = load i8, ptr %p\nret i8 %r\n}",
            "define i8 @f(ptr %p) memory(write) {\n%r = load i8, ptr %p\nret i8 %r\n}",
        ),
        (
            "define i8 @f(ptr %p) argmemonly {\n%r = load i8, ptr %p\nret i8 %r\n}",
            "define i8 @f(ptr %p) memory(argmem: readwrite) {\n%r = load i8, ptr %p\nret i8 %r\n}",
        ),
        (
            "declare void @llvm.dbg.value(metadata, metadata, metadata)\ndefine i8 @f(ptr %p) !dbg !0 {\n%r = load i8, ptr %p\ncall void @llvm.dbg.value(metadata i8 %r, metadata !3, metadata !DIExpression()), !dbg !4\nret i8 %r\n}\n",
            "define i8 @f(ptr %p) !dbg !0 {\n%r = load i8, ptr %p\n#dbg_value(i8 %r, !3, !DIExpression(), !4)\nret i8 %r\n}\n",
        ),
        (
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i32, i1)\ndefine i8 @f(ptr %p) {\ncall void @llvm.memset.p0.i64(ptr %p, i8 3, i64 2, i32 1, i1 false)\n%r = load i8, ptr %p\nret i8 %r\n}",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndefine i8 @f(ptr %p) {\ncall void @llvm.memset.p0.i64(ptr %p, i8 3, i64 2, i1 false)\n%r = load i8, ptr %p\nret i8 %r\n}",
        ),
        (
            "declare void @llvm.lifetime.start.p0(i64, ptr)\ndefine i8 @f(ptr %p) {\n%a = alloca i8\n%r = load i8, ptr %a\ncall void @llvm.lifetime.start.p0(i64 1, ptr %a)\nret i8 %r\n}",
            "declare void @llvm.lifetime.start.p0(ptr)\ndefine i8 @f(ptr %p) {\n%a = alloca i8\n%r = load i8, ptr %a\ncall void @llvm.lifetime.start.p0(ptr %a)\nret i8 %r\n}",
        ),
    ];
    let expected = [
        "ub readonly-argument",
        "ub memory-effects-violated",
        "ub memory-effects-violated",
        "poison",
        "i8 5",
        "i8 5",
        "i8 3",
        "poison",
    ];
    let debug = "!0 = distinct !DISubprogram(name: \"f\", unit: !1)\n!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2)\n!2 = !DIFile(filename: \"f\", directory: \"\")\n!3 = !DILocalVariable(name: \"r\", scope: !0)\n!4 = !DILocation(line: 1, scope: !0)\n";
    for ((old, new), expected) in pairs.iter().zip(expected) {
        for source in [old, new] {
            let source =
                if source.contains("!dbg") { format!("{source}{debug}") } else { (*source).to_owned() };
            assert_eq!(outcome(&source, &["bytes:0506"]), expected, "{source}");
        }
    }
}

/// Recent spellings: the ones with an effect, and the ones without an effect on a run.
#[test]
fn new_spellings() {
    check(
        "",
        &cases! {
            "i1 @f(i8 %x)" { "%r = icmp samesign ult i8 %x, 5\nret i1 %r" } ["-1"] => "poison";
            "i8 @f(i8 %x)" { "%r = trunc nuw i8 %x to i4\n%s = zext nneg i4 %r to i8\nret i8 %s" } ["9"] => "poison";
            "i8 @f(ptr %p)" { "%q = getelementptr nusw nuw i8, ptr %p, i64 1\n%r = load i8, ptr %q\nret i8 %r" } ["bytes:0203"] => "i8 3";
            "i8 @f(ptr initializes((0, 1)) %p)" { "store i8 1, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["uninit:1"] => "i8 1";
            "i8 @f(ptr dead_on_return %p)" { "store i8 1, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["uninit:1"] => "i8 1";
            "i8 @f(ptr captures(address, read_provenance) %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["bytes:04"] => "i8 4";
            "float @f(float nofpclass(nan inf) %x)" { "ret float %x" } ["nan"] => "poison";
            "float @f(float nofpclass(nan inf) %x)" { "ret float %x" } ["-inf"] => "poison";
            "float @f(float nofpclass(ninf nzero) %x)" { "ret float %x" } ["inf"] => "float inf";
            "float @f(float nofpclass(nzero) %x)" { "ret float %x" } ["-0.0"] => "poison";
            "float @f(float nofpclass(zero) %x)" { "ret float %x" } ["undef"] => "poison";
            "nofpclass(psub) float @f(float %x)" { "ret float %x" } ["bits:0x1"] => "poison";
            "float @f(float noundef nofpclass(norm) %x)" { "ret float %x" } ["1"] => "ub noundef-violated";
            "<2 x half> @f(<2 x half> nofpclass(all) %x)" { "ret <2 x half> %x" } ["{bits:0x3c00, poison}"] => "{ poison, poison }";
            "i8 @f(i8 range(i8 -1, 2) %x)" { "ret i8 %x" } ["2"] => "poison";
        },
    );
}

/// A global that a constant converts to an integer can be accessed through that integer; no other object can.
#[test]
fn constants_expose_what_they_make_integers_of() {
    let prelude = "@g = internal global i32 7\n@other = internal global i32 8\n@table = constant i64 ptrtoint (ptr @g to i64)\n\
        @alias = internal alias i32, ptr @g\n@addr = constant i64 ptrtoaddr (ptr @other to i64)";
    check(
        prelude,
        &cases! {
            "i32 @f()" { "%a = load i64, ptr @table\n%p = inttoptr i64 %a to ptr\n%v = load i32, ptr %p\nret i32 %v" } [] => "i32 7";
            "i32 @f()" { "%a = add i64 ptrtoint (ptr @g to i64), 0\n%p = inttoptr i64 %a to ptr\n%v = load i32, ptr %p\nret i32 %v" } [] => "i32 7";
            "i32 @f()" { "%v = load i32, ptr inttoptr (i64 ptrtoint (ptr @other to i64) to ptr)\nret i32 %v" } [] => "i32 8";
            "i32 @f()" { "%a = add i64 ptrtoint (ptr @alias to i64), 0\n%p = inttoptr i64 %a to ptr\nstore i32 9, ptr %p\n%v = load i32, ptr @g\nret i32 %v" } [] => "i32 9";
            "i32 @f()" { "%a = load i64, ptr @addr\n%p = inttoptr i64 %a to ptr\n%v = load i32, ptr %p\nret i32 %v" } [] => "ub invalid-pointer";
        },
    );
}

#[test]
fn a_stored_aggregate_has_padding_that_is_undefined() {
    check(
        "",
        &cases! {
            "i8 @f(ptr %p)" { "store i64 -1, ptr %p\nstore { i8, i32 } { i8 1, i32 2 }, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\n%v = load i8, ptr %q\nret i8 %v" } ["zeros:8"] => "undef";
            "i8 @f(ptr %p)" { "store i64 -1, ptr %p\nstore [2 x i24] zeroinitializer, ptr %p\n%q = getelementptr i8, ptr %p, i64 7\n%v = load i8, ptr %q\nret i8 %v" } ["zeros:8"] => "undef";
            "i8 @f(ptr %p)" { "store i64 -1, ptr %p\nstore <{ i8, i32 }> <{ i8 1, i32 2 }>, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\n%v = load i8, ptr %q\nret i8 %v" } ["zeros:8"] => "i8 2";
            "i8 @f(ptr %p)" { "store i64 -1, ptr %p\nstore { i8, i32 } { i8 1, i32 2 }, ptr %p\n%q = getelementptr i8, ptr %p, i64 4\n%v = load i8, ptr %q\nret i8 %v" } ["zeros:8"] => "i8 2";
        },
    );
}

/// A function writes only memory that its `memory` attribute allows, whatever the chooser answers.
#[test]
fn external_functions_write_what_they_may() {
    let prelude = "@g = global i8 3\n@h = global i8 4\ndeclare void @args(ptr) memory(argmem: readwrite) nounwind willreturn\n\
        declare void @hidden(ptr) memory(inaccessiblemem: readwrite) nounwind willreturn\n\
        declare void @mixed(ptr) memory(read, argmem: write) nounwind willreturn\ndeclare void @any(ptr) nounwind willreturn";
    check(
        prelude,
        &cases! {
            "i8 @f()" { "call void @args(ptr @h)\n%v = load i8, ptr @g\nret i8 %v" } [], [1, 1, 77, 1, 77] => "i8 3";
            "i8 @f()" { "call void @mixed(ptr @h)\n%v = load i8, ptr @g\nret i8 %v" } [], [1, 1, 77, 1, 77] => "i8 3";
            "i8 @f()" { "call void @hidden(ptr @h)\n%v = load i8, ptr @h\nret i8 %v" } [], [1, 1, 77, 1, 77] => "i8 4";
            "i8 @f()" { "call void @args(ptr @h)\n%v = load i8, ptr @h\nret i8 %v" } [], [1, 1, 77, 1, 77] => "i8 77";
            "i8 @f()" { "call void @any(ptr @h)\n%v = load i8, ptr @g\nret i8 %v" } [], [1, 1, 77, 1, 77] => "i8 77";
        },
    );
}

/// Each volatile access of an atomic operation is an event.
#[test]
fn volatile_atomics_are_events() {
    let loads_and_stores = |text: &str, byte: &str| {
        let run = run(&module(text), "f", &[byte]);
        let loads = |e: &&backedge_interp::observe::Event| matches!(e.kind, EventKind::VolatileLoad { .. });
        let loads = run.events.iter().filter(loads).count();
        (loads, run.events.len() - loads)
    };
    let exchange =
        "define void @f(ptr %p) {\n%r = cmpxchg volatile ptr %p, i8 3, i8 4 seq_cst seq_cst\nret void\n}";
    assert_eq!(loads_and_stores(exchange, "bytes:03"), (1, 1));
    assert_eq!(loads_and_stores(exchange, "bytes:05"), (1, 0));
    let add = "define void @f(ptr %p) {\n%r = atomicrmw volatile add ptr %p, i8 3 seq_cst\nret void\n}";
    assert_eq!(loads_and_stores(add, "bytes:03"), (1, 1));
}

/// A volatile access to an address without memory is defined; a plain access after it is not. The environment may
/// change the bytes that a volatile load reads.
#[test]
fn volatile_accesses_need_no_memory() {
    let prelude = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
        @c = constant i8 5";
    check(
        prelude,
        &cases! {
            "void @f(ptr %p)" { "store volatile i8 1, ptr %p\nret void" } ["null"] => "void";
            "i8 @f(ptr %p)" { "%r = load volatile i8, ptr %p\nret i8 %r" } ["null"], [7] => "i8 7";
            "i8 @f(ptr %p)" { "%r = load volatile i8, ptr %p\n%s = load i8, ptr %p\nret i8 %s" } ["null"] => "ub null-dereference";
            "i8 @f(ptr %p)" { "%r = load volatile i8, ptr %p\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:03"], [0] => "i8 3";
            "i8 @f(ptr %p)" { "%r = load volatile i8, ptr %p\n%s = load i8, ptr %p\nret i8 %s" } ["bytes:03"], [1, 9] => "i8 9";
            "i8 @f()" { "%r = load volatile i8, ptr @c\nret i8 %r" } [], [1, 9] => "i8 5";
            "void @f()" { "store volatile i8 1, ptr @c\nret void" } [] => "void";
            "void @f(ptr %p)" { "store volatile i32 1, ptr %p\nret void" } ["zeros:2"] => "void";
            "void @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 1\nstore volatile i32 1, ptr %q\nret void" } ["zeros:8"] => "ub misaligned";
            "void @f(ptr %p)" { "store volatile i8 1, ptr %p\nret void" } ["poison"] => "ub poison-pointer";
            "i8 @f(ptr %p)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr null, i64 1, i1 true)\n%r = load i8, ptr %p\nret i8 %r" } ["bytes:03"], [7] => "i8 7";
            "void @f(ptr %p)" { "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 4, i1 true)\nret void" } ["null"] => "void";
            "i8 @f(ptr %p)" { "%r = atomicrmw volatile add ptr %p, i8 1 seq_cst\nret i8 %r" } ["null"], [7] => "i8 7";
        },
    );
}

/// A phi with so many entries that a table is used; compiling it takes linear time.
#[test]
fn a_phi_of_many_blocks() {
    use std::fmt::Write;
    let many = 30_000;
    let mut text = "define i32 @f(i32 %x) {\nentry:\n  br label %b0\n".to_owned();
    for i in 0..many {
        writeln!(text, "b{i}:\n  %c{i} = icmp eq i32 %x, {i}\n  br i1 %c{i}, label %out, label %b{}", i + 1)
            .expect("text");
    }
    let entries: Vec<String> = (0..=many).map(|i| format!("[ {}, %b{i} ]", 2 * i)).collect();
    writeln!(
        text,
        "b{many}:\n  br label %out\nout:\n  %r = phi i32 {}\n  ret i32 %r\n}}",
        entries.join(", ")
    )
    .expect("text");
    assert_eq!(outcome(&text, &["20000"]), "i32 40000");
    assert_eq!(outcome(&text, &["-1"]), "i32 60000");
}
