declare void @g()

define void @f(ptr %p) {
entry:
  br label %loop

loop:
  %x = phi i32 [ 0, %entry ], [ 0, %loop ], [ %y, %latch ]
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %loop, label %latch

latch:
  call void @g()
  %y = load i32, ptr %p
  %done = icmp eq i32 %y, 1
  br i1 %done, label %exit, label %loop, !llvm.loop !0

exit:
  ret void
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.count", i32 2}
