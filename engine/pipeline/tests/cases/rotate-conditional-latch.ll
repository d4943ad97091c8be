; loop-rotate
; The latch branches inside the loop, into an irreducible cycle: the old header stays a block and is now the only latch.
define void @f(i32 %n, i1 %d) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  br i1 %d, label %latch, label %aside
aside:
  br label %latch
latch:
  %j = phi i32 [ 1, %body ], [ 2, %aside ]
  %i.next = add i32 %i, %j
  br i1 %d, label %header, label %aside, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0}
