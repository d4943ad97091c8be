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
