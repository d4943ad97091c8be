; Division in a loop: by zero when the divisor has counted down to it, overflow for SMIN / -1.

define i32 @f(i32 %x, i32 %d, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %div = phi i32 [ %d, %entry ], [ %div.next, %loop ]
  %q = sdiv i32 %x, %div
  %div.next = add i32 %div, -1
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}
