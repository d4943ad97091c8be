//! A table of small functions with their exact outcomes: values, poison, and the rule that UB violated. Each entry is
//! the header of `@f`, its body, the arguments, and the outcome.

use crate::support::table::{cases, check};

#[test]
fn integer_arithmetic() {
    check(
        "",
        &cases! {
            "i8 @f(i8 %x)" { "%r = add i8 %x, 1\nret i8 %r" } ["127"] => "i8 -128";
            "i8 @f(i8 %x)" { "%r = add nsw i8 %x, 1\nret i8 %r" } ["127"] => "poison";
            "i8 @f(i8 %x)" { "%r = add nuw i8 %x, 1\nret i8 %r" } ["127"] => "i8 -128";
            "i8 @f(i8 %x)" { "%r = add nuw i8 %x, 1\nret i8 %r" } ["255"] => "poison";
            "i8 @f(i8 %x)" { "%r = sub nuw i8 %x, 1\nret i8 %r" } ["0"] => "poison";
            "i8 @f(i8 %x)" { "%r = mul nsw i8 %x, 2\nret i8 %r" } ["64"] => "poison";
            "i8 @f(i8 %x)" { "%r = shl i8 %x, 8\nret i8 %r" } ["1"] => "poison";
            "i8 @f(i8 %x)" { "%r = shl nuw i8 %x, 1\nret i8 %r" } ["128"] => "poison";
            "i8 @f(i8 %x)" { "%r = lshr exact i8 %x, 1\nret i8 %r" } ["3"] => "poison";
            "i8 @f(i8 %x)" { "%r = udiv exact i8 %x, 2\nret i8 %r" } ["3"] => "poison";
            "i8 @f(i8 %x)" { "%r = or disjoint i8 %x, 1\nret i8 %r" } ["3"] => "poison";
            "i8 @f(i8 %x)" { "%r = or disjoint i8 %x, 1\nret i8 %r" } ["2"] => "i8 3";
            "i8 @f(i8 %x)" { "%r = udiv i8 1, %x\nret i8 %r" } ["0"] => "ub division-by-zero";
            "i8 @f(i8 %x)" { "%r = udiv i8 1, %x\nret i8 %r" } ["poison"] => "ub division-by-poison";
            "i8 @f(i8 %x)" { "%r = udiv i8 1, %x\nret i8 %r" } ["undef"] => "ub division-by-zero";
            "i8 @f(i8 %x)" { "%r = udiv i8 %x, 3\nret i8 %r" } ["poison"] => "poison";
            "i8 @f(i8 %x)" { "%r = sdiv i8 %x, -1\nret i8 %r" } ["-128"] => "ub division-overflow";
            "i8 @f(i8 %x)" { "%r = srem i8 %x, -1\nret i8 %r" } ["-128"] => "ub division-overflow";
            "i8 @f(i8 %x)" { "%r = sdiv i8 %x, -1\nret i8 %r" } ["undef"] => "ub division-overflow";
            "i8 @f(i8 %x)" { "%r = srem i8 %x, 3\nret i8 %r" } ["-7"] => "i8 -1";
            "i8 @f(i8 %x)" { "%r = add i8 %x, 1\nret i8 %r" } ["poison"] => "poison";
            "i8 @f(i8 %x)" { "%r = and i8 %x, 0\nret i8 %r" } ["poison"] => "poison";
            "i8 @f(i8 %x)" { "%r = mul i8 %x, 0\nret i8 %r" } ["poison"] => "poison";
            "i128 @f(i128 %x)" { "%r = mul i128 %x, %x\nret i128 %r" } ["18446744073709551616"] => "i128 0";
            "i128 @f(i128 %x)" { "%r = mul nuw i128 %x, %x\nret i128 %r" } ["18446744073709551616"] => "poison";
            "i128 @f(i128 %x)" { "%r = add i128 %x, 1\nret i128 %r" } ["18446744073709551615"]
                => "i128 18446744073709551616";
            "i1 @f(i8 %x, i8 %y)" { "%r = icmp samesign ult i8 %x, %y\nret i1 %r" } ["1", "2"] => "i1 true";
            "i1 @f(i8 %x, i8 %y)" { "%r = icmp samesign ult i8 %x, %y\nret i1 %r" } ["1", "-2"] => "poison";
            "i1 @f(i8 %x, i8 %y)" { "%r = icmp slt i8 %x, %y\nret i1 %r" } ["-1", "2"] => "i1 true";
            "i16 @f(i8 %x)" { "%r = zext nneg i8 %x to i16\nret i16 %r" } ["-1"] => "poison";
            "i16 @f(i8 %x)" { "%r = sext i8 %x to i16\nret i16 %r" } ["-1"] => "i16 -1";
            "i4 @f(i8 %x)" { "%r = trunc nuw i8 %x to i4\nret i4 %r" } ["16"] => "poison";
            "i4 @f(i8 %x)" { "%r = trunc nsw i8 %x to i4\nret i4 %r" } ["8"] => "poison";
            "i4 @f(i8 %x)" { "%r = trunc nsw i8 %x to i4\nret i4 %r" } ["-8"] => "i4 -8";
        },
    );
}

