; The latch ends in a switch with one edge back to the header and two out of the loop.

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %left = sub i32 %n, %i.next
  switch i32 %left, label %loop [
    i32 0, label %exit
    i32 -1, label %passed
  ]

exit:
  ret i32 %i.next

passed:
  ret i32 -1
}
