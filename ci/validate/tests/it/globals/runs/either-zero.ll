; A sum that may be either zero.
; judged either_zero: if @tgt_either_zero keeps !tbaa

define i32 @src_either_zero(ptr dereferenceable(8) align 4 %p, ptr dereferenceable(4) align 4 %q, float noundef %x, float noundef %y) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %s = fadd float %x, %y
  %b = bitcast float %s to i32
  %c = icmp slt i32 %b, 0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  ret i32 0
}
define i32 @tgt_either_zero(ptr dereferenceable(8) align 4 %p, ptr dereferenceable(4) align 4 %q, float noundef %x, float noundef %y) {
entry:
  store float 1.0, ptr %q, align 4, !tbaa !3
  %s = fadd nsz float %x, %y
  %b = bitcast float %s to i32
  %c = icmp slt i32 %b, 0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  ret i32 0
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
