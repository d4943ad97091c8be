; Two phis with equal start and step. The increment of one has a flag, and its poison harms nobody; the other wraps.
define i32 @f(i32 %start, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %start, %entry ], [ %x.next, %loop ]
  %y = phi i32 [ %start, %entry ], [ %y.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x.next = add nuw i32 %x, 1
  %y.next = add i32 %y, 1
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret i32 %y
}
