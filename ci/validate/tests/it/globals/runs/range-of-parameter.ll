; An attribute of a parameter, before a freeze.
; judged range_of_parameter: if @tgt_range_of_parameter keeps !tbaa

define void @src_range_of_parameter(ptr noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i64  %x) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %fr = freeze i64 %x
  %m = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %m
  %v = load i32, ptr %a, align 4, !tbaa !1
  ret void
}
define void @tgt_range_of_parameter(ptr noundef dereferenceable(8) align 4 %p, ptr noundef dereferenceable(4) align 4 %q, i64 range(i64 0, 4) %x) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %fr = freeze i64 %x
  %m = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %m
  %v = load i32, ptr %a, align 4, !tbaa !1
  ret void
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
