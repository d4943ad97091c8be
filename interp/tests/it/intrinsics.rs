//! Intrinsics on integers, vectors and memory, each with exact outcomes.

use crate::support::table::{cases, check};

/// Declarations of the intrinsics of `T (T, …)` for a type.
fn declare(names: &[&str], ty: &str, suffix: &str, more: &str) -> String {
    names.iter().map(|n| format!("declare {ty} @llvm.{n}.{suffix}({ty}{more})\n")).collect()
}

#[test]
fn bits_and_shifts() {
    let mut prelude = declare(&["ctpop", "bitreverse"], "i8", "i8", "");
    prelude += &declare(&["ctlz", "cttz", "abs"], "i8", "i8", ", i1");
    prelude += &declare(&["bswap"], "i32", "i32", "");
    prelude += &declare(&["fshl", "fshr"], "i8", "i8", ", i8, i8");
    prelude += "declare <2 x i8> @llvm.abs.v2i8(<2 x i8>, i1)\ndeclare i7 @llvm.cttz.i7(i7, i1)\n\
                declare i128 @llvm.ctlz.i128(i128, i1)";
    check(
        &prelude,
        &cases! {
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.bitreverse.i8(i8 %x)\nret i8 %r" } ["1"] => "i8 -128";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.cttz.i8(i8 %x, i1 false)\nret i8 %r" } ["0"] => "i8 8";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.cttz.i8(i8 %x, i1 true)\nret i8 %r" } ["0"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.cttz.i8(i8 %x, i1 true)\nret i8 %r" } ["undef"] => "poison";
            "i8 @f(i8 %x)" { "%r = call i8 @llvm.abs.i8(i8 %x, i1 true)\nret i8 %r" } ["undef"] => "poison";
            "<2 x i8> @f(<2 x i8> %x)" { "%r = call <2 x i8> @llvm.abs.v2i8(<2 x i8> %x, i1 true)\nret <2 x i8> %r" } ["{-128, -3}"] => "{ poison, i8 3 }";
            "i7 @f(i7 %x)" { "%r = call i7 @llvm.cttz.i7(i7 %x, i1 false)\nret i7 %r" } ["64"] => "i7 6";
            "i128 @f(i128 %x)" { "%r = call i128 @llvm.ctlz.i128(i128 %x, i1 false)\nret i128 %r" } ["1"] => "i128 127";
            "i32 @f(i32 %x)" { "%r = call i32 @llvm.bswap.i32(i32 %x)\nret i32 %r" } ["0x01020304"] => "i32 67305985";
            "i8 @f(i8 %x, i8 %n)" { "%r = call i8 @llvm.fshl.i8(i8 %x, i8 -128, i8 %n)\nret i8 %r" } ["1", "1"] => "i8 3";
            "i8 @f(i8 %x, i8 %n)" { "%r = call i8 @llvm.fshr.i8(i8 %x, i8 -128, i8 %n)\nret i8 %r" } ["1", "9"] => "i8 -64";
            "i8 @f(i8 %x, i8 %n)" { "%r = call i8 @llvm.fshr.i8(i8 %x, i8 5, i8 %n)\nret i8 %r" } ["poison", "0"] => "poison";
            "i8 @f(i8 %x, i8 %n)" { "%r = call i8 @llvm.fshl.i8(i8 %x, i8 5, i8 %n)\nret i8 %r" } ["3", "8"] => "i8 3";
        },
    );
}

