; The exit block's phi holds constants only: in LCSSA form without any value of the loop.

define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %hit = icmp eq i32 %i, %k
  br i1 %hit, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 1, %loop ], [ 0, %latch ]
  ret i32 %r
}
