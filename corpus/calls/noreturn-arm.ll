; One arm of the loop body calls a noreturn function and ends: that block is outside the loop.

declare void @fail(i32) noreturn

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %bad = icmp slt i8 %v, 0
  br i1 %bad, label %report, label %latch

report:
  call void @fail(i32 %i) noreturn
  unreachable

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}
