; The step skips the bound for odd n, so the loop runs on with wrapping arithmetic and never meets the
; exit test: dynamically infinite.

define i8 @f(i8 %n) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i8 %i, 2
  %done = icmp eq i8 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret i8 %i.next
}
