//! Floating point: NaN, fast-math flags, formats, the family of minima and maxima, conversions, library functions.

use crate::support::table::{cases, check};

/// LangRef, "Behavior of Floating-Point NaN values": the possible payloads, each with either sign, are the preferred
/// NaN, the quieted operand, and the unchanged operand.
#[test]
fn nan_payloads_are_chosen() {
    check(
        "",
        &cases! {
            "i32 @f(float %x)" { "%a = fadd float %x, 1.0\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"], [0] => "i32 2143289344";
            "i32 @f(float %x)" { "%a = fadd float %x, 1.0\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"], [1] => "i32 -4194304";
            "i32 @f(float %x)" { "%a = fadd float %x, 1.0\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"], [2] => "i32 2143289345";
            "i32 @f(float %x)" { "%a = fadd float %x, 1.0\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"], [4] => "i32 2139095041";
            "i32 @f(float %x)" { "%a = fadd float %x, 1.0\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0xff800001"], [5] => "i32 -8388607";
            "i32 @f(float %x)" { "%a = fsub float %x, %x\n%r = bitcast float %a to i32\nret i32 %r" } ["inf"], [1] => "i32 -4194304";
            "i32 @f(float %x)" { "%a = fneg float %x\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"] => "i32 -8388607";
            "i64 @f(float %x)" { "%a = fpext float %x to double\n%r = bitcast double %a to i64\nret i64 %r" } ["bits:0x7fc00001"], [2] => "i64 9221120237577961472";
            "i64 @f(float %x)" { "%a = fpext float %x to double\n%r = bitcast double %a to i64\nret i64 %r" } ["bits:0x7f800001"], [2] => "i64 9221120237577961472";
            "i64 @f(float %x)" { "%a = fpext float %x to double\n%r = bitcast double %a to i64\nret i64 %r" } ["bits:0x7f800001"], [4] => "i64 9218868437764276224";
            "i16 @f(half %x)" { "%a = fmul half %x, 1.0\n%r = bitcast half %a to i16\nret i16 %r" } ["bits:0x7c01"], [0] => "i16 32256";
            "i16 @f(half %x)" { "%a = fmul half %x, 1.0\n%r = bitcast half %a to i16\nret i16 %r" } ["bits:0x7c01"], [2] => "i16 32257";
            "i16 @f(half %x)" { "%a = fmul half %x, 1.0\n%r = bitcast half %a to i16\nret i16 %r" } ["bits:0x7c01"], [4] => "i16 31745";
            "float @f(float %x)" { "%r = fadd float %x, 1.0\nret float %r" } ["poison"] => "poison";
        },
    );
}

#[test]
fn fast_math_flags() {
    check(
        "declare float @llvm.fabs.f32(float)\ndeclare float @llvm.sqrt.f32(float)\ndeclare float @g(float)",
        &cases! {
            "float @f(float %x)" { "%r = fadd nnan float %x, 1.0\nret float %r" } ["nan"] => "poison";
            "float @f(float %x)" { "%r = fadd nnan float %x, 1.0\nret float %r" } ["inf"] => "float inf";
            "float @f(float %x)" { "%r = fadd ninf float %x, 1.0\nret float %r" } ["inf"] => "poison";
            "float @f(float %x)" { "%r = fmul ninf float %x, %x\nret float %r" } ["1e30"] => "poison";
            "float @f(float %x)" { "%r = fsub nnan float %x, %x\nret float %r" } ["inf"] => "poison";
            "float @f(float %x)" { "%r = fadd fast float %x, 1.0\nret float %r" } ["2"] => "float 3.0";
            "float @f(float %x)" { "%r = fmul nsz float %x, -1.0\nret float %r" } ["0"], [0] => "float -0.0";
            "float @f(float %x)" { "%r = fmul nsz float %x, -1.0\nret float %r" } ["0"], [1] => "float 0.0";
            "float @f(float %x)" { "%r = fneg nnan float %x\nret float %r" } ["nan"] => "poison";
            "float @f(float %x)" { "%r = call nnan float @llvm.fabs.f32(float %x)\nret float %r" } ["nan"] => "poison";
            "float @f(float %x)" { "%r = call nnan float @llvm.sqrt.f32(float %x)\nret float %r" } ["-1"] => "poison";
            "i1 @f(float %x)" { "%r = fcmp nnan olt float %x, 1.0\nret i1 %r" } ["nan"] => "poison";
            "i1 @f(float %x)" { "%r = fcmp ninf olt float %x, 1.0\nret i1 %r" } ["-inf"] => "poison";
            "float @f(i1 %c, float %x)" { "%r = select nnan i1 %c, float %x, float 1.0\nret float %r" } ["1", "nan"] => "poison";
            "float @f(i1 %c, float %x)" { "%r = select nnan i1 %c, float %x, float 1.0\nret float %r" } ["0", "nan"] => "float 1.0";
            "float @f(float %x)" { "br label %n\nn:\n%r = phi ninf float [ %x, %0 ]\nret float %r" } ["inf"] => "poison";
            "half @f(half %x)" { "%r = fadd ninf half %x, %x\nret half %r" } ["bits:0x7bff"] => "poison";
            "half @f(half %x)" { "%r = fneg nnan half %x\nret half %r" } ["bits:0x7e00"] => "poison";
            "half @f(double %x)" { "%r = fptrunc ninf double %x to half\nret half %r" } ["70000"] => "poison";
        },
    );
}

