; Unreachable code of the source makes no promises.
; judged dead_code: if @tgt_dead_code keeps !tbaa

define i32 @src_dead_code(ptr align 4 dereferenceable(4) %p, ptr align 4 dereferenceable(4) %q) {
  store float 1.0, ptr %q, align 4, !tbaa !3
  ret i32 0
dead:
  %v = load i32, ptr %p, align 4, !tbaa !1
  ret i32 %v
}
define i32 @tgt_dead_code(ptr align 4 dereferenceable(4) %p, ptr align 4 dereferenceable(4) %q) {
  store float 1.0, ptr %q, align 4, !tbaa !3
  %v = load i32, ptr %p, align 4, !tbaa !1
  ret i32 0
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
