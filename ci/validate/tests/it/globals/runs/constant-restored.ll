; Memory declared constant temporarily holds another value.
; judged constant_restored: if @tgt_constant_restored keeps !tbaa

define i32 @src_constant_restored(ptr noundef dereferenceable(4) align 4 %p, ptr noundef writable dereferenceable(4) align 4 %q) {
  %o = load i32, ptr %q, align 4, !noundef !6
  %v = load i32, ptr %p, align 4, !tbaa !1
  ret i32 %v
}
define i32 @tgt_constant_restored(ptr noundef dereferenceable(4) align 4 %p, ptr noundef writable dereferenceable(4) align 4 %q) {
  %o = load i32, ptr %q, align 4, !noundef !6
  %v = load i32, ptr %p, align 4, !tbaa !1
  %n = xor i32 %o, -1
  store i32 %n, ptr %q, align 4
  store i32 %o, ptr %q, align 4
  ret i32 %v
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0, i64 1}
!5 = !{!"root"}
!6 = !{}