/// Results in `half` and `bfloat` are rounded once.
#[test]
fn formats_without_hardware() {
    check(
        "declare half @llvm.fma.f16(half, half, half)\ndeclare half @llvm.sqrt.f16(half)\n\
         declare half @llvm.rint.f16(half)\ndeclare bfloat @llvm.maxnum.bf16(bfloat, bfloat)\n\
         declare fp128 @llvm.floor.f128(fp128)\ndeclare fp128 @llvm.sqrt.f128(fp128)\ndeclare i8 @llvm.fptosi.sat.i8.f16(half)",
        &cases! {
            "half @f(half %x, half %y)" { "%r = fadd half %x, %y\nret half %r" } ["bits:0x3c00", "bits:0x1400"] => "half 0x3c01";
            "half @f(half %x, half %y)" { "%r = fadd half %x, %y\nret half %r" } ["bits:0x3c00", "bits:0x1000"] => "half 0x3c00";
            "half @f(half %x, half %y)" { "%r = fadd half %x, %y\nret half %r" } ["bits:0x3c01", "bits:0x1000"] => "half 0x3c02";
            "half @f(half %x, half %y)" { "%r = fdiv half %x, %y\nret half %r" } ["bits:0x3c00", "bits:0x4200"] => "half 0x3555";
            "half @f(half %x, half %y)" { "%r = fmul half %x, %y\nret half %r" } ["bits:0x0400", "bits:0x3800"] => "half 0x200";
            "half @f(half %x, half %y)" { "%r = frem half %x, %y\nret half %r" } ["bits:0x4700", "bits:0x4000"] => "half 0x3c00";
            "i1 @f(half %x, half %y)" { "%r = fcmp olt half %x, %y\nret i1 %r" } ["bits:0x8000", "bits:0x0000"] => "i1 false";
            "i1 @f(half %x, half %y)" { "%r = fcmp ult half %x, %y\nret i1 %r" } ["bits:0x7e00", "bits:0x0000"] => "i1 true";
            "half @f(double %x)" { "%r = fptrunc double %x to half\nret half %r" } ["1.00048828125"] => "half 0x3c00";
            "half @f(double %x)" { "%r = fptrunc double %x to half\nret half %r" } ["1.0004882812500002"] => "half 0x3c01";
            "half @f(double %x)" { "%r = fptrunc double %x to half\nret half %r" } ["65520"] => "half 0x7c00";
            "bfloat @f(float %x)" { "%r = fptrunc float %x to bfloat\nret bfloat %r" } ["bits:0x3f808000"] => "bfloat 0x3f80";
            "bfloat @f(float %x)" { "%r = fptrunc float %x to bfloat\nret bfloat %r" } ["bits:0x3f818000"] => "bfloat 0x3f82";
            "bfloat @f(float %x)" { "%r = fptrunc float %x to bfloat\nret bfloat %r" } ["bits:0x3f808001"] => "bfloat 0x3f81";
            "float @f(half %x)" { "%r = fpext half %x to float\nret float %r" } ["bits:0x0001"] => "float 5.9604645e-8";
            "half @f(i32 %x)" { "%r = sitofp i32 %x to half\nret half %r" } ["-2049"] => "half 0xe800";
            "half @f(i32 %x)" { "%r = uitofp i32 %x to half\nret half %r" } ["70000"] => "half 0x7c00";
            "i8 @f(half %x)" { "%r = fptosi half %x to i8\nret i8 %r" } ["bits:0xd800"] => "i8 -128";
            "i8 @f(half %x)" { "%r = fptosi half %x to i8\nret i8 %r" } ["bits:0x5800"] => "poison";
            "i8 @f(half %x)" { "%r = fptoui half %x to i8\nret i8 %r" } ["bits:0xb800"] => "i8 0";
            "i8 @f(half %x)" { "%r = call i8 @llvm.fptosi.sat.i8.f16(half %x)\nret i8 %r" } ["bits:0xfc00"] => "i8 -128";
            "i8 @f(half %x)" { "%r = call i8 @llvm.fptosi.sat.i8.f16(half %x)\nret i8 %r" } ["bits:0x7e00"] => "i8 0";
            "half @f(half %x)" { "%r = call half @llvm.fma.f16(half %x, half %x, half 0xHBC20)\nret half %r" } ["bits:0x3c10"] => "half 0xc00";
            "half @f(half %x)" { "%r = call half @llvm.sqrt.f16(half %x)\nret half %r" } ["bits:0x4000"] => "half 0x3da8";
            "half @f(half %x)" { "%r = call half @llvm.rint.f16(half %x)\nret half %r" } ["bits:0x4100"] => "half 0x4000";
            "bfloat @f(bfloat %x)" { "%r = call bfloat @llvm.maxnum.bf16(bfloat %x, bfloat 2.0)\nret bfloat %r" } ["bits:0x7fc0"] => "bfloat 0x4000";
            "i1 @f(i64 %x)" { "%a = sitofp i64 %x to fp128\n%b = fadd fp128 %a, 0xL00000000000000003FFF000000000000\n%r = fcmp ogt fp128 %b, %a\nret i1 %r" } ["9223372036854775807"] => "i1 true";
            "i64 @f(i64 %x)" { "%a = sitofp i64 %x to x86_fp80\n%b = fptosi x86_fp80 %a to i64\nret i64 %b" } ["9223372036854775807"] => "i64 9223372036854775807";
            "fp128 @f(fp128 %x)" { "%r = call fp128 @llvm.floor.f128(fp128 %x)\nret fp128 %r" } ["bits:0xbffe0000000000000000000000000000"] => "fp128 0xbfff0000000000000000000000000000";
            "fp128 @f(fp128 %x)" { "%r = call fp128 @llvm.sqrt.f128(fp128 %x)\nret fp128 %r" } ["bits:0x0"] => "unsupported intrinsic sqrt of fp128";
            "ppc_fp128 @f(ppc_fp128 %x)" { "%r = fadd ppc_fp128 %x, %x\nret ppc_fp128 %r" } ["bits:0x0"] => "unsupported type ppc_fp128 in arithmetic";
            "ppc_fp128 @f(ppc_fp128 %x)" { "%r = fneg ppc_fp128 %x\nret ppc_fp128 %r" } ["poison"] => "poison";
            "<2 x half> @f(<2 x half> %x)" { "%r = fadd <2 x half> %x, %x\nret <2 x half> %r" } ["{bits:0x3c00, poison}"] => "{ half 0x4000, poison }";
        },
    );
}

