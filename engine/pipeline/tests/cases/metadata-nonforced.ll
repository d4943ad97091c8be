; loop(loop-peel),loop(iteration-set-split),loop-unroll<runtime;machine=in-order>
; Metadata that permits only forced transforms, and metadata that forces one.
define void @nothing(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, 12
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define void @runtime(i32 %n, ptr %p) {
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
define void @count(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}
define void @full(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, 12
  br i1 %c, label %loop, label %exit, !llvm.loop !4
exit:
  ret void
}
define void @enable(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %p
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !6
exit:
  ret void
}
define void @count_of_one(i32 %n, ptr %p) {
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
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.disable_nonforced"}
!2 = distinct !{!2, !1, !3}
!3 = !{!"llvm.loop.unroll.count", i32 2}
!4 = distinct !{!4, !1, !5}
!5 = !{!"llvm.loop.unroll.full"}
!6 = distinct !{!6, !1, !7}
!7 = !{!"llvm.loop.unroll.enable"}
!8 = distinct !{!8, !1, !9}
!9 = !{!"llvm.loop.unroll.count", i32 1}
