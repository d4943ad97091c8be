; The exit test compares with a bound that the counter steps over: the target calls on forever where
; the source makes two calls.

declare void @tick(i32)

define void @src(i1 %unused) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  call void @tick(i32 %i)
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @tgt(i1 %unused) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %loop ]
  call void @tick(i32 %i)
  %i.next = add i32 %i, 2
  %more = icmp ne i32 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
