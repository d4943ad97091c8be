; LangRef leaves the accuracy of pow open, and lets a signaling NaN be treated as a quiet one.

declare double @llvm.pow.f64(double, double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.exp2.f64(double)

define double @src_zero(double %x) {
  %r = call double @llvm.pow.f64(double %x, double 0.0)
  ret double %r
}
define double @tgt_zero(double %x) {
  ret double 1.0
}

define double @src_two(double noundef %x) {
  %r = call double @llvm.pow.f64(double 2.0, double %x)
  ret double %r
}
define double @tgt_two(double noundef %x) {
  %r = call double @llvm.exp2.f64(double %x)
  ret double %r
}
