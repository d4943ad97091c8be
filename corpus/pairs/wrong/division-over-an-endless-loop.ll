; A division is moved in front of a loop that may run for ever: nothing is divided then.

define i32 @src(i32 noundef %d, i1 noundef %stays) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  br i1 %stays, label %loop, label %exit

exit:
  %q = udiv i32 5, %d
  ret i32 %q
}

define i32 @tgt(i32 noundef %d, i1 noundef %stays) {
entry:
  %q = udiv i32 5, %d
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  br i1 %stays, label %loop, label %exit

exit:
  ret i32 %q
}