#[test]
fn undef_poison_and_freeze() {
    check(
        "",
        &cases! {
            "i8 @f(i8 %x)" { "%r = xor i8 %x, %x\nret i8 %r" } ["undef"] => "undef";
            "i8 @f(i8 %x)" { "%r = add i8 %x, 1\nret i8 %r" } ["undef"] => "undef";
            "i8 @f(i8 %x)" { "%y = freeze i8 %x\n%r = xor i8 %y, %y\nret i8 %r" } ["undef"] => "i8 0";
            "i8 @f(i8 %x)" { "%y = freeze i8 %x\n%r = sub i8 %y, %y\nret i8 %r" } ["poison"] => "i8 0";
            "i8 @f(i8 %x)" { "%r = and i8 %x, 15\nret i8 %r" } ["undef"] => "i8 0b0000????";
            "i8 @f(i8 %x)" { "%r = or i8 %x, 15\nret i8 %r" } ["undef"] => "i8 0b????1111";
            "i8 @f(i8 %x)" { "%r = shl i8 %x, 4\nret i8 %r" } ["undef"] => "i8 0b????0000";
            "i8 @f(i8 %x)" { "%r = shl i8 1, %x\nret i8 %r" } ["undef"] => "poison";
            "i8 @f(i8 %x)" { "%r = add nsw i8 %x, 1\nret i8 %r" } ["undef"] => "poison";
            "i8 @f(i8 %x)" { "%r = add nsw i8 %x, 0\nret i8 %r" } ["undef"] => "undef";
            "i16 @f(i8 %x)" { "%r = zext i8 %x to i16\nret i16 %r" } ["undef"] => "i16 0b00000000????????";
            "i4 @f(i8 %x)" { "%r = trunc i8 %x to i4\nret i4 %r" } ["undef"] => "undef";
            "i1 @f(i8 %x)" { "%r = icmp eq i8 %x, 3\nret i1 %r" } ["undef"] => "undef";
            "i1 @f(i8 %x)" { "%r = icmp ule i8 %x, 255\nret i1 %r" } ["undef"] => "i1 true";
            "i1 @f(i8 %x)" { "%y = and i8 %x, 7\n%r = icmp ult i8 %y, 8\nret i1 %r" } ["undef"] => "i1 true";
            "i8 @f(i1 %c, i8 %x)" { "%r = select i1 %c, i8 %x, i8 3\nret i8 %r" } ["0", "poison"] => "i8 3";
            "i8 @f(i1 %c, i8 %x)" { "%r = select i1 %c, i8 %x, i8 3\nret i8 %r" } ["1", "poison"] => "poison";
            "i8 @f(i1 %c)" { "%r = select i1 %c, i8 1, i8 3\nret i8 %r" } ["poison"] => "poison";
            "i8 @f(i1 %c)" { "%r = select i1 %c, i8 3, i8 3\nret i8 %r" } ["undef"] => "i8 3";
            "i1 @f(i1 %c)" { "%r = select i1 %c, i1 true, i1 false\nret i1 %r" } ["undef"] => "undef";
            "i8 @f(i1 %c)" { "%r = select i1 %c, i8 poison, i8 3\nret i8 %r" } ["undef"] => "poison";
            "i8 @f(i8 %x)" { "br label %n\nn:\n%p = phi i8 [ %x, %0 ]\n%r = xor i8 %p, %p\nret i8 %r" } ["undef"] => "undef";
        },
    );
}

#[test]
fn control_flow() {
    check(
        "",
        &cases! {
            "i8 @f(i1 %c)" { "br i1 %c, label %a, label %b\na:\nret i8 1\nb:\nret i8 2" } ["1"] => "i8 1";
            "i8 @f(i1 %c)" { "br i1 %c, label %a, label %b\na:\nret i8 1\nb:\nret i8 2" } ["poison"] => "ub branch-on-poison";
            "i8 @f(i1 %c)" { "br i1 %c, label %a, label %b\na:\nret i8 1\nb:\nret i8 2" } ["undef"] => "ub branch-on-undef";
            "i8 @f(i8 %x)" { "%c = icmp eq i8 %x, 0\nbr i1 %c, label %a, label %b\na:\nret i8 1\nb:\nret i8 2" } ["undef"]
                => "ub branch-on-undef";
            "i8 @f(i8 %x)" { "switch i8 %x, label %d [ i8 1, label %a\n i8 2, label %b ]\na:\nret i8 1\nb:\nret i8 2\nd:\nret i8 3" }
                ["2"] => "i8 2";
            "i8 @f(i8 %x)" { "switch i8 %x, label %d [ i8 1, label %a\n i8 2, label %b ]\na:\nret i8 1\nb:\nret i8 2\nd:\nret i8 3" }
                ["7"] => "i8 3";
            "i8 @f(i8 %x)" { "switch i8 %x, label %d [ i8 1, label %a ]\na:\nret i8 1\nd:\nret i8 3" }
                ["poison"] => "ub branch-on-poison";
            "i8 @f(i8 %x)" { "switch i8 %x, label %d [ i8 1, label %a ]\na:\nret i8 1\nd:\nret i8 3" }
                ["undef"] => "ub branch-on-undef";
            "void @f()" { "unreachable" } [] => "ub unreachable";
            "void @f()" { "br label %l\nl:\nbr label %l" } [] => "diverges";
            "void @f() mustprogress" { "br label %l\nl:\nbr label %l" } [] => "ub no-progress";
            "void @f() willreturn" { "br label %l\nl:\nbr label %l" } [] => "ub willreturn-violated";
            "void @f() noreturn" { "ret void" } [] => "ub noreturn-returned";
            "i32 @f(i32 %n)" {
                "entry:\nbr label %l\nl:\n%i = phi i32 [ 0, %entry ], [ %j, %l ]\n%s = phi i32 [ 0, %entry ], [ %t, %l ]\n%t = add i32 %s, %i\n%j = add i32 %i, 1\n%c = icmp ult i32 %j, %n\nbr i1 %c, label %l, label %e\ne:\nret i32 %t"
            } ["10"] => "i32 45";
            "i32 @f(i32 %n)" {
                "entry:\nbr label %l\nl:\n%a = phi i32 [ 1, %entry ], [ %b, %l ]\n%b = phi i32 [ 2, %entry ], [ %a, %l ]\n%i = phi i32 [ 0, %entry ], [ %j, %l ]\n%j = add i32 %i, 1\n%c = icmp ult i32 %j, %n\nbr i1 %c, label %l, label %e\ne:\nret i32 %a"
            } ["4"] => "i32 2";
            "void @f()" { "br label %l\nl:\n%i = phi i64 [ 0, %0 ], [ %j, %l ]\n%j = add i64 %i, 1\nbr label %l" } [] => "out-of-fuel";
        },
    );
}

