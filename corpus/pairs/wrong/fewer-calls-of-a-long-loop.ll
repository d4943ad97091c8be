; the source calls for longer than any run is looked at; that the target ends before is seen all the same
declare void @use(i32)
define void @src(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  call void @use(i32 %i)
  %i.next = add i32 %i, 2
  %done = icmp eq i32 %i.next, 0
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
define void @tgt(i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ %n, %entry ], [ %i.next, %loop ]
  call void @use(i32 %i)
  %i.next = add i32 %i, 2
  %done = icmp ult i32 %i.next, 2
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
