; A library function that compares more bytes.
; judged longer_comparison: if @tgt_longer_comparison keeps !tbaa

declare i32 @memcmp(ptr, ptr, i64) memory(argmem: read) nounwind willreturn
define i32 @src_longer_comparison(ptr noundef align 8 dereferenceable(8) %p, ptr noundef dereferenceable(4) align 4 %q, ptr noundef align 8 dereferenceable(8) %r) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %c = call i32 @memcmp(ptr %p, ptr %r, i64 4), !tbaa !1
  ret i32 0
}
define i32 @tgt_longer_comparison(ptr noundef align 8 dereferenceable(8) %p, ptr noundef dereferenceable(4) align 4 %q, ptr noundef align 8 dereferenceable(8) %r) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %c = call i32 @memcmp(ptr %p, ptr %r, i64 8), !tbaa !1
  ret i32 0
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