#[test]
fn memory_accesses() {
    check(
        "@c = constant i32 7\n@g = global [2 x i16] [i16 1, i16 2]",
        &cases! {
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["bytes:01020304"] => "i32 67305985";
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["zeros:3"] => "ub out-of-bounds";
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["null"] => "ub null-dereference";
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["poison"] => "ub poison-pointer";
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["undef"] => "ub undef-pointer";
            "i32 @f(ptr %p)" { "%r = load i32, ptr %p\nret i32 %r" } ["addr:0x100"] => "ub invalid-pointer";
            "i32 @f(ptr %p, ptr %q)" { "%r = load i32, ptr %q, align 4\nret i32 %r" } ["zeros:8", "arg0+1"] => "ub misaligned";
            "i32 @f(ptr %p, ptr %q)" { "%r = load i32, ptr %q, align 1\nret i32 %r" } ["bytes:0001000000", "arg0+1"] => "i32 1";
            "i32 @f(ptr %p, ptr %q)" { "%r = load i32, ptr %q, align 1\nret i32 %r" } ["zeros:8", "arg0-1"] => "ub out-of-bounds";
            "i32 @f()" { "%r = load i32, ptr @c\nret i32 %r" } [] => "i32 7";
            "void @f()" { "store i32 1, ptr @c\nret void" } [] => "ub read-only-write";
            "void @f()" { "store i32 1, ptr @f\nret void" } [] => "ub out-of-bounds";
            "i16 @f()" { "%p = getelementptr i8, ptr @g, i64 2\n%r = load i16, ptr %p\nret i16 %r" } [] => "i16 2";
            "i16 @f()" { "%r = load i16, ptr getelementptr ([2 x i16], ptr @g, i64 0, i64 1)\nret i16 %r" } [] => "i16 2";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["bytes:0709+1"] => "i8 9";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["bytes:??"] => "undef";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["bytes:pp"] => "poison";
            "i16 @f(ptr %p)" { "%r = load i16, ptr %p\nret i16 %r" } ["bytes:01??"] => "i16 0b????????00000001";
            "i16 @f(ptr %p)" { "%r = load i16, ptr %p\nret i16 %r" } ["bytes:01pp"] => "poison";
            "i16 @f(ptr %p)" { "%r = load i16, ptr %p\n%q = xor i16 %r, %r\nret i16 %q" } ["bytes:01??"] => "i16 0b????????00000000";
            "i8 @f(ptr %p)" { "store i16 poison, ptr %p\nstore i8 3, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:2"] => "i8 3";
            "i16 @f(ptr %p)" { "store i16 poison, ptr %p\nstore i8 3, ptr %p\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2"] => "poison";
            "i8 @f(ptr %p)" { "store i16 undef, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:2"] => "undef";
            "i4 @f(ptr %p)" { "store i4 -1, ptr %p\n%r = load i4, ptr %p\nret i4 %r" } ["zeros:1"] => "i4 -1";
            "i8 @f(ptr %p)" { "store i4 -1, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:1"] => "i8 0b????1111";
            "i4 @f(ptr %p)" { "store i4 poison, ptr %p\n%r = load i4, ptr %p\nret i4 %r" } ["zeros:1"] => "poison";
            "i32 @f()" { "%p = alloca i32\n%r = load i32, ptr %p\nret i32 %r" } [] => "undef";
            "i32 @f()" { "%p = alloca i32\nstore i32 5, ptr %p\n%r = load i32, ptr %p\nret i32 %r" } [] => "i32 5";
            "i32 @f(i32 %n)" { "%p = alloca i32, i32 %n\n%q = getelementptr i32, ptr %p, i32 2\nstore i32 5, ptr %q\n%r = load i32, ptr %q\nret i32 %r" } ["3"] => "i32 5";
            "i32 @f(i32 %n)" { "%p = alloca i32, i32 %n\n%q = getelementptr i32, ptr %p, i32 2\nstore i32 5, ptr %q\n%r = load i32, ptr %q\nret i32 %r" } ["2"] => "ub out-of-bounds";
            "void @f(i32 %n)" { "%p = alloca i32, i32 %n\nret void" } ["poison"] => "ub alloca-size";
            "i64 @f()" { "%p = alloca i64, align 4\n%r = load i64, ptr %p, align 8\nret i64 %r" } [] => "unsupported an access with more alignment than its alloca";
            "i32 @f(ptr %p)" { "%v = load { i8, i32 }, ptr %p\n%r = extractvalue { i8, i32 } %v, 1\nret i32 %r" } ["bytes:01??????02000000"] => "i32 2";
            "i8 @f(ptr %p)" { "%v = load <2 x i4>, ptr %p\n%e = extractelement <2 x i4> %v, i32 1\n%r = zext i4 %e to i8\nret i8 %r" } ["bytes:21"] => "i8 2";
            "i8 @f(ptr %p)" { "store <2 x i4> <i4 poison, i4 3>, ptr %p\n%v = load <2 x i4>, ptr %p\n%e = extractelement <2 x i4> %v, i32 1\n%r = zext i4 %e to i8\nret i8 %r" } ["zeros:1"] => "i8 3";
            "i8 @f(ptr %p)" { "store <2 x i4> <i4 poison, i4 3>, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:1"] => "poison";
        },
    );
}

