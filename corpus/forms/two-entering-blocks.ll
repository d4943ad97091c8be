; Two entering blocks: no preheader, and each brings another start value.

define i32 @f(i1 %c, i32 %n) {
entry:
  br i1 %c, label %up, label %down

up:
  br label %loop

down:
  br label %loop

loop:
  %i = phi i32 [ 0, %up ], [ 10, %down ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i.next, %loop ]
  ret i32 %r
}
