; A call changes what an invariant load of the source reads later.
; judged changed_before_it_is_loaded: breaks a promise of the source

declare void @g(i32) willreturn nounwind
define i32 @src_changed_before_it_is_loaded(ptr %p) {
  call void @g(i32 1)
  call void @g(i32 2)
  %v = load i32, ptr %p, !invariant.load !0
  ret i32 %v
}
define i32 @tgt_changed_before_it_is_loaded(ptr %p) {
  call void @g(i32 1)
  %v = load i32, ptr %p, !invariant.load !0
  call void @g(i32 2)
  ret i32 %v
}
!0 = !{}
