; lcssa
; The exit block is also entered from outside the loop, where the value is available, too, through an earlier exit.
define i32 @f(i1 %c, i1 %d, i1 %e) {
entry:
  br label %loop
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %latch ]
  %w = add i32 %v, 1
  br i1 %c, label %latch, label %exit1
latch:
  br i1 %d, label %loop, label %exit2
exit1:
  br i1 %e, label %exit2, label %end
exit2:
  ret i32 %w
end:
  ret i32 0
}