#[test]
fn minima_and_maxima() {
    check(
        "declare float @llvm.minnum.f32(float, float)\ndeclare float @llvm.maxnum.f32(float, float)\n\
         declare float @llvm.minimum.f32(float, float)\ndeclare float @llvm.maximum.f32(float, float)\n\
         declare float @llvm.minimumnum.f32(float, float)\ndeclare float @llvm.maximumnum.f32(float, float)\n\
         declare float @llvm.copysign.f32(float, float)",
        &cases! {
            "float @f(float %x)" { "%r = call float @llvm.minnum.f32(float %x, float 1.0)\nret float %r" } ["nan"] => "float 1.0";
            "float @f(float %x)" { "%r = call float @llvm.minnum.f32(float %x, float 1.0)\nret float %r" } ["bits:0x7f800001"], [0] => "float 1.0";
            "float @f(float %x)" { "%r = call float @llvm.minnum.f32(float %x, float 1.0)\nret float %r" } ["bits:0x7f800001"], [1] => "float NaN";
            "float @f(float %x)" { "%r = call float @llvm.maxnum.f32(float 1.0, float %x)\nret float %r" } ["nan"] => "float 1.0";
            "float @f(float %x)" { "%r = call float @llvm.maxnum.f32(float %x, float %x)\nret float %r" } ["nan"] => "float NaN";
            "float @f(float %x)" { "%r = call float @llvm.minimum.f32(float %x, float 1.0)\nret float %r" } ["nan"] => "float NaN";
            "float @f(float %x)" { "%r = call float @llvm.minimum.f32(float %x, float 0.0)\nret float %r" } ["-0.0"] => "float -0.0";
            "float @f(float %x)" { "%r = call float @llvm.maximum.f32(float %x, float 0.0)\nret float %r" } ["-0.0"] => "float 0.0";
            "float @f(float %x)" { "%r = call nsz float @llvm.maximum.f32(float %x, float 0.0)\nret float %r" } ["-0.0"], [1] => "float -0.0";
            "float @f(float %x)" { "%r = call nsz float @llvm.maximum.f32(float %x, float -1.0)\nret float %r" } ["0.0"], [0] => "float 0.0";
            "float @f(float %x)" { "%r = call float @llvm.minimumnum.f32(float %x, float 1.0)\nret float %r" } ["bits:0x7f800001"] => "float 1.0";
            "float @f(float %x)" { "%r = call float @llvm.maximumnum.f32(float %x, float 1.0)\nret float %r" } ["nan"] => "float 1.0";
            "float @f(float %x)" { "%r = call nnan float @llvm.minnum.f32(float %x, float 1.0)\nret float %r" } ["nan"] => "poison";
            "float @f(float %x)" { "%r = call float @llvm.copysign.f32(float 1.0, float %x)\nret float %r" } ["-0.0"] => "float -1.0";
            "i32 @f(float %x)" { "%a = call float @llvm.copysign.f32(float %x, float -1.0)\n%r = bitcast float %a to i32\nret i32 %r" } ["bits:0x7f800001"] => "i32 -8388607";
        },
    );
}