#[test]
fn pointers() {
    check(
        "",
        &cases! {
            "i8 @f(ptr %p, ptr %q)" { "store i8 5, ptr %q\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:4", "arg0"] => "i8 5";
            "i8 @f(ptr %p)" { "%a = alloca ptr\nstore ptr %p, ptr %a\n%q = load ptr, ptr %a\n%r = load i8, ptr %q\nret i8 %r" } ["bytes:09"] => "i8 9";
            "i8 @f(ptr %p)" { "%i = ptrtoint ptr %p to i64\n%q = inttoptr i64 %i to ptr\n%r = load i8, ptr %q\nret i8 %r" } ["bytes:09"] => "i8 9";
            "i8 @f(ptr %p)" { "%i = ptrtoint ptr %p to i64\n%j = add i64 %i, 1\n%q = inttoptr i64 %j to ptr\n%r = load i8, ptr %q\nret i8 %r" } ["bytes:0907"] => "i8 7";
            "i8 @f()" { "%q = inttoptr i64 4096 to ptr\n%r = load i8, ptr %q\nret i8 %r" } [] => "ub invalid-pointer";
            "i8 @f(ptr %p)" { "%a = alloca ptr\nstore ptr %p, ptr %a\n%i = load i64, ptr %a\n%q = inttoptr i64 %i to ptr\n%r = load i8, ptr %q\nret i8 %r" } ["bytes:09"] => "i8 9";
            "i8 @f(ptr %p)" { "%q = getelementptr inbounds i8, ptr %p, i64 4\n%c = icmp eq ptr %q, %p\n%r = zext i1 %c to i8\nret i8 %r" } ["zeros:4"] => "i8 0";
            "i1 @f(ptr %p)" { "%q = getelementptr inbounds i8, ptr %p, i64 5\n%c = icmp eq ptr %q, %p\nret i1 %c" } ["zeros:4"] => "poison";
            "i1 @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 5\n%c = icmp eq ptr %q, %p\nret i1 %c" } ["zeros:4"] => "i1 false";
            "i1 @f(ptr %p)" { "%q = getelementptr inbounds i8, ptr %p, i64 -1\n%c = icmp eq ptr %q, %p\nret i1 %c" } ["zeros:4"] => "poison";
            "i1 @f(ptr %p)" { "%q = getelementptr inbounds i8, ptr null, i64 0\n%c = icmp eq ptr %q, null\nret i1 %c" } ["null"] => "i1 true";
            "i1 @f(ptr %p)" { "%q = getelementptr inbounds i8, ptr null, i64 1\n%c = icmp eq ptr %q, null\nret i1 %c" } ["null"] => "poison";
            "i1 @f(ptr %p)" { "%q = getelementptr nuw i8, ptr %p, i64 -1\n%c = icmp eq ptr %q, %p\nret i1 %c" } ["zeros:4"] => "poison";
            "i1 @f(ptr %p)" { "%q = getelementptr nusw i8, ptr %p, i64 -1\n%c = icmp ult ptr %q, %p\nret i1 %c" } ["zeros:4"] => "i1 true";
            "i1 @f(ptr %p, i64 %i)" { "%q = getelementptr nusw i32, ptr %p, i64 %i\n%c = icmp ult ptr %q, %p\nret i1 %c" } ["zeros:4", "0x4000000000000000"] => "poison";
            "i32 @f(ptr %p, i64 %i)" { "%q = getelementptr { i32, [4 x i32] }, ptr %p, i64 0, i32 1, i64 %i\n%r = load i32, ptr %q\nret i32 %r" } ["bytes:0000000001000000020000000300000004000000", "2"] => "i32 3";
            "i1 @f(ptr %p)" { "%a = alloca i8\n%c = icmp eq ptr %a, %p\nret i1 %c" } ["zeros:4"] => "i1 false";
            "i8 @f(ptr %p, i8 %i)" { "%q = getelementptr i8, ptr %p, i8 %i\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4", "-1"] => "ub out-of-bounds";
        },
    );
}

