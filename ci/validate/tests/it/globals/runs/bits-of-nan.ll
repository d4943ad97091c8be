; A sum that is computed twice, and the sign of its NaN.
; judged bits_of_nan: if @tgt_bits_of_nan keeps !tbaa

define void @src_bits_of_nan(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, float noundef %y) {
entry:
  store i32 0, ptr %p, align 4
  %s = fadd float %x, %y
  %b = bitcast float %s to i32
  %c = icmp slt i32 %b, 0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  br i1 %c, label %x1, label %z
z:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %x1
x1:
  ret void
}
define void @tgt_bits_of_nan(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, float noundef %y) {
entry:
  store i32 0, ptr %p, align 4
  %s = fadd float %x, %y
  %b = bitcast float %s to i32
  %c = icmp slt i32 %b, 0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  %s2 = fadd float %x, %y
  %b2 = bitcast float %s2 to i32
  %c2 = icmp slt i32 %b2, 0
  br i1 %c2, label %x1, label %z
z:
  store float 1.0, ptr %p, align 4, !tbaa !3
  br label %x1
x1:
  ret void
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
