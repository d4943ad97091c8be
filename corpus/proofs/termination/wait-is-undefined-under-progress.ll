; A loop that waits for an invariant condition, and must make progress, shows that the condition does not hold.

define i32 @src(i1 noundef %c) mustprogress {
entry:
  br label %loop

loop:
  br i1 %c, label %loop, label %exit

exit:
  %r = zext i1 %c to i32
  ret i32 %r
}

define i32 @tgt(i1 noundef %c) mustprogress {
entry:
  ret i32 0
}
