; A library function writes what an invariant load of the source reads later.
; judged filled_before_it_is_loaded: breaks a promise of the source

declare ptr @memset(ptr, i32, i64)
define i32 @src_filled_before_it_is_loaded(ptr noundef align 4 dereferenceable(4) %p) {
  %m = call ptr @memset(ptr %p, i32 0, i64 4)
  %v = load i32, ptr %p, !invariant.load !0
  ret i32 %v
}
define i32 @tgt_filled_before_it_is_loaded(ptr noundef align 4 dereferenceable(4) %p) {
  %v = load i32, ptr %p, !invariant.load !0
  %m = call ptr @memset(ptr %p, i32 0, i64 4)
  ret i32 %v
}
!0 = !{}
