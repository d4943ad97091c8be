define i1 @f(i1 %a, i1 %b) {
entry:
  br label %loop

loop:
  %i = phi i1 [ true, %entry ], [ %i.next, %latch ]
  %sum = phi i1 [ false, %entry ], [ %sum.next, %latch ]
  %leaves = icmp ugt i1 %i, %a
  br i1 %leaves, label %out, label %latch

latch:
  %i.next = add i1 %i, true
  %sum.next = add i1 %sum, %b
  br i1 %i, label %loop, label %exit

out:
  ret i1 %sum

exit:
  ret i1 false
}
