; A truncation that may give either zero.
; judged either_zero_truncated: if @tgt_either_zero_truncated keeps !tbaa

define void @src_either_zero_truncated(ptr noundef dereferenceable(4) align 4 %p, double noundef %x)  {
entry:
  
  store i32 0, ptr %p, align 4
  %s = fptrunc nsz double %x to float
%b=fdiv float 1.0, %s
%c=fcmp olt float %b, 0.0
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
define void @tgt_either_zero_truncated(ptr noundef dereferenceable(4) align 4 %p, double noundef %x)  {
entry:
  
  store i32 0, ptr %p, align 4
  %s = fptrunc nsz double %x to float
%b=fdiv float 1.0, %s
%c=fcmp olt float %b, 0.0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  %s2 = fptrunc nsz double %x to float
%b2=fdiv float 1.0, %s2
%c2=fcmp olt float %b2, 0.0
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
!6 = !{}