#[test]
fn lifetimes() {
    let prelude = "declare void @llvm.lifetime.start.p0(ptr)\ndeclare void @llvm.lifetime.end.p0(ptr)";
    check(
        prelude,
        &cases! {
            "i8 @f()" { "%p = alloca i8\n%r = load i8, ptr %p\ncall void @llvm.lifetime.start.p0(ptr %p)\nret i8 %r" } [] => "poison";
            "i8 @f()" { "%p = alloca i8\nstore i8 1, ptr %p\ncall void @llvm.lifetime.start.p0(ptr %p)\nret i8 0" } [] => "ub store-outside-lifetime";
            "i8 @f()" { "%p = alloca i8\ncall void @llvm.lifetime.start.p0(ptr %p)\nstore i8 1, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } [] => "i8 1";
            "i8 @f()" { "%p = alloca i8\ncall void @llvm.lifetime.start.p0(ptr %p)\nstore i8 1, ptr %p\ncall void @llvm.lifetime.end.p0(ptr %p)\n%r = load i8, ptr %p\nret i8 %r" } [] => "poison";
            "i8 @f()" { "%p = alloca i8\ncall void @llvm.lifetime.start.p0(ptr %p)\nstore i8 1, ptr %p\ncall void @llvm.lifetime.start.p0(ptr %p)\n%r = load i8, ptr %p\nret i8 %r" } [] => "undef";
        },
    );
}

#[test]
fn attributes_and_metadata() {
    check(
        "",
        &cases! {
            "i8 @f(i8 noundef %x)" { "ret i8 1" } ["poison"] => "ub noundef-violated";
            "i8 @f(i8 noundef %x)" { "ret i8 1" } ["undef"] => "ub noundef-violated";
            "noundef i8 @f(i8 %x)" { "ret i8 %x" } ["undef"] => "ub noundef-violated";
            "noundef i8 @f(i8 %x)" { "ret i8 %x" } ["3"] => "i8 3";
            "ptr @f(ptr nonnull %x)" { "ret ptr %x" } ["null"] => "poison";
            "i8 @f(ptr nonnull noundef %x)" { "ret i8 1" } ["null"] => "ub noundef-violated";
            "i8 @f(i8 range(i8 0, 4) %x)" { "ret i8 %x" } ["4"] => "poison";
            "i8 @f(i8 range(i8 0, 4) %x)" { "ret i8 %x" } ["3"] => "i8 3";
            "i8 @f(i8 range(i8 0, 4) %x)" { "ret i8 %x" } ["undef"] => "poison";
            "i8 @f(i8 noundef range(i8 0, 4) %x)" { "ret i8 %x" } ["4"] => "ub noundef-violated";
            "i8 @f(i8 range(i8 -2, 2) %x)" { "ret i8 %x" } ["-1"] => "i8 -1";
            "range(i8 0, 4) i8 @f(i8 %x)" { "ret i8 %x" } ["9"] => "poison";
            "i8 @f(ptr align 4 %p, ptr align 4 %q)" { "%r = load i8, ptr %q\nret i8 %r" } ["zeros:8", "arg0+1"] => "ub poison-pointer";
            "i8 @f(ptr dereferenceable(8) %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "ub noundef-violated";
            "i8 @f(ptr dereferenceable(8) %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:8"] => "i8 0";
            "i8 @f(ptr dereferenceable(8) %p)" { "ret i8 1" } ["poison"] => "ub noundef-violated";
            "i8 @f(ptr dereferenceable_or_null(8) %p)" { "ret i8 1" } ["zeros:4"] => "ub noundef-violated";
            "i8 @f(ptr noundef dereferenceable_or_null(8) %p)" { "ret i8 1" } ["null"] => "i8 1";
            "i8 @f(ptr noundef dereferenceable_or_null(8) %p)" { "ret i8 1" } ["zeros:4"] => "ub noundef-violated";
            "i8 @f(ptr noalias %p, ptr %q)" { "store i8 1, ptr %p\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4", "arg0"] => "ub noalias-violated";
            "void @f(ptr %p) memory(none)" { "store i8 1, ptr %p\nret void" } ["zeros:4"] => "ub memory-effects-violated";
            "i8 @f(ptr %p) memory(none)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "ub memory-effects-violated";
            "i8 @f(ptr %p) memory(read)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "i8 0";
            "void @f(ptr %p) memory(read)" { "store i8 1, ptr %p\nret void" } ["zeros:4"] => "ub memory-effects-violated";
            "i8 @f() memory(none)" { "%p = alloca i8\nstore i8 1, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } [] => "i8 1";
            "i8 @f(ptr noalias %p, ptr %q)" { "%s = load i8, ptr %p\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4", "arg0"] => "i8 0";
            "i8 @f(ptr noalias %p, ptr %q)" { "store i8 1, ptr %p\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4", "arg0+1"] => "i8 0";
            "i8 @f(ptr noalias %p, ptr %q)" { "%r = load i8, ptr %p\nstore i8 1, ptr %q\nret i8 %r" } ["zeros:4", "arg0"] => "ub noalias-violated";
            "i8 @f(ptr noalias %p)" { "%q = getelementptr i8, ptr %p, i64 0\nstore i8 1, ptr %p\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4"] => "i8 1";
            "void @f(ptr readonly %p)" { "store i8 1, ptr %p\nret void" } ["zeros:4"] => "ub readonly-argument";
            "i8 @f(ptr writeonly %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "poison";
            "i8 @f(ptr writeonly %p)" { "store i8 7, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "i8 7";
            "i8 @f(ptr writeonly %p, ptr %q)" { "store i8 7, ptr %q\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:4", "arg0"] => "i8 7";
            "i16 @f(ptr writeonly %p)" { "store i8 7, ptr %p\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:4"] => "poison";
            "i8 @f(ptr %p) memory(write)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "poison";
            "i8 @f(ptr %p) memory(write)" { "store i8 7, ptr %p\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "i8 7";
            "i8 @f(ptr %p) memory(write)" { "store i8 7, ptr %p\n%q = getelementptr i8, ptr %p, i64 1\n%r = load i8, ptr %q\nret i8 %r" } ["zeros:4"] => "poison";
            "i8 @f(ptr readnone %p)" { "%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "ub readnone-argument";
        },
    );
    let prelude = "!0 = !{i8 0, i8 4}\n!1 = !{}\n!2 = !{i64 4}\n!3 = !{i8 0, i8 4, i8 8, i8 9}";
    check(
        prelude,
        &cases! {
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p, !range !0\nret i8 %r" } ["bytes:04"] => "poison";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p, !range !3\nret i8 %r" } ["bytes:08"] => "i8 8";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p, !range !0, !noundef !1\nret i8 %r" } ["bytes:04"] => "ub noundef-violated";
            "i8 @f(ptr %p)" { "%r = load i8, ptr %p, !noundef !1\nret i8 %r" } ["bytes:??"] => "ub noundef-violated";
            "ptr @f(ptr %p)" { "%r = load ptr, ptr %p, !nonnull !1\nret ptr %r" } ["zeros:8"] => "poison";
            "ptr @f(ptr %p)" { "%r = load ptr, ptr %p, !align !2\nret ptr %r" } ["bytes:0200000000000000"] => "poison";
        },
    );
}

#[test]
fn intrinsics() {
    let prelude = "declare i8 @llvm.umin.i8(i8, i8)\ndeclare i8 @llvm.smax.i8(i8, i8)\ndeclare i8 @llvm.abs.i8(i8, i1)\n\
        declare i8 @llvm.ctlz.i8(i8, i1)\ndeclare i8 @llvm.ctpop.i8(i8)\ndeclare i16 @llvm.bswap.i16(i16)\n\
        declare {i8, i1} @llvm.uadd.with.overflow.i8(i8, i8)\ndeclare {i8, i1} @llvm.smul.with.overflow.i8(i8, i8)\n\
        declare i8 @llvm.uadd.sat.i8(i8, i8)\ndeclare i8 @llvm.sshl.sat.i8(i8, i8)\ndeclare i8 @llvm.fshl.i8(i8, i8, i8)\n\
        declare i8 @llvm.ucmp.i8.i8(i8, i8)\ndeclare void @llvm.assume(i1)\ndeclare void @llvm.trap()\n\
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n\
        declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndeclare i8 @llvm.expect.i8(i8, i8)\n\
        declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)\ndeclare i8 @llvm.vector.reduce.add.v4i8(<4 x i8>)\n\
        declare <2 x i8> @llvm.umax.v2i8(<2 x i8>, <2 x i8>)\ndeclare void @llvm.sideeffect()";
    check(
        prelude,
        &cases! {
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.umin.i8(i8 %x, i8 3)\nret i8 %r" } ["-1"] => "i8 3";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.smax.i8(i8 %x, i8 3)\nret i8 %r" } ["-1"] => "i8 3";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.umin.i8(i8 %x, i8 0)\nret i8 %r" } ["poison"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.abs.i8(i8 %x, i1 true)\nret i8 %r" } ["-128"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.abs.i8(i8 %x, i1 false)\nret i8 %r" } ["-128"] => "i8 -128";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.ctlz.i8(i8 %x, i1 true)\nret i8 %r" } ["0"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.ctlz.i8(i8 %x, i1 false)\nret i8 %r" } ["0"] => "i8 8";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.ctpop.i8(i8 %x)\nret i8 %r" } ["7"] => "i8 3";
            "i16 @f(i16 %x)" { "%r = call i16 @llvm.bswap.i16(i16 %x)\nret i16 %r" } ["258"] => "i16 513";
            "i1 @f(i8 %x)" { "%p = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 %x, i8 1)\n%r = extractvalue {i8, i1} %p, 1\nret i1 %r" } ["-1"] => "i1 true";
            "i1 @f(i8 %x)" { "%p = call {i8, i1} @llvm.smul.with.overflow.i8(i8 %x, i8 2)\n%r = extractvalue {i8, i1} %p, 1\nret i1 %r" } ["63"] => "i1 false";
            "i1 @f(i8 %x)" { "%p = call {i8, i1} @llvm.smul.with.overflow.i8(i8 %x, i8 2)\n%r = extractvalue {i8, i1} %p, 1\nret i1 %r" } ["poison"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.uadd.sat.i8(i8 %x, i8 9)\nret i8 %r" } ["250"] => "i8 -1";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.sshl.sat.i8(i8 1, i8 %x)\nret i8 %r" } ["8"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.sshl.sat.i8(i8 1, i8 %x)\nret i8 %r" } ["7"] => "i8 127";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.fshl.i8(i8 %x, i8 -1, i8 9)\nret i8 %r" } ["1"] => "i8 3";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.ucmp.i8.i8(i8 %x, i8 3)\nret i8 %r" } ["2"] => "i8 -1";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.expect.i8(i8 %x, i8 3)\nret i8 %r" } ["2"] => "i8 2";
            "void @f(i1 %x)" { "call void @llvm.assume(i1 %x)\nret void" } ["0"] => "ub assume-violated";
            "void @f(i1 %x)" { "call void @llvm.assume(i1 %x)\nret void" } ["poison"] => "ub assume-violated";
            "void @f(i1 %x)" { "call void @llvm.assume(i1 %x)\nret void" } ["1"] => "void";
            "void @f(ptr %x)" { "call void @llvm.assume(i1 true) [\"nonnull\"(ptr %x)]\nret void" } ["null"] => "ub assume-violated";
            "void @f(ptr %x)" { "call void @llvm.assume(i1 true) [\"align\"(ptr %x, i64 16)]\nret void" } ["zeros:8"] => "void";
            "void @f(ptr %x, ptr %y)" { "call void @llvm.assume(i1 true) [\"align\"(ptr %y, i64 16)]\nret void" } ["zeros:8", "arg0+1"] => "ub assume-violated";
            "void @f(ptr %x)" { "call void @llvm.assume(i1 true) [\"dereferenceable\"(ptr %x, i64 16)]\nret void" } ["zeros:8"] => "ub assume-violated";
            "void @f()" { "call void @llvm.trap()\nunreachable" } [] => "trapped";
            "i16 @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2", "bytes:0102"] => "i16 513";
            "void @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\nret void" } ["zeros:4", "arg0+1"] => "ub overlapping-copy";
            "void @f(ptr %p, ptr %q)" { "call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\nret void" } ["zeros:4", "arg0+1"] => "void";
            "void @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 3, i1 false)\nret void" } ["zeros:2", "zeros:4"] => "ub out-of-bounds";
            "void @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)\nret void" } ["null", "null"] => "void";
            "i8 @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:2", "bytes:??pp"] => "undef";
            "i16 @f(ptr %p)" { "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 2, i1 false)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2"] => "i16 257";
            "i64 @f(ptr %p)" { "%r = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 false, i1 false)\nret i64 %r" } ["zeros:9"] => "i64 9";
            "i8 @f(<4 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.add.v4i8(<4 x i8> %v)\nret i8 %r" } ["{1, 2, 3, 4}"] => "i8 10";
            "<2 x i8> @f(<2 x i8> %v)" { "%r = call <2 x i8> @llvm.umax.v2i8(<2 x i8> %v, <2 x i8> splat (i8 3))\nret <2 x i8> %r" } ["{1, poison}"] => "{ i8 3, poison }";
            "void @f() mustprogress" { "br label %l\nl:\ncall void @llvm.sideeffect()\nbr label %l" } [] => "diverges";
        },
    );
}