#[test]
fn comparisons_saturation_and_overflow() {
    let names = [
        "umin", "umax", "smin", "smax", "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat", "ushl.sat",
        "sshl.sat",
    ];
    let mut prelude = declare(&names, "i8", "i8", ", i8");
    for name in ["uadd", "sadd", "usub", "ssub", "umul", "smul"] {
        prelude += &format!("declare {{i8, i1}} @llvm.{name}.with.overflow.i8(i8, i8)\n");
    }
    prelude += "declare i2 @llvm.scmp.i2.i8(i8, i8)\ndeclare i2 @llvm.ucmp.i2.i8(i8, i8)\n\
                declare <2 x i2> @llvm.scmp.v2i2.v2i8(<2 x i8>, <2 x i8>)\n\
                declare {<2 x i8>, <2 x i1>} @llvm.uadd.with.overflow.v2i8(<2 x i8>, <2 x i8>)";
    check(
        &prelude,
        &cases! {
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.umax.i8(i8 %x, i8 %y)\nret i8 %r" } ["-1", "1"] => "i8 -1";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.smin.i8(i8 %x, i8 %y)\nret i8 %r" } ["-1", "1"] => "i8 -1";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.sadd.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["100", "100"] => "i8 127";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.usub.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["1", "2"] => "i8 0";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.ssub.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["-100", "100"] => "i8 -128";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.ushl.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["3", "7"] => "i8 -1";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.ushl.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["0", "8"] => "poison";
            "i8 @f(i8 %x, i8 %y)" { "%r = call i8 @llvm.sshl.sat.i8(i8 %x, i8 %y)\nret i8 %r" } ["-3", "7"] => "i8 -128";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["255", "2"] => "{ i8 1, i1 true }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.sadd.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["127", "1"] => "{ i8 -128, i1 true }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.usub.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["1", "1"] => "{ i8 0, i1 false }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.ssub.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["-128", "1"] => "{ i8 127, i1 true }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.umul.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["16", "16"] => "{ i8 0, i1 true }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.smul.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["-128", "-1"] => "{ i8 -128, i1 true }";
            "{i8, i1} @f(i8 %x, i8 %y)" { "%r = call {i8, i1} @llvm.umul.with.overflow.i8(i8 %x, i8 %y)\nret {i8, i1} %r" } ["poison", "0"] => "{ poison, poison }";
            "{<2 x i8>, <2 x i1>} @f(<2 x i8> %x)" { "%r = call {<2 x i8>, <2 x i1>} @llvm.uadd.with.overflow.v2i8(<2 x i8> %x, <2 x i8> splat (i8 1))\nret {<2 x i8>, <2 x i1>} %r" } ["{255, poison}"] => "{ { i8 0, poison }, { i1 true, poison } }";
            "i2 @f(i8 %x, i8 %y)" { "%r = call i2 @llvm.scmp.i2.i8(i8 %x, i8 %y)\nret i2 %r" } ["-1", "1"] => "i2 -1";
            "i2 @f(i8 %x, i8 %y)" { "%r = call i2 @llvm.ucmp.i2.i8(i8 %x, i8 %y)\nret i2 %r" } ["-1", "1"] => "i2 1";
            "i2 @f(i8 %x, i8 %y)" { "%r = call i2 @llvm.ucmp.i2.i8(i8 %x, i8 %y)\nret i2 %r" } ["poison", "1"] => "poison";
            "<2 x i2> @f(<2 x i8> %x)" { "%r = call <2 x i2> @llvm.scmp.v2i2.v2i8(<2 x i8> %x, <2 x i8> zeroinitializer)\nret <2 x i2> %r" } ["{0, -3}"] => "{ i2 0, i2 -1 }";
        },
    );
}

