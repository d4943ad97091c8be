; Fast-math flags that make poison, and poison through floating-point operations.

; @nnan_operand(nan) -> poison
; @nnan_operand(1.5) -> double 2.5
define double @nnan_operand(double %x) {
  %r = fadd nnan double %x, 1.0
  ret double %r
}
; @nnan_result(inf) -> poison
define double @nnan_result(double %x) {
  %r = fsub nnan double %x, %x
  ret double %r
}
; @ninf_operand(inf) -> poison
; @ninf_operand(-inf) -> poison
; @ninf_operand(2.0) -> double 4.0
define double @ninf_operand(double %x) {
  %r = fmul ninf double %x, 2.0
  ret double %r
}
; @ninf_result(0.0) -> poison
define double @ninf_result(double %x) {
  %r = fdiv ninf double 1.0, %x
  ret double %r
}
; @nnan_compare(nan) -> poison
; @nnan_compare(1.0) -> i1 true
define i1 @nnan_compare(double %x) {
  %r = fcmp nnan oeq double %x, 1.0
  ret i1 %r
}
; @nnan_select(1, nan) -> poison
; @nnan_select(0, nan) -> double 1.0
define double @nnan_select(i1 %c, double %x) {
  %r = select nnan i1 %c, double %x, double 1.0
  ret double %r
}
; @nnan_phi(1, nan) -> poison
; @nnan_phi(0, nan) -> double 1.0
define double @nnan_phi(i1 %c, double %x) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %r = phi nnan double [ 1.0, %entry ], [ %x, %a ]
  ret double %r
}
; @nnan_neg(nan) -> poison
define double @nnan_neg(double %x) {
  %r = fneg nnan double %x
  ret double %r
}
; @nnan_sign(nan) -> poison
; @nnan_sign(-2.0) -> double -1.0
define double @nnan_sign(double %sign) {
  %r = call nnan double @llvm.copysign.f64(double 1.0, double %sign)
  ret double %r
}
; @nnan_trunc(nan) -> poison
define float @nnan_trunc(double %x) {
  %r = fptrunc nnan double %x to float
  ret float %r
}
; @nnan_sqrt(-1.0) -> poison
; @nnan_sqrt(4.0) -> double 2.0
define double @nnan_sqrt(double %x) {
  %r = call nnan double @llvm.sqrt.f64(double %x)
  ret double %r
}
; @ninf_trunc(1e300) -> poison
define float @ninf_trunc(double %x) {
  %r = fptrunc ninf double %x to float
  ret float %r
}
; @poison_operand(poison) -> poison
define double @poison_operand(double %x) {
  %r = fadd double %x, 1.0
  ret double %r
}
; @compare_unordered(nan) -> i1 true
define i1 @compare_unordered(double %x) {
  %r = fcmp uno double %x, 0.0
  ret i1 %r
}
; The undef operand may be a NaN.
; @undef_select_nnan(1, undef) -> poison
define double @undef_select_nnan(i1 %c, double %x) {
  %r = select nnan i1 %c, double %x, double 1.0
  ret double %r
}
declare double @llvm.copysign.f64(double, double)
declare double @llvm.sqrt.f64(double)
; Under a mode that may flush denormal numbers a run ends where one shows up; nothing else changes.
; @flushing(1.5, 1.0) -> double 2.5
; @flushing(poison, 1.0) -> poison
; @flushing(bits:0x1, 1.0) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
; @flushing(bits:0x0010000000000001, bits:0x8010000000000000) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
define double @flushing(double %x, double %y) "denormal-fp-math"="preserve-sign,preserve-sign" {
  %r = fadd double %x, %y
  ret double %r
}
; A comparison takes denormal numbers for zero too.
; @flushing_compare(bits:0x1) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
; @flushing_compare(0.0) -> i1 true
define i1 @flushing_compare(double %x) "denormal-fp-math"="ieee,positive-zero" {
  %r = fcmp oeq double %x, 0.0
  ret i1 %r
}
; Bits are moved as they are.
; @flushing_moves(bits:0x1) -> double -5e-324
define double @flushing_moves(double %x) "denormal-fp-math"="dynamic,dynamic" {
  %r = fneg double %x
  ret double %r
}
; @ieee_by_name(bits:0x1) -> double 1e-323
define double @ieee_by_name(double %x) "denormal-fp-math"="ieee,ieee" {
  %r = fadd double %x, %x
  ret double %r
}
; The attribute for float alone says nothing of double, and goes before the general one.
; @float_alone(bits:0x1) -> double 1e-323
define double @float_alone(double %x) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %r = fadd double %x, %x
  ret double %r
}
; @float_ieee(bits:0x1) -> float 3e-45
define float @float_ieee(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="ieee,ieee" {
  %r = fadd float %x, %x
  ret float %r
}
; The callee is under its own mode.
; @calls_flushing(bits:0x1) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
define double @calls_flushing(double %x) {
  %r = call double @flushing(double %x, double 1.0)
  ret double %r
}
; Intermediate results are not seen.
; @flushing_fused(1.0) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
define double @flushing_fused(double %x) "denormal-fp-math"="preserve-sign" {
  %r = call double @llvm.fmuladd.f64(double %x, double %x, double %x)
  ret double %r
}
; @flushing_root(4.0) -> double 2.0
; @flushing_root(bits:0x1) -> unsupported denormal numbers under `denormal-fp-math` other than ieee
define double @flushing_root(double %x) "denormal-fp-math"="preserve-sign" {
  %r = call double @llvm.sqrt.f64(double %x)
  ret double %r
}
; Constrained operations mean the plain ones where rounding is to nearest and exceptions are ignored.
; @constrained(1.5) -> double 3.0
; @constrained(poison) -> poison
define double @constrained(double %x) strictfp {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; @constrained_upward(1.5) -> unsupported intrinsic llvm.experimental.constrained.fadd.f64 with round.upward
define double @constrained_upward(double %x) strictfp {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; @constrained_strict(1.5) -> unsupported intrinsic llvm.experimental.constrained.fadd.f64 with fpexcept.strict
define double @constrained_strict(double %x) strictfp {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  ret double %r
}
; @constrained_compare(nan) -> i1 true
; @constrained_compare(1.0) -> i1 true
define i1 @constrained_compare(double %x) strictfp {
  %r = call i1 @llvm.experimental.constrained.fcmp.f64(double %x, double 2.0, metadata !"ult", metadata !"fpexcept.ignore") strictfp
  ret i1 %r
}
; @constrained_to_int(3.7) -> i8 3
; @constrained_to_int(300.0) -> poison
define i8 @constrained_to_int(double %x) strictfp {
  %r = call i8 @llvm.experimental.constrained.fptosi.i8.f64(double %x, metadata !"fpexcept.ignore") strictfp
  ret i8 %r
}
; @constrained_from_int(-3) -> double -3.0
define double @constrained_from_int(i8 %x) strictfp {
  %r = call double @llvm.experimental.constrained.sitofp.f64.i8(i8 %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; @constrained_lanes({1.0, poison}) -> { double 2.0, poison }
define <2 x double> @constrained_lanes(<2 x double> %x) strictfp {
  %r = call <2 x double> @llvm.experimental.constrained.fma.v2f64(<2 x double> %x, <2 x double> %x, <2 x double> %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret <2 x double> %r
}
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
declare i8 @llvm.experimental.constrained.fptosi.i8.f64(double, metadata)
declare double @llvm.experimental.constrained.sitofp.f64.i8(i8, metadata, metadata)
declare <2 x double> @llvm.experimental.constrained.fma.v2f64(<2 x double>, <2 x double>, <2 x double>, metadata, metadata)
