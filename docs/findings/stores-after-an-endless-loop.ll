@g = global i64 0

define void @f() {
entry:
  br label %loop

loop:
  %i = phi i1 [ false, %entry ], [ %i.next, %latch ]
  %p = getelementptr i64, ptr @g, i1 %i
  store i64 0, ptr %p
  br label %inner

inner:
  br i1 false, label %latch, label %inner

latch:
  %i.next = add i1 %i, true
  %more = icmp ult i1 %i, true
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
