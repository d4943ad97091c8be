; lcssa
; The existing phi is reused; the one use that bypasses it is rewritten to use it.
define i32 @f(i1 %c) {
entry:
  br label %loop
loop:
  %v = phi i32 [ 0, %entry ], [ %w, %loop ]
  %w = add i32 %v, 1
  br i1 %c, label %loop, label %exit
exit:
  %w.lcssa = phi i32 [ %w, %loop ]
  %r = add i32 %w.lcssa, %w
  ret i32 %r
}
