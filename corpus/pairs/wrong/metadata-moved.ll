; Metadata that the source has not, or on memory of another parameter; and a flag on a select that lets the sign of a zero go.

declare i8 @give()

define i8 @src_invariant(ptr %p, ptr %q, float %f) {
  %a = load i8, ptr %p, !invariant.load !0
  %b = load i8, ptr %q
  %c = add i8 %a, %b
  ret i8 %c
}
define i8 @tgt_invariant(ptr %p, ptr %q, float %f) {
  %a = load i8, ptr %p
  %b = load i8, ptr %q, !invariant.load !0
  %c = add i8 %a, %b
  ret i8 %c
}
define i8 @src_invariant_kept(ptr %p, ptr %q, float %f) {
  %a = load i8, ptr %p, !invariant.load !0
  %b = load i8, ptr %q
  %c = add i8 %a, %b
  ret i8 %c
}
define i8 @tgt_invariant_kept(ptr %p, ptr %q, float %f) {
  %a = load i8, ptr %p, !invariant.load !0
  %b = load i8, ptr %q
  %c = add i8 %a, %b
  ret i8 %c
}
define float @src_precision(ptr %p, ptr %q, float %f) {
  %r = fdiv float %f, 3.0
  ret float %r
}
define float @tgt_precision(ptr %p, ptr %q, float %f) {
  %r = fdiv float %f, 3.0, !fpmath !1
  ret float %r
}
define i8 @src_callees(ptr %p, ptr %q, float %f) {
  %r = call i8 %p()
  ret i8 %r
}
define i8 @tgt_callees(ptr %p, ptr %q, float %f) {
  %r = call i8 %p(), !callees !2
  ret i8 %r
}
define float @src_class(ptr %p, ptr %q, float %f) {
  %r = load float, ptr %p
  ret float %r
}
define float @tgt_class(ptr %p, ptr %q, float %f) {
  %r = load float, ptr %p, !nofpclass !3
  ret float %r
}
define i8 @src_space(ptr %p, ptr %q, float %f) {
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt_space(ptr %p, ptr %q, float %f) {
  %r = load i8, ptr %p, !noalias.addrspace !4
  ret i8 %r
}
define i8 @src_hint(ptr %p, ptr %q, float %f) {
  %r = load i8, ptr %p
  ret i8 %r
}
define i8 @tgt_hint(ptr %p, ptr %q, float %f) {
  %r = load i8, ptr %p, !nontemporal !5
  ret i8 %r
}
define float @src_sign(ptr %p, ptr %q, float %f) {
  %c = fcmp oeq float %f, 1.0
  %r = select i1 %c, float %f, float 0.0
  ret float %r
}
define float @tgt_sign(ptr %p, ptr %q, float %f) {
  %c = fcmp oeq float %f, 1.0
  %r = select nsz i1 %c, float %f, float 0.0
  ret float %r
}
!0 = !{}
!1 = !{float 2.5}
!2 = !{ptr @give}
!3 = !{i32 3}
!4 = !{i32 0, i32 10}
!5 = !{i32 1}
