; One object instead of one in each iteration.
; judged object_of_loop: if @tgt_object_of_loop keeps !tbaa

define void @src_object_of_loop(ptr noundef align 4 dereferenceable(8) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %l2]
  %a = alloca i32, align 4
  %c = icmp eq i32 %i, 0
  br i1 %c, label %t, label %e
t:
  store i32 1, ptr %a, align 4, !tbaa !1
  br label %l2
e:
  store float 1.0, ptr %a, align 4, !tbaa !3
  br label %l2
l2:
  %i1 = add i32 %i, 1
  %d = icmp ult i32 %i1, 2
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
define void @tgt_object_of_loop(ptr noundef align 4 dereferenceable(8) %p) {
entry:
  %a = alloca i32, align 4
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %l2]
  %c = icmp eq i32 %i, 0
  br i1 %c, label %t, label %e
t:
  store i32 1, ptr %a, align 4, !tbaa !1
  br label %l2
e:
  store float 1.0, ptr %a, align 4, !tbaa !3
  br label %l2
l2:
  %i1 = add i32 %i, 1
  %d = icmp ult i32 %i1, 2
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