#[test]
fn roundings_and_conversions() {
    check(
        "declare i32 @llvm.lrint.i32.f64(double)\ndeclare i64 @llvm.llrint.i64.f32(float)\n\
         declare i32 @llvm.lround.i32.f64(double)\ndeclare i64 @llvm.llround.i64.f64(double)\n\
         declare double @llvm.rint.f64(double)\ndeclare double @llvm.round.f64(double)\ndeclare double @llvm.roundeven.f64(double)\n\
         declare double @llvm.floor.f64(double)\ndeclare double @llvm.ceil.f64(double)\ndeclare double @llvm.trunc.f64(double)\n\
         declare i8 @llvm.fptoui.sat.i8.f32(float)\ndeclare i8 @llvm.fptosi.sat.i8.f32(float)\n\
         declare <2 x i32> @llvm.lrint.v2i32.v2f64(<2 x double>)",
        &cases! {
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["2.5"] => "i32 2";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["-3.5"] => "i32 -4";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["2147483647.4"] => "i32 2147483647";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["2147483647.5"], [77] => "i32 77";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["nan"], [5] => "i32 5";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lrint.i32.f64(double %x)\nret i32 %r" } ["poison"] => "poison";
            "i64 @f(float %x)" { "%r = call i64 @llvm.llrint.i64.f32(float %x)\nret i64 %r" } ["1.5"] => "i64 2";
            "i32 @f(double %x)" { "%r = call i32 @llvm.lround.i32.f64(double %x)\nret i32 %r" } ["2.5"] => "i32 3";
            "i64 @f(double %x)" { "%r = call i64 @llvm.llround.i64.f64(double %x)\nret i64 %r" } ["-2.5"] => "i64 -3";
            "i64 @f(double %x)" { "%r = call i64 @llvm.llround.i64.f64(double %x)\nret i64 %r" } ["0.49999999999999994"] => "i64 0";
            "<2 x i32> @f(<2 x double> %x)" { "%r = call <2 x i32> @llvm.lrint.v2i32.v2f64(<2 x double> %x)\nret <2 x i32> %r" } ["{2.5, poison}"] => "{ i32 2, poison }";
            "double @f(double %x)" { "%r = call double @llvm.rint.f64(double %x)\nret double %r" } ["-0.5"] => "double -0.0";
            "double @f(double %x)" { "%r = call double @llvm.round.f64(double %x)\nret double %r" } ["-0.5"] => "double -1.0";
            "double @f(double %x)" { "%r = call double @llvm.roundeven.f64(double %x)\nret double %r" } ["3.5"] => "double 4.0";
            "double @f(double %x)" { "%r = call double @llvm.floor.f64(double %x)\nret double %r" } ["-0.5"] => "double -1.0";
            "double @f(double %x)" { "%r = call double @llvm.ceil.f64(double %x)\nret double %r" } ["-0.5"] => "double -0.0";
            "double @f(double %x)" { "%r = call double @llvm.trunc.f64(double %x)\nret double %r" } ["-1.7"] => "double -1.0";
            "i8 @f(float %x)" { "%r = call i8 @llvm.fptoui.sat.i8.f32(float %x)\nret i8 %r" } ["300"] => "i8 -1";
            "i8 @f(float %x)" { "%r = call i8 @llvm.fptoui.sat.i8.f32(float %x)\nret i8 %r" } ["-3"] => "i8 0";
            "i8 @f(float %x)" { "%r = call i8 @llvm.fptosi.sat.i8.f32(float %x)\nret i8 %r" } ["-300"] => "i8 -128";
            "i8 @f(float %x)" { "%r = call i8 @llvm.fptosi.sat.i8.f32(float %x)\nret i8 %r" } ["nan"] => "i8 0";
            "i8 @f(float %x)" { "%r = fptoui float %x to i8\nret i8 %r" } ["-0.9"] => "i8 0";
            "i8 @f(float %x)" { "%r = fptoui float %x to i8\nret i8 %r" } ["-1"] => "poison";
            "float @f(i64 %x)" { "%r = uitofp i64 %x to float\nret float %r" } ["0xffffffffffffffff"] => "float 1.8446744e19";
            "float @f(i8 %x)" { "%r = sitofp i8 %x to float\nret float %r" } ["-1"] => "float -1.0";
        },
    );
}

