; A loop that may run for ever must not come to promise that it makes progress.

define i32 @src(i32 %n)  {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 2
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %exit, label %loop
exit:
  ret i32 %n
}
define i32 @tgt(i32 %n)  {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 2
  %e = icmp eq i32 %i.next, %n
  br i1 %e, label %exit, label %loop, !llvm.loop !0
exit:
  ret i32 %n
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
