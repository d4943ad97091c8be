; A pointer is dereferenceable after a call that may allocate, and not before it.
; judged dereferenceable_before_an_allocation: if @tgt_dereferenceable_before_an_allocation keeps !dereferenceable

declare void @g(i64) nounwind willreturn
define ptr @src_dereferenceable_before_an_allocation(i64 %i) {
  call void @g(i64 %i)
  %q = inttoptr i64 %i to ptr, !dereferenceable !0
  ret ptr %q
}
define ptr @tgt_dereferenceable_before_an_allocation(i64 %i) {
  %q = inttoptr i64 %i to ptr, !dereferenceable !0
  call void @g(i64 %i)
  ret ptr %q
}
!0 = !{i64 4}
