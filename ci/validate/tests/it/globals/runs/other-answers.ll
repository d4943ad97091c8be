; A function without effects that may return a different result when called again.
; judged other_answers: if @tgt_other_answers keeps !tbaa

define void @src_other_answers(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  
  store i32 0, ptr %p, align 4
  %c = call i1 @h()
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
define void @tgt_other_answers(ptr noundef dereferenceable(4) align 4 %p) {
entry:
  
  store i32 0, ptr %p, align 4
  %c = call i1 @h()
  br i1 %c, label %t, label %e
t:
  %v = load i32, ptr %p, align 4, !tbaa !1
  br label %e
e:
  %c2 = call i1 @h()
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
declare i1 @h() memory(inaccessiblemem: read) nounwind willreturn 