#[test]
fn exponents_classes_and_fused_operations() {
    check(
        "declare double @llvm.ldexp.f64.i32(double, i32)\ndeclare <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float>, <2 x i32>)\n\
         declare {double, i32} @llvm.frexp.f64.i32(double)\ndeclare {double, double} @llvm.modf.f64(double)\n\
         declare i1 @llvm.is.fpclass.f32(float, i32 immarg)\ndeclare <2 x i1> @llvm.is.fpclass.v2f32(<2 x float>, i32 immarg)\n\
         declare float @llvm.fma.f32(float, float, float)\ndeclare float @llvm.fmuladd.f32(float, float, float)\n\
         declare double @llvm.powi.f64.i32(double, i32)\ndeclare float @llvm.canonicalize.f32(float)\n\
         declare float @llvm.arithmetic.fence.f32(float)",
        &cases! {
            "double @f(i32 %x)" { "%r = call double @llvm.ldexp.f64.i32(double 1.5, i32 %x)\nret double %r" } ["3"] => "double 12.0";
            "double @f(i32 %x)" { "%r = call double @llvm.ldexp.f64.i32(double 1.5, i32 %x)\nret double %r" } ["5000"] => "double inf";
            "double @f(i32 %x)" { "%r = call double @llvm.ldexp.f64.i32(double 1.5, i32 %x)\nret double %r" } ["-1075"] => "double 5e-324";
            "double @f(i32 %x)" { "%r = call double @llvm.ldexp.f64.i32(double 1.0, i32 %x)\nret double %r" } ["-1075"] => "double 0.0";
            "double @f(i32 %x)" { "%r = call double @llvm.ldexp.f64.i32(double 1.5, i32 %x)\nret double %r" } ["poison"] => "poison";
            "<2 x float> @f(<2 x i32> %x)" { "%r = call <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float> splat (float 1.0), <2 x i32> %x)\nret <2 x float> %r" } ["{1, -1}"] => "{ float 2.0, float 0.5 }";
            "{double, i32} @f(double %x)" { "%r = call {double, i32} @llvm.frexp.f64.i32(double %x)\nret {double, i32} %r" } ["12"] => "{ double 0.75, i32 4 }";
            "{double, i32} @f(double %x)" { "%r = call {double, i32} @llvm.frexp.f64.i32(double %x)\nret {double, i32} %r" } ["-0.0"] => "{ double -0.0, i32 0 }";
            "{double, i32} @f(double %x)" { "%r = call {double, i32} @llvm.frexp.f64.i32(double %x)\nret {double, i32} %r" } ["5e-324"] => "{ double 0.5, i32 -1073 }";
            "{double, i32} @f(double %x)" { "%r = call {double, i32} @llvm.frexp.f64.i32(double %x)\nret {double, i32} %r" } ["-inf"], [9] => "{ double -inf, i32 9 }";
            "{double, double} @f(double %x)" { "%r = call {double, double} @llvm.modf.f64(double %x)\nret {double, double} %r" } ["-2.5"] => "{ double -0.5, double -2.0 }";
            "{double, double} @f(double %x)" { "%r = call {double, double} @llvm.modf.f64(double %x)\nret {double, double} %r" } ["-inf"] => "{ double -0.0, double -inf }";
            "{double, double} @f(double %x)" { "%r = call {double, double} @llvm.modf.f64(double %x)\nret {double, double} %r" } ["-2"] => "{ double -0.0, double -2.0 }";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 1)\nret i1 %r" } ["bits:0x7f800001"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 1)\nret i1 %r" } ["bits:0x7fc00000"] => "i1 false";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 2)\nret i1 %r" } ["bits:0xffc00000"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 32)\nret i1 %r" } ["-0.0"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 144)\nret i1 %r" } ["bits:0x1"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 264)\nret i1 %r" } ["-3"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 516)\nret i1 %r" } ["-inf"] => "i1 true";
            "i1 @f(float %x)" { "%r = call i1 @llvm.is.fpclass.f32(float %x, i32 1023)\nret i1 %r" } ["poison"] => "poison";
            "<2 x i1> @f(<2 x float> %x)" { "%r = call <2 x i1> @llvm.is.fpclass.v2f32(<2 x float> %x, i32 3)\nret <2 x i1> %r" } ["{nan, 1}"] => "{ i1 true, i1 false }";
            "float @f(float %x)" { "%r = call float @llvm.fma.f32(float %x, float %x, float -1.00048828125)\nret float %r" } ["bits:0x3f800800"] => "float 5.9604645e-8";
            "float @f(float %x)" { "%r = call float @llvm.fmuladd.f32(float %x, float %x, float -1.00048828125)\nret float %r" } ["bits:0x3f800800"], [0] => "float 0.0";
            "float @f(float %x)" { "%r = call float @llvm.fmuladd.f32(float %x, float %x, float -1.00048828125)\nret float %r" } ["bits:0x3f800800"], [1] => "float 5.9604645e-8";
            "double @f(i32 %n)" { "%r = call double @llvm.powi.f64.i32(double 2.0, i32 %n)\nret double %r" } ["-3"] => "double 0.125";
            "double @f(double %x)" { "%r = call double @llvm.powi.f64.i32(double %x, i32 0)\nret double %r" } ["nan"] => "double 1.0";
            "float @f(float %x)" { "%r = call float @llvm.canonicalize.f32(float %x)\nret float %r" } ["-0.0"] => "float -0.0";
            "float @f(float %x)" { "%r = call float @llvm.arithmetic.fence.f32(float %x)\nret float %r" } ["3"] => "float 3.0";
        },
    );
}

