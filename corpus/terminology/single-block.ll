; The smallest loop: one block that is header, latch and exiting block at once.
; From loop-terminology.rst: Important Notes (the figure loop-single.svg).

define i32 @f(i32 %n) {
entry:
  br label %for.body

for.body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %for.body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %for.body ]
  %sum.next = add i32 %sum, %i
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %for.body

exit:
  ret i32 %sum.next
}
