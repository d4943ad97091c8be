; loop-unroll<rest=epilogue>
; Followup metadata for the resulting loops replaces the original metadata and the pass's own.
define void @two(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @all(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !5
exit:
  ret void
}
define void @nothing(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !8
exit:
  ret void
}
!0 = distinct !{!0, !1, !2, !3}
!1 = !{!"llvm.loop.unroll.count", i32 4}
!2 = !{!"llvm.loop.unroll.followup_unrolled", !{!"mine.unrolled"}}
!3 = !{!"llvm.loop.unroll.followup_remainder", !4}
!4 = !{!"mine.remainder", i32 7}
!5 = distinct !{!5, !1, !6, !2}
!6 = !{!"llvm.loop.unroll.followup_all", !7}
!7 = !{!"mine.all"}
!8 = distinct !{!8, !1, !9}
!9 = !{!"llvm.loop.unroll.followup_all"}
