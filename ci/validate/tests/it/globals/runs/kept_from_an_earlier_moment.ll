; Memory that is not freed after a call may be freed by the call.
; judged kept_from_an_earlier_moment: if @tgt_kept_from_an_earlier_moment keeps !nofree

declare void @g(i64) willreturn nounwind
declare void @h(ptr) willreturn nounwind
define void @src_kept_from_an_earlier_moment(i64 %i) {
  call void @g(i64 %i)
  %q2 = inttoptr i64 %i to ptr, !nofree !0
  call void @h(ptr %q2)
  ret void
}
define void @tgt_kept_from_an_earlier_moment(i64 %i) {
  %q2 = inttoptr i64 %i to ptr, !nofree !0
  call void @g(i64 %i)
  call void @h(ptr %q2)
  ret void
}
!0 = !{}
