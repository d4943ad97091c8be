; A call changes what is loaded with a constant tag later.
; judged changed_before_a_constant_is_loaded: breaks a promise of the source

declare void @g() willreturn nounwind
define i32 @src_changed_before_a_constant_is_loaded(ptr dereferenceable(4) align 4 noundef nofree %p) {
  call void @g()
  %v = load i32, ptr %p, !tbaa !1
  ret i32 %v
}
define i32 @tgt_changed_before_a_constant_is_loaded(ptr dereferenceable(4) align 4 noundef nofree %p) {
  %v = load i32, ptr %p, !tbaa !1
  call void @g()
  ret i32 %v
}
!0 = !{!"root"}
!1 = !{!3, !3, i64 0, i64 1}
!3 = !{!"int", !0, i64 0}
