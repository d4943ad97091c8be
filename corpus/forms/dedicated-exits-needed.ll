; The exit block is also reached from a block that never enters the loop.

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %preheader, label %other

other:
  %m = mul i32 %n, 2
  br label %exit

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %loop ]
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %m, %other ], [ %i.next, %loop ]
  ret i32 %r
}
