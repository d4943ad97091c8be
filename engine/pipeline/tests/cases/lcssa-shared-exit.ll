; lcssa
; One exit block for two exiting edges; uses in it, after it, and in a phi after it.
define i32 @f(i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %latch ]
  %w = add i32 %v, 1
  br i1 %c, label %latch, label %exit
latch:
  br i1 %d, label %loop, label %exit
exit:
  %x = add i32 %v, %w
  br i1 %c, label %more, label %end
more:
  br label %end
end:
  %r = phi i32 [ %v, %exit ], [ %x, %more ]
  ret i32 %r
}
