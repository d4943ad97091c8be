; Exiting edges are not the only way out of a loop: the call in it may not return, and one path ends
; in unreachable.
; From loop-terminology.rst: Important Notes.

declare void @may_exit_or_throw(i32)

define i32 @f(i32 %n, i32 %bad) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @may_exit_or_throw(i32 %i)
  %is.bad = icmp eq i32 %i, %bad
  br i1 %is.bad, label %trap, label %latch

trap:
  unreachable

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}