#[test]
fn floats_and_vectors() {
    check(
        "",
        &cases! {
            "float @f(float %x)" { "%r = fadd float %x, 1.5\nret float %r" } ["0.25"] => "float 1.75";
            "double @f(double %x)" { "%r = fdiv double %x, 0.0\nret double %r" } ["1"] => "double inf";
            "double @f(double %x)" { "%r = fdiv ninf double %x, 0.0\nret double %r" } ["1"] => "poison";
            "double @f(double %x)" { "%r = fdiv nnan double 0.0, %x\nret double %r" } ["0"] => "poison";
            "i1 @f(double %x)" { "%r = fcmp uno double %x, 0.0\nret i1 %r" } ["nan"] => "i1 true";
            "i1 @f(double %x)" { "%r = fcmp olt double %x, 1.0\nret i1 %r" } ["nan"] => "i1 false";
            "i8 @f(double %x)" { "%r = fptosi double %x to i8\nret i8 %r" } ["128"] => "poison";
            "i8 @f(double %x)" { "%r = fptosi double %x to i8\nret i8 %r" } ["-128.9"] => "i8 -128";
            "float @f(i32 %x)" { "%r = uitofp nneg i32 %x to float\nret float %r" } ["-1"] => "poison";
            "float @f(i32 %x)" { "%r = sitofp i32 %x to float\nret float %r" } ["16777217"] => "float 16777216.0";
            "i32 @f(float %x)" { "%r = bitcast float %x to i32\nret i32 %r" } ["1"] => "i32 1065353216";
            "double @f(float %x)" { "%r = fpext float %x to double\nret double %r" } ["0.5"] => "double 0.5";
            "float @f(float %x)" { "%r = fneg float %x\nret float %r" } ["0"] => "float -0.0";
            "<2 x i8> @f(<2 x i8> %v)" { "%r = add nuw <2 x i8> %v, <i8 1, i8 255>\nret <2 x i8> %r" } ["{1, 2}"] => "{ i8 2, poison }";
            "<2 x i8> @f(<2 x i8> %v, i32 %i)" { "%r = insertelement <2 x i8> %v, i8 9, i32 %i\nret <2 x i8> %r" } ["{1, 2}", "1"] => "{ i8 1, i8 9 }";
            "<2 x i8> @f(<2 x i8> %v, i32 %i)" { "%r = insertelement <2 x i8> %v, i8 9, i32 %i\nret <2 x i8> %r" } ["{1, 2}", "2"] => "{ poison, poison }";
            "<2 x i8> @f(<2 x i8> %v)" { "%r = shufflevector <2 x i8> %v, <2 x i8> poison, <2 x i32> <i32 1, i32 poison>\nret <2 x i8> %r" } ["{1, 2}"] => "{ i8 2, poison }";
            "i16 @f(<2 x i8> %v)" { "%r = bitcast <2 x i8> %v to i16\nret i16 %r" } ["{1, 2}"] => "i16 513";
            "<2 x i1> @f(<2 x i8> %v)" { "%r = icmp eq <2 x i8> %v, splat (i8 1)\nret <2 x i1> %r" } ["{1, 2}"] => "{ i1 true, i1 false }";
            "<2 x i8> @f(<2 x i1> %c)" { "%r = select <2 x i1> %c, <2 x i8> <i8 1, i8 2>, <2 x i8> <i8 3, i8 4>\nret <2 x i8> %r" } ["{0, poison}"] => "{ i8 3, poison }";
            "{i8, i8} @f(i8 %x)" { "%r = insertvalue {i8, i8} poison, i8 %x, 1\nret {i8, i8} %r" } ["7"] => "{ poison, i8 7 }";
            "i8 @f({i8, {i8, i8}} %x)" { "%r = extractvalue {i8, {i8, i8}} %x, 1, 0\nret i8 %r" } ["{1, {2, 3}}"] => "i8 2";
        },
    );
}

