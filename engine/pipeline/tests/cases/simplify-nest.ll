; loop-simplify
; Two loops share a header: %j restarts on the outer backedge, %i keeps its value on the inner one.
define void @f(i1 %c, i1 %d) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i, %inner ], [ %i.next, %outer ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %inner ], [ 0, %outer ]
  %j.next = add i32 %j, 1
  br i1 %c, label %inner, label %outer
inner:
  br label %header, !llvm.loop !0
outer:
  %i.next = add i32 %i, 1
  br i1 %d, label %header, label %exit, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0}
