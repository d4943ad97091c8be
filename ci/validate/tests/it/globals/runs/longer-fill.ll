; A fill of more bytes.
; judged longer_fill: if @tgt_longer_fill keeps !alias.scope

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define i32 @src_longer_fill(ptr noundef align 4 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %r) {
entry:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false), !alias.scope !2
  %p4 = getelementptr i8, ptr %p, i64 4
  store i32 0, ptr %p4, align 4
  %v = load i32, ptr %r, align 4, !noalias !2
  ret i32 %v
}
define i32 @tgt_longer_fill(ptr noundef align 4 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %r) {
entry:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false), !alias.scope !2
  %v = load i32, ptr %r, align 4, !noalias !2
  ret i32 %v
}
!0 = distinct !{!0, !"domain"}
!1 = distinct !{!1, !0, !"scope"}
!2 = !{!1}
