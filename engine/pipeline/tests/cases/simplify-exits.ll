; loop-simplify
; The exit block is also entered from outside the loop, and by two exiting edges.
define i32 @f(i1 %c, i1 %d, i1 %e) {
entry:
  br i1 %c, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  %n = add i32 %i, 1
  br i1 %d, label %latch, label %exit
latch:
  br i1 %e, label %loop, label %exit
exit:
  %r = phi i32 [ 0, %entry ], [ %i, %loop ], [ %n, %latch ]
  ret i32 %r
}
