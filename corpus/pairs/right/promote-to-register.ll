; The running sum in memory is kept in a register and stored at the exit; the bottom-tested loop
; stored at least once anyway.

define void @src(ptr %sum, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = load i32, ptr %sum
  %new = add i32 %old, %i
  store i32 %new, ptr %sum
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @tgt(ptr %sum, i32 %n) {
entry:
  %start = load i32, ptr %sum
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %old = phi i32 [ %start, %entry ], [ %new, %loop ]
  %new = add i32 %old, %i
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store i32 %new, ptr %sum
  ret void
}

define i32 @run(ptr %sum, i32 %n) {
  call void @tgt(ptr %sum, i32 %n)
  %r = load i32, ptr %sum
  ret i32 %r
}
