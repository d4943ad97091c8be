; A copy of more bytes.
; judged longer_copy: if @tgt_longer_copy keeps !alias.scope

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @src_longer_copy(ptr noundef align 4 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %r) {
entry:
  %t = alloca [8 x i8], align 4
  store i32 1, ptr %r, align 4, !noalias !2
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 4, i1 false), !alias.scope !2
  %v = load i32, ptr %t, align 4
  ret i32 %v
}
define i32 @tgt_longer_copy(ptr noundef align 4 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %r) {
entry:
  %t = alloca [8 x i8], align 4
  store i32 1, ptr %r, align 4, !noalias !2
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 8, i1 false), !alias.scope !2
  %v = load i32, ptr %t, align 4
  ret i32 %v
}
!0 = distinct !{!0, !"domain"}
!1 = distinct !{!1, !0, !"scope"}
!2 = !{!1}
