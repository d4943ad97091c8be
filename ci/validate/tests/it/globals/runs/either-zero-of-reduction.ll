; The greatest of two zeros.
; judged either_zero_of_reduction: if @tgt_either_zero_of_reduction keeps !tbaa

define void @src_either_zero_of_reduction(ptr noundef dereferenceable(4) align 4 %p, <2 x float> noundef %x) {
entry:
  
  store i32 0, ptr %p, align 4
  %o = call float @llvm.vector.reduce.fmax.v2f32(<2 x float> %x)
%b=fdiv float 1.0, %o
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
define void @tgt_either_zero_of_reduction(ptr noundef dereferenceable(4) align 4 %p, <2 x float> noundef %x) {
entry:
  
  store i32 0, ptr %p, align 4
  %o = call float @llvm.vector.reduce.fmax.v2f32(<2 x float> %x)
%b=fdiv float 1.0, %o
%c=fcmp olt float %b, 0.0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  %o2 = call float @llvm.vector.reduce.fmax.v2f32(<2 x float> %x)
%b2=fdiv float 1.0, %o2
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
declare float @llvm.vector.reduce.fmax.v2f32(<2 x float>)
