; A masked load of more lanes.
; judged another_mask: if @tgt_another_mask keeps !alias.scope

declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)
define i32 @src_another_mask(ptr noundef align 8 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %q) {
entry:
  store i32 1, ptr %q, align 4, !noalias !2
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> <i1 true, i1 false>, <2 x i32> zeroinitializer), !alias.scope !2
  %e = extractelement <2 x i32> %v, i32 0
  ret i32 %e
}
define i32 @tgt_another_mask(ptr noundef align 8 dereferenceable(8) %p, ptr noundef align 4 dereferenceable(4) %q) {
entry:
  store i32 1, ptr %q, align 4, !noalias !2
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> <i1 true, i1 true>, <2 x i32> zeroinitializer), !alias.scope !2
  %e = extractelement <2 x i32> %v, i32 0
  ret i32 %e
}
!0 = distinct !{!0, !"domain"}
!1 = distinct !{!1, !0, !"scope"}
!2 = !{!1}
