; A flag is violated in the last iteration, but the poison is only returned, never branched on.

define i8 @f(i8 %step, i8 %n) {
entry:
  br label %loop

loop:
  %k = phi i8 [ 0, %entry ], [ %k.next, %loop ]
  %x = phi i8 [ 0, %entry ], [ %x.next, %loop ]
  %x.next = add nuw i8 %x, %step
  %k.next = add nuw i8 %k, 1
  %more = icmp ult i8 %k.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i8 [ %x.next, %loop ]
  ret i8 %r
}
