; A freeze in each iteration instead of one for all iterations.
; judged freeze_in_loop: if @tgt_freeze_in_loop keeps !tbaa

define void @src_freeze_in_loop(ptr noundef dereferenceable(8) align 4 %p, i64 %x) {
entry:
  store i64 0, ptr %p, align 4
  %fr = freeze i64 %x
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %l2]
  %m = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %m
  %n = xor i64 %m, 1
  %b = getelementptr i32, ptr %p, i64 %n
  %c0 = icmp eq i32 %i, 0
  br i1 %c0, label %t, label %e
t:
  %v = load i32, ptr %a, align 4, !tbaa !1
  br label %l2
e:
  store float 1.0, ptr %b, align 4, !tbaa !3
  br label %l2
l2:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define void @tgt_freeze_in_loop(ptr noundef dereferenceable(8) align 4 %p, i64 %x) {
entry:
  store i64 0, ptr %p, align 4
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %l2]
  %fr = freeze i64 %x
  %m = and i64 %fr, 1
  %a = getelementptr i32, ptr %p, i64 %m
  %n = xor i64 %m, 1
  %b = getelementptr i32, ptr %p, i64 %n
  %c0 = icmp eq i32 %i, 0
  br i1 %c0, label %t, label %e
t:
  %v = load i32, ptr %a, align 4, !tbaa !1
  br label %l2
e:
  store float 1.0, ptr %b, align 4, !tbaa !3
  br label %l2
l2:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, 2
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
!0 = !{!"int", !5, i64 0}
!1 = !{!0, !0, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!2, !2, i64 0}
!5 = !{!"root"}
