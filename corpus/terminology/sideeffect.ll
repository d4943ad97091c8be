; llvm.sideeffect in an infinite loop keeps the optimizer from assuming without proof that the loop
; ends.
; From loop-terminology.rst: Important Notes.

declare void @llvm.sideeffect()

define void @f(i1 %stay) {
entry:
  br i1 %stay, label %loop.preheader, label %exit

loop.preheader:
  br label %loop

loop:
  call void @llvm.sideeffect()
  br label %loop

exit:
  ret void
}
