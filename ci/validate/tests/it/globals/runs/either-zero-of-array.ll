; A select of an array that may hold either zero.
; judged either_zero_of_array: if @tgt_either_zero_of_array keeps !tbaa

define void @src_either_zero_of_array(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, i1 noundef %k)  {
entry:
  
  store i32 0, ptr %p, align 4
  %w=insertvalue [1 x float] poison, float %x, 0
%s0 = select nsz i1 %k, [1 x float] %w, [1 x float] %w
%s=extractvalue [1 x float] %s0,0
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
define void @tgt_either_zero_of_array(ptr noundef dereferenceable(4) align 4 %p, float noundef %x, i1 noundef %k)  {
entry:
  
  store i32 0, ptr %p, align 4
  %w=insertvalue [1 x float] poison, float %x, 0
%s0 = select nsz i1 %k, [1 x float] %w, [1 x float] %w
%s=extractvalue [1 x float] %s0,0
%b=fdiv float 1.0, %s
%c=fcmp olt float %b, 0.0
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  %s1 = select nsz i1 %k, [1 x float] %w, [1 x float] %w
%s2=extractvalue [1 x float] %s1,0
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
