; A pointer is dereferenceable after a lifetime starts, and not before.
; judged dereferenceable_before_a_lifetime: if @tgt_dereferenceable_before_a_lifetime keeps !dereferenceable

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
define i32 @src_dereferenceable_before_a_lifetime() {
  %a = alloca i32
  %i = ptrtoint ptr %a to i64
  call void @llvm.lifetime.start.p0(ptr %a)
  %q = inttoptr i64 %i to ptr, !dereferenceable !0
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i32 0
}
define i32 @tgt_dereferenceable_before_a_lifetime() {
  %a = alloca i32
  %i = ptrtoint ptr %a to i64
  %q = inttoptr i64 %i to ptr, !dereferenceable !0
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  ret i32 0
}
!0 = !{i64 4}
