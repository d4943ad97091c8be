; loop-simplify
; Two blocks enter the loop with different values: the preheader gets a phi.
define void @f(i1 %c, i1 %d) {
entry:
  br i1 %c, label %left, label %loop
left:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ 1, %left ], [ %n, %loop ]
  %n = add i32 %i, 1
  br i1 %d, label %loop, label %exit
exit:
  ret void
}
