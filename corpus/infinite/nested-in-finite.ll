; A finite loop that may enter an infinite one, which is not nested in it since it has no way back.

define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %is.k = icmp eq i32 %i, %k
  br i1 %is.k, label %trap, label %latch

trap:
  br label %trap

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}