#[test]
fn reductions_and_lanes() {
    let mut prelude = String::new();
    for name in ["add", "mul", "and", "or", "xor", "umin", "umax", "smin", "smax"] {
        prelude += &format!("declare i8 @llvm.vector.reduce.{name}.v3i8(<3 x i8>)\n");
    }
    for name in ["fmin", "fmax", "fminimum", "fmaximum"] {
        prelude += &format!("declare float @llvm.vector.reduce.{name}.v2f32(<2 x float>)\n");
    }
    prelude += "declare float @llvm.vector.reduce.fadd.v2f32(float, <2 x float>)\n\
        declare float @llvm.vector.reduce.fmul.v2f32(float, <2 x float>)\n\
        declare <3 x i8> @llvm.vector.reverse.v3i8(<3 x i8>)\n\
        declare <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8>, <2 x i8>, i64)\n\
        declare <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8>, i64)\ndeclare <3 x i16> @llvm.stepvector.v3i16()\n\
        declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8, i8)\n\
        declare <3 x i8> @llvm.vector.splice.v3i8(<3 x i8>, <3 x i8>, i32)\n\
        declare <3 x i8> @llvm.vector.splice.left.v3i8(<3 x i8>, <3 x i8>, i32)\n\
        declare <3 x i8> @llvm.vector.splice.right.v3i8(<3 x i8>, <3 x i8>, i32)\n\
        declare i8 @llvm.experimental.cttz.elts.i8.v3i1(<3 x i1>, i1)\n\
        declare i32 @llvm.vscale.i32()\ndeclare i64 @llvm.vscale.i64()";
    check(
        &prelude,
        &cases! {
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.mul.v3i8(<3 x i8> %v)\nret i8 %r" } ["{16, 16, 3}"] => "i8 0";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.and.v3i8(<3 x i8> %v)\nret i8 %r" } ["{7, 14, 6}"] => "i8 6";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.or.v3i8(<3 x i8> %v)\nret i8 %r" } ["{1, 2, poison}"] => "poison";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.xor.v3i8(<3 x i8> %v)\nret i8 %r" } ["{1, 2, 4}"] => "i8 7";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.umin.v3i8(<3 x i8> %v)\nret i8 %r" } ["{-1, 2, 4}"] => "i8 2";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.umax.v3i8(<3 x i8> %v)\nret i8 %r" } ["{-1, 2, 4}"] => "i8 -1";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.smin.v3i8(<3 x i8> %v)\nret i8 %r" } ["{-1, 2, 4}"] => "i8 -1";
            "i8 @f(<3 x i8> %v)" { "%r = call i8 @llvm.vector.reduce.smax.v3i8(<3 x i8> %v)\nret i8 %r" } ["{-1, 2, 4}"] => "i8 4";
            "float @f(<2 x float> %v)" { "%r = call float @llvm.vector.reduce.fadd.v2f32(float -0.0, <2 x float> %v)\nret float %r" } ["{1.5, 2}"] => "float 3.5";
            "float @f(<2 x float> %v)" { "%r = call float @llvm.vector.reduce.fadd.v2f32(float 1.0, <2 x float> %v)\nret float %r" } ["{1e30, -1e30}"] => "float 0.0";
            "float @f(<2 x float> %v)" { "%r = call nnan float @llvm.vector.reduce.fmul.v2f32(float 1.0, <2 x float> %v)\nret float %r" } ["{0, inf}"] => "poison";
            "float @f(<2 x float> %v)" { "%r = call float @llvm.vector.reduce.fmin.v2f32(<2 x float> %v)\nret float %r" } ["{nan, 2}"] => "float 2.0";
            "float @f(<2 x float> %v)" { "%r = call float @llvm.vector.reduce.fmaximum.v2f32(<2 x float> %v)\nret float %r" } ["{nan, 2}"] => "float NaN";
            "<3 x i8> @f(<3 x i8> %v)" { "%r = call <3 x i8> @llvm.vector.reverse.v3i8(<3 x i8> %v)\nret <3 x i8> %r" } ["{1, 2, poison}"] => "{ poison, i8 2, i8 1 }";
            "<4 x i8> @f(<2 x i8> %v)" { "%r = call <4 x i8> @llvm.vector.insert.v4i8.v2i8(<4 x i8> zeroinitializer, <2 x i8> %v, i64 2)\nret <4 x i8> %r" } ["{1, 2}"] => "{ i8 0, i8 0, i8 1, i8 2 }";
            "<2 x i8> @f(<4 x i8> %v)" { "%r = call <2 x i8> @llvm.vector.extract.v2i8.v4i8(<4 x i8> %v, i64 2)\nret <2 x i8> %r" } ["{1, 2, 3, 4}"] => "{ i8 3, i8 4 }";
            "<3 x i8> @f(<3 x i8> %v, <3 x i8> %w)" { "%r = call <3 x i8> @llvm.vector.splice.v3i8(<3 x i8> %v, <3 x i8> %w, i32 1)\nret <3 x i8> %r" } ["{1, 2, 3}", "{4, 5, poison}"] => "{ i8 2, i8 3, i8 4 }";
            "<3 x i8> @f(<3 x i8> %v, <3 x i8> %w)" { "%r = call <3 x i8> @llvm.vector.splice.v3i8(<3 x i8> %v, <3 x i8> %w, i32 -1)\nret <3 x i8> %r" } ["{1, 2, 3}", "{4, 5, poison}"] => "{ i8 3, i8 4, i8 5 }";
            "<3 x i8> @f(<3 x i8> %v, i32 %n)" { "%r = call <3 x i8> @llvm.vector.splice.left.v3i8(<3 x i8> %v, <3 x i8> <i8 4, i8 5, i8 6>, i32 %n)\nret <3 x i8> %r" } ["{1, 2, 3}", "2"] => "{ i8 3, i8 4, i8 5 }";
            "<3 x i8> @f(<3 x i8> %v, i32 %n)" { "%r = call <3 x i8> @llvm.vector.splice.left.v3i8(<3 x i8> %v, <3 x i8> <i8 4, i8 5, i8 6>, i32 %n)\nret <3 x i8> %r" } ["{1, 2, 3}", "4"] => "{ poison, poison, poison }";
            "<3 x i8> @f(<3 x i8> %v, i32 %n)" { "%r = call <3 x i8> @llvm.vector.splice.right.v3i8(<3 x i8> %v, <3 x i8> <i8 4, i8 5, i8 6>, i32 %n)\nret <3 x i8> %r" } ["{1, 2, 3}", "1"] => "{ i8 3, i8 4, i8 5 }";
            "<3 x i8> @f(<3 x i8> %v, i32 %n)" { "%r = call <3 x i8> @llvm.vector.splice.right.v3i8(<3 x i8> %v, <3 x i8> <i8 4, i8 5, i8 6>, i32 %n)\nret <3 x i8> %r" } ["{1, 2, 3}", "poison"] => "{ poison, poison, poison }";
            "i8 @f(<3 x i1> %v)" { "%r = call i8 @llvm.experimental.cttz.elts.i8.v3i1(<3 x i1> %v, i1 false)\nret i8 %r" } ["{0, 1, 1}"] => "i8 1";
            "i8 @f(<3 x i1> %v)" { "%r = call i8 @llvm.experimental.cttz.elts.i8.v3i1(<3 x i1> %v, i1 false)\nret i8 %r" } ["{0, 0, 0}"] => "i8 3";
            "i8 @f(<3 x i1> %v)" { "%r = call i8 @llvm.experimental.cttz.elts.i8.v3i1(<3 x i1> %v, i1 true)\nret i8 %r" } ["{0, 0, 0}"] => "poison";
            "i8 @f(<3 x i1> %v)" { "%r = call i8 @llvm.experimental.cttz.elts.i8.v3i1(<3 x i1> %v, i1 false)\nret i8 %r" } ["{1, 0, poison}"] => "poison";
            "<3 x i16> @f()" { "%r = call <3 x i16> @llvm.stepvector.v3i16()\nret <3 x i16> %r" } [] => "{ i16 0, i16 1, i16 2 }";
            "<4 x i1> @f(i8 %a, i8 %n)" { "%r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8 %a, i8 %n)\nret <4 x i1> %r" } ["253", "255"] => "{ i1 true, i1 true, i1 false, i1 false }";
            "<4 x i1> @f(i8 %a, i8 %n)" { "%r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i8(i8 %a, i8 %n)\nret <4 x i1> %r" } ["poison", "2"] => "{ poison, poison, poison, poison }";
            "i32 @f()" { "%a = call i32 @llvm.vscale.i32()\n%b = call i64 @llvm.vscale.i64()\n%c = trunc i64 %b to i32\n%r = mul i32 %a, %c\nret i32 %r" } [], [3] => "i32 64";
            "i32 @f()" { "%r = call i32 @llvm.vscale.i32()\nret i32 %r" } [] => "i32 1";
        },
    );
}

