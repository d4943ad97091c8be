; A loop that waits for an invariant condition is deleted.
; Wrong for c = 1: the source waits forever.

define i32 @src(i1 noundef %c) {
entry:
  br label %loop

loop:
  br i1 %c, label %loop, label %exit

exit:
  ret i32 7
}

define i32 @tgt(i1 noundef %c) {
entry:
  ret i32 7
}
