; The same as for `!tbaa`.
; judged tb: keeps !tbaa

define void @src_tb(ptr noundef dereferenceable(16) align 8 %p, ptr noalias noundef dereferenceable(8) align 8 %q, i1 noundef %c) {
entry:
  store i8 1, ptr %p, align 8, !tbaa !2
  store i64 8, ptr %q, align 8
  store i8 7, ptr %p, align 8, !tbaa !2
  %v = load i64, ptr %q, align 8
  %g = getelementptr i8, ptr %p, i64 %v
  %x = load i8, ptr %g, align 1, !tbaa !3
  br i1 %c, label %a, label %j
a:
  store i64 0, ptr %q, align 8
  br label %j
j:
  ret void
}
define void @tgt_tb(ptr noundef dereferenceable(16) align 8 %p, ptr noalias noundef dereferenceable(8) align 8 %q, i1 noundef %c) {
entry:
  store i8 1, ptr %p, align 8, !tbaa !2
  store i64 8, ptr %q, align 8
  store i8 7, ptr %p, align 8, !tbaa !2
  br i1 %c, label %a, label %j
a:
  store i64 0, ptr %q, align 8
  br label %j
j:
  %v = load i64, ptr %q, align 8
  %g = getelementptr i8, ptr %p, i64 %v
  %x = load i8, ptr %g, align 1, !tbaa !3
  ret void
}
!1 = !{!"root"}
!2 = !{!4, !4, i64 0}
!3 = !{!5, !5, i64 0}
!4 = !{!"a", !1}
!5 = !{!"b", !1}
