; loop-simplify
; The loop metadata of the latches differ: the merged backedge has none.
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %a, label %b
a:
  br label %loop, !llvm.loop !0
b:
  br label %loop
}
!0 = distinct !{!0}
