; A phi of one value that may be either zero.
; judged either_zero_of_phi: if @tgt_either_zero_of_phi keeps !tbaa

define void @src_either_zero_of_phi(ptr noundef dereferenceable(4) align 4 %p, float noundef %x) {
entry:
  store i32 0, ptr %p, align 4
  %b = fdiv float 1.0, %x
  %c = fcmp olt float %b, 0.0
  br label %k
k:
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
define void @tgt_either_zero_of_phi(ptr noundef dereferenceable(4) align 4 %p, float noundef %x) {
entry:
  store i32 0, ptr %p, align 4
  %b = fdiv float 1.0, %x
  %c = fcmp olt float %b, 0.0
  br label %k
k:
  %y = phi nsz float [ %x, %entry ]
  %b2 = fdiv float 1.0, %y
  %c2 = fcmp olt float %b2, 0.0
  br i1 %c2, label %t, label %e
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

!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
!6 = !{}
