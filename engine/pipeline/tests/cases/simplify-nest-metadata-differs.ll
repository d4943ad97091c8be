; loop-simplify
; One of the latches alone says that the loop ends: it says it of no loop, and the inner one does not get it.
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
