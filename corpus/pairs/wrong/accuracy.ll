; Both sides take the same powers: that what follows differs is no question of accuracy.

declare double @llvm.pow.f64(double, double)

define i1 @src(double noundef %x) {
  %r = call double @llvm.pow.f64(double %x, double 3.0)
  %c = fcmp olt double %r, 0.0
  ret i1 %c
}
define i1 @tgt(double noundef %x) {
  %r = call double @llvm.pow.f64(double %x, double 3.0)
  %c = fcmp ole double %r, 0.0
  ret i1 %c
}
