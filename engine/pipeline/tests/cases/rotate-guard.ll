; loop-rotate
; The ordinary `for` loop: guard, preheader, dedicated exit.
define i32 @f(i32 %n, ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %x = load i32, ptr %p, align 4
  %s.next = add i32 %s, %x
  br label %latch
latch:
  %i.next = add nsw i32 %i, 1
  br label %header, !llvm.loop !0
exit:
  ret i32 %s
}
!0 = distinct !{!0}
