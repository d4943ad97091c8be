; A gather of more lanes.
; judged gather_by_another_mask: if @tgt_gather_by_another_mask keeps !tbaa

declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, <2 x i1>, <2 x i32>)
define i32 @src_gather_by_another_mask(ptr noundef align 8 dereferenceable(8) %p, ptr noundef dereferenceable(4) align 4 %q) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %a = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1>
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 4 %a, <2 x i1> <i1 true, i1 false>, <2 x i32> zeroinitializer), !tbaa !1
  %e = extractelement <2 x i32> %v, i32 0
  ret i32 %e
}
define i32 @tgt_gather_by_another_mask(ptr noundef align 8 dereferenceable(8) %p, ptr noundef dereferenceable(4) align 4 %q) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %a = getelementptr i32, ptr %p, <2 x i64> <i64 0, i64 1>
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> align 4 %a, <2 x i1> <i1 true, i1 true>, <2 x i32> zeroinitializer), !tbaa !1
  %e = extractelement <2 x i32> %v, i32 0
  ret i32 %e
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
