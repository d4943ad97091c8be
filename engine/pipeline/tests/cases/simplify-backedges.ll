; loop-simplify
; A loop with `continue`: the backedges are merged. The loop metadata of the latches agree and are kept.
define void @f(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %a ], [ 7, %b ]
  %n = add i32 %i, 1
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %loop, label %exit, !llvm.loop !0
b:
  br label %loop, !llvm.loop !0
exit:
  ret void
}
!0 = distinct !{!0}
