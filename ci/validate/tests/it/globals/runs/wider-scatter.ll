; One mask, for wider elements.
; judged wider_scatter: if memory that @tgt_wider_scatter writes

declare void @llvm.masked.scatter.v2i8.v2p0(<2 x i8>, <2 x ptr>, <2 x i1>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, <2 x i1>)
define i32 @src_wider_scatter(ptr noundef noalias align 8 dereferenceable(8) %p, ptr noundef align 1 dereferenceable(1) %q) {
  %o = load <2 x i32>, ptr %p, align 4, !noundef !0
  %b = trunc <2 x i32> %o to <2 x i8>
  %a = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1>
  call void @llvm.masked.scatter.v2i8.v2p0(<2 x i8> %b, <2 x ptr> align 4 %a, <2 x i1> <i1 true, i1 true>)
  %v = load i8, ptr %q, align 1, !noundef !0
  %w = sext i8 %v to i32
  ret i32 %w
}
define i32 @tgt_wider_scatter(ptr noundef noalias align 8 dereferenceable(8) %p, ptr noundef align 1 dereferenceable(1) %q) {
  %o = load <2 x i32>, ptr %p, align 4, !noundef !0
  %b = trunc <2 x i32> %o to <2 x i8>
  %a = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1>
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> %o, <2 x ptr> align 4 %a, <2 x i1> <i1 true, i1 true>)
  %v = load i8, ptr %q, align 1, !noundef !0
  %w = sext i8 %v to i32
  ret i32 %w
}
!0 = !{}