#[test]
fn masked_memory() {
    let prelude = "declare <2 x i16> @llvm.masked.load.v2i16.p0(ptr, i32, <2 x i1>, <2 x i16>)\n\
        declare void @llvm.masked.store.v2i16.p0(<2 x i16>, ptr, <2 x i1>)\n\
        declare <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i8>)\n\
        declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, i32, <2 x i1>)\n\
        declare <2 x i8> @llvm.masked.expandload.v2i8(ptr, <2 x i1>, <2 x i8>)\n\
        declare void @llvm.masked.compressstore.v2i8(<2 x i8>, ptr, <2 x i1>)";
    check(
        prelude,
        &cases! {
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %p, i32 2, <2 x i1> %m, <2 x i16> <i16 7, i16 8>)\nret <2 x i16> %r" } ["bytes:01020304", "{1, 0}"] => "{ i16 513, i16 8 }";
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %p, i32 2, <2 x i1> %m, <2 x i16> poison)\nret <2 x i16> %r" } ["bytes:0102", "{1, 0}"] => "{ i16 513, poison }";
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %p, i32 2, <2 x i1> %m, <2 x i16> poison)\nret <2 x i16> %r" } ["bytes:0102", "{1, 1}"] => "ub out-of-bounds";
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %p, i32 2, <2 x i1> %m, <2 x i16> <i16 7, i16 8>)\nret <2 x i16> %r" } ["null", "{0, 0}"] => "{ i16 7, i16 8 }";
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %p, i32 2, <2 x i1> %m, <2 x i16> poison)\nret <2 x i16> %r" } ["zeros:4", "{1, poison}"] => "ub branch-on-poison";
            "<2 x i16> @f(ptr %p, <2 x i1> %m)" { "%q = getelementptr i8, ptr %p, i64 2\n%r = call <2 x i16> @llvm.masked.load.v2i16.p0(ptr %q, i32 4, <2 x i1> %m, <2 x i16> poison)\nret <2 x i16> %r" } ["zeros:8", "{1, 0}"] => "ub misaligned";
            "i32 @f(ptr %p, <2 x i1> %m)" { "call void @llvm.masked.store.v2i16.p0(<2 x i16> <i16 1, i16 2>, ptr align 2 %p, <2 x i1> %m)\n%r = load i32, ptr %p\nret i32 %r" } ["zeros:4", "{0, 1}"] => "i32 131072";
            "<2 x i8> @f(ptr %p, <2 x i1> %m)" { "%q = getelementptr i8, ptr %p, <2 x i64> <i64 3, i64 9>\n%r = call <2 x i8> @llvm.masked.gather.v2i8.v2p0(<2 x ptr> %q, i32 1, <2 x i1> %m, <2 x i8> zeroinitializer)\nret <2 x i8> %r" } ["bytes:01020304", "{1, 0}"] => "{ i8 4, i8 0 }";
            "i8 @f(ptr %p)" { "%q = getelementptr i8, ptr %p, <2 x i64> zeroinitializer\ncall void @llvm.masked.scatter.v2i8.v2p0(<2 x i8> <i8 1, i8 2>, <2 x ptr> %q, i32 1, <2 x i1> splat (i1 true))\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:4"] => "i8 2";
            "<2 x i8> @f(ptr %p, <2 x i1> %m)" { "%r = call <2 x i8> @llvm.masked.expandload.v2i8(ptr %p, <2 x i1> %m, <2 x i8> <i8 7, i8 8>)\nret <2 x i8> %r" } ["bytes:05", "{0, 1}"] => "{ i8 7, i8 5 }";
            "i8 @f(ptr %p, <2 x i1> %m)" { "call void @llvm.masked.compressstore.v2i8(<2 x i8> <i8 7, i8 8>, ptr %p, <2 x i1> %m)\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:1", "{0, 1}"] => "i8 8";
        },
    );
}