#[test]
fn calls() {
    let prelude = "define internal i32 @sq(i32 %x) {\n%r = mul nsw i32 %x, %x\nret i32 %r\n}\n\
        define i32 @rec(i32 %x) {\n%r = call i32 @rec(i32 %x)\nret i32 %r\n}\n\
        define ptr @dangling() {\n%p = alloca i32\nret ptr %p\n}\n\
        define void @setb(ptr byval(i8) %p) {\nstore i8 9, ptr %p\nret void\n}\n\
        declare i32 @ext(i32)\ndeclare i32 @pure(i32) memory(none) nounwind willreturn\n\
        declare void @abort() noreturn nounwind";
    check(
        prelude,
        &cases! {
            "i32 @f(i32 %x)" { "%r = call i32 @sq(i32 %x)\nret i32 %r" } ["7"] => "i32 49";
            "i32 @f(i32 %x)" { "%r = call i32 @sq(i32 %x)\nret i32 %r" } ["65536"] => "poison";
            "i32 @f(i32 %x)" { "%r = call i32 @sq(i32 noundef %x)\nret i32 %r" } ["poison"] => "ub noundef-violated";
            "i32 @f(i32 %x)" { "%r = call i32 @rec(i32 %x)\nret i32 %r" } ["7"] => "limit-exceeded";
            "i32 @f()" { "%p = call ptr @dangling()\n%r = load i32, ptr %p\nret i32 %r" } [] => "ub use-after-free";
            "i8 @f()" { "%p = alloca i8\nstore i8 1, ptr %p\ncall void @setb(ptr byval(i8) %p)\n%r = load i8, ptr %p\nret i8 %r" } [] => "i8 1";
            "i32 @f(ptr %p)" { "%r = call i32 %p(i32 3)\nret i32 %r" } ["@sq"] => "i32 9";
            "i32 @f(ptr %p)" { "%r = call i32 %p(i32 3)\nret i32 %r" } ["null"] => "ub bad-callee";
            "i32 @f(ptr %p)" { "%r = call i32 %p(i32 3)\nret i32 %r" } ["poison"] => "ub bad-callee";
            "i64 @f(ptr %p)" { "%r = call i64 %p(i64 3)\nret i64 %r" } ["@sq"] => "unsupported a call with another type than its callee's";
            "i32 @f()" { "%r = call i32 @ext(i32 3)\nret i32 %r" } [] => "i32 0";
            "i32 @f()" { "call void @abort()\nunreachable" } [] => "exited";
            "i1 @f()" { "%a = call i32 @pure(i32 3)\n%b = call i32 @pure(i32 3)\n%r = icmp eq i32 %a, %b\nret i1 %r" } [] => "i1 true";
        },
    );
}

