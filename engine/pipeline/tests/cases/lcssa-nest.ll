; lcssa
; A value of the inner loop is used outside both loops: one phi per loop.
define i32 @f(i1 %c, i1 %d) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  %v = phi i32 [ 0, %outer ], [ %w, %inner ]
  %w = add i32 %v, 1
  br i1 %c, label %inner, label %latch
latch:
  br i1 %d, label %outer, label %exit
exit:
  ret i32 %w
}
