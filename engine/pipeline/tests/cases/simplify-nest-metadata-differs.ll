; loop-simplify
; Only one of the latches has mustprogress, so the header's loop does not have it, and neither does the inner loop.
define void @f(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %x = phi i32 [ 0, %entry ], [ %x, %a ], [ %y, %b ]
  %y = add i32 %x, 1
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %loop, label %out, !llvm.loop !0
b:
  br label %loop
out:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
