; lcssa
; Uses in unreachable blocks do not count.
define i32 @f(i1 %c) {
entry:
  br label %loop
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = add i32 %v, 1
  br i1 %c, label %loop, label %exit
exit:
  %r = phi i32 [ 0, %loop ], [ %w, %dead ]
  ret i32 %r
dead:
  %x = add i32 %w, 1
  br label %exit
}
