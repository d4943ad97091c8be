define i8 @src(ptr %pp, i1 %c) {
  %p = load ptr, ptr %pp, !dereferenceable !0, !align !0
  br i1 %c, label %a, label %b
a:
  %v = load i8, ptr %p
  ret i8 %v
b:
  ret i8 0
}
define i8 @tgt(ptr %pp, i1 %c) {
  %p = load ptr, ptr %pp, !dereferenceable !0, !align !0
  %v = load i8, ptr %p
  br i1 %c, label %a, label %b
a:
  ret i8 %v
b:
  ret i8 0
}
!0 = !{i64 1}