/// At points where every library gives the same result.
#[test]
fn library_functions() {
    let names = [
        "pow", "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
        "atan2", "sinh", "cosh", "tanh",
    ];
    let mut prelude = String::from("declare {double, double} @llvm.sincos.f64(double)\n");
    for name in names {
        let two = if matches!(name, "pow" | "atan2") { ", " } else { "" };
        for (ty, suffix) in [("double", "f64"), ("half", "f16")] {
            let second = if two.is_empty() { "" } else { ty };
            prelude += &format!("declare {ty} @llvm.{name}.{suffix}({ty}{two}{second})\n");
        }
    }
    check(
        &prelude,
        &cases! {
            "double @f(double %x)" { "%r = call double @llvm.pow.f64(double %x, double 3.0)\nret double %r" } ["2"] => "double 8.0";
            "double @f(double %x)" { "%r = call double @llvm.pow.f64(double %x, double 0.0)\nret double %r" } ["nan"] => "double 1.0";
            "double @f(double %x)" { "%r = call double @llvm.exp.f64(double %x)\nret double %r" } ["0"] => "double 1.0";
            "double @f(double %x)" { "%r = call double @llvm.exp2.f64(double %x)\nret double %r" } ["-2"] => "double 0.25";
            "double @f(double %x)" { "%r = call double @llvm.exp10.f64(double %x)\nret double %r" } ["2"] => "double 100.0";
            "double @f(double %x)" { "%r = call double @llvm.log.f64(double %x)\nret double %r" } ["1"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.log.f64(double %x)\nret double %r" } ["0"] => "double -inf";
            "double @f(double %x)" { "%r = call nnan double @llvm.log.f64(double %x)\nret double %r" } ["-1"] => "poison";
            "double @f(double %x)" { "%r = call double @llvm.log2.f64(double %x)\nret double %r" } ["8"] => "double 3.0";
            "double @f(double %x)" { "%r = call double @llvm.log10.f64(double %x)\nret double %r" } ["1000"] => "double 3.0";
            "double @f(double %x)" { "%r = call double @llvm.sin.f64(double %x)\nret double %r" } ["-0.0"] => "double -0.0";
            "double @f(double %x)" { "%r = call double @llvm.cos.f64(double %x)\nret double %r" } ["0"] => "double 1.0";
            "double @f(double %x)" { "%r = call double @llvm.tan.f64(double %x)\nret double %r" } ["0"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.asin.f64(double %x)\nret double %r" } ["0"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.acos.f64(double %x)\nret double %r" } ["1"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.atan.f64(double %x)\nret double %r" } ["0"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.atan2.f64(double %x, double 1.0)\nret double %r" } ["0"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.sinh.f64(double %x)\nret double %r" } ["0"] => "double 0.0";
            "double @f(double %x)" { "%r = call double @llvm.cosh.f64(double %x)\nret double %r" } ["0"] => "double 1.0";
            "double @f(double %x)" { "%r = call double @llvm.tanh.f64(double %x)\nret double %r" } ["inf"] => "double 1.0";
            "{double, double} @f(double %x)" { "%r = call {double, double} @llvm.sincos.f64(double %x)\nret {double, double} %r" } ["0"] => "{ double 0.0, double 1.0 }";
            "half @f(half %x)" { "%r = call half @llvm.exp2.f16(half %x)\nret half %r" } ["bits:0x4000"] => "half 0x4400";
            "half @f(half %x)" { "%r = call half @llvm.cos.f16(half %x)\nret half %r" } ["poison"] => "poison";
        },
    );
}
