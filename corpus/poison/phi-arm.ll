; A phi takes poison from one edge only: the result depends on the edge taken last.

define i32 @f(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch

then:
  br label %latch

latch:
  %v = phi i32 [ poison, %then ], [ %i, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %v
}