#[test]
fn addresses_of_blocks() {
    let prelude = "@t = constant [2 x ptr] [ptr blockaddress(@g, %a), ptr blockaddress(@g, %b)]\n\
        define void @g() {\nbr label %a\na:\nbr label %b\nb:\nret void\n}";
    check(
        prelude,
        &cases! {
            "i1 @f()" { "%p = load ptr, ptr @t\n%r = icmp eq ptr %p, blockaddress(@g, %a)\nret i1 %r" } [] => "i1 true";
            "i1 @f()" { "%p = load ptr, ptr @t\n%r = icmp eq ptr %p, blockaddress(@g, %b)\nret i1 %r" } [] => "i1 false";
            "i1 @f()" { "%p = load ptr, ptr @t\n%r = icmp eq ptr %p, null\nret i1 %r" } [] => "i1 false";
            "i1 @f()" { "%p = load ptr, ptr @t\n%r = icmp eq ptr %p, @g\nret i1 %r" } [] => "i1 false";
            "i8 @f()" { "%p = load ptr, ptr @t\n%r = load i8, ptr %p\nret i8 %r" } [] => "ub invalid-pointer";
            "void @f()" { "%p = load ptr, ptr @t\ncall void %p()\nret void" } [] => "ub bad-callee";
        },
    );
}
