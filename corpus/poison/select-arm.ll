; select takes the arm that is not poison; the poison of the other arm does not reach the result.

define i32 @f(i32 %n, i32 %bad) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %never = icmp eq i32 %i, 99
  %v = select i1 %never, i32 %bad, i32 %i
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %v
}