#[test]
fn copies_and_fills() {
    let prelude = "declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)\n\
        declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
        declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
        declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)\n\
        declare void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)\n\
        declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)\n@k = constant [2 x i8] c\"ab\"";
    check(
        prelude,
        &cases! {
            "i16 @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.inline.p0.p0.i64(ptr %p, ptr %q, i64 2, i1 false)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2", "bytes:0102"] => "i16 513";
            "i16 @f(ptr %p)" { "call void @llvm.memset.inline.p0.i64(ptr %p, i8 3, i64 2, i1 false)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2"] => "i16 771";
            "i8 @f(ptr %p, i8 %v)" { "call void @llvm.memset.p0.i64(ptr %p, i8 %v, i64 2, i1 false)\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:2", "poison"] => "poison";
            "i8 @f(ptr %p, i8 %v)" { "call void @llvm.memset.p0.i64(ptr %p, i8 %v, i64 2, i1 false)\n%r = load i8, ptr %p\nret i8 %r" } ["zeros:2", "undef"] => "undef";
            "void @f(ptr %p, i64 %n)" { "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)\nret void" } ["zeros:2", "poison"] => "ub poison-length";
            "void @f(ptr %p, i64 %n)" { "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)\nret void" } ["zeros:2", "3"] => "ub out-of-bounds";
            "void @f(ptr %p)" { "call void @llvm.memset.p0.i64(ptr @k, i8 0, i64 1, i1 false)\nret void" } ["null"] => "ub read-only-write";
            "void @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 1\ncall void @llvm.memset.p0.i64(ptr align 2 %q, i8 0, i64 1, i1 false)\nret void" } ["zeros:4"] => "ub poison-pointer";
            "i32 @f(ptr %p)" { "%q = getelementptr i8, ptr %p, i64 1\ncall void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 3, i1 false)\n%r = load i32, ptr %p\nret i32 %r" } ["bytes:01020304"] => "i32 50462977";
            "i32 @f(ptr %p)" { "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 4, i1 false)\n%r = load i32, ptr %p\nret i32 %r" } ["bytes:01020304"] => "i32 67305985";
            "ptr @f(ptr %p)" { "%a = alloca ptr\n%b = alloca ptr\nstore ptr %p, ptr %a\ncall void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)\n%q = load ptr, ptr %b\nstore i8 1, ptr %q\nret ptr null" } ["zeros:1"] => "ptr null";
            "i16 @f(ptr %p, ptr %q)" { "call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 2 %p, ptr align 2 %q, i64 2, i32 2)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2", "bytes:0102"] => "i16 513";
            "i16 @f(ptr %p, ptr %q)" { "call void @llvm.memmove.element.unordered.atomic.p0.p0.i64(ptr align 1 %p, ptr align 1 %q, i64 2, i32 1)\n%r = load i16, ptr %p\nret i16 %r" } ["bytes:010203", "arg0+1"] => "i16 770";
            "i16 @f(ptr %p)" { "call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 1 %p, i8 1, i64 2, i32 1)\n%r = load i16, ptr %p\nret i16 %r" } ["zeros:2"] => "i16 257";
            "void @f(ptr %p)" { "call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 2 %p, i8 1, i64 3, i32 2)\nret void" } ["zeros:4"] => "ub element-length";
        },
    );
}
