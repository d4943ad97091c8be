; hir-interchange
; A value that all iterations of a nest add to one variable (@sum, which loses nsw), or combine with it by another
; operation whose order does not matter (@least), or that only the last iteration determines (@last), does not prevent
; interchange. A recurrence that is not a sum (@alternating) and a sum that is used in between (@seen) do.

declare i32 @llvm.smin.i32(i32, i32)

define i32 @sum(ptr noalias %p, i32 %init) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %init, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %t.next = add nsw i32 %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %t.next
}

define i32 @least(ptr noalias %p, i32 %init) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %init, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %t.next = call i32 @llvm.smin.i32(i32 %v, i32 %t)
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %t.next
}

define i64 @last(ptr noalias %p, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %p, i64 %j, i64 %i
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %twice = mul i64 %i, 2
  %both = add i64 %twice, %j.next
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret i64 %both
}

define i32 @alternating(ptr noalias %p, i32 %init) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %init, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %t.next = sub i32 %v, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %t.next
}

define i32 @seen(ptr noalias %p, i32 %init) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %init, %entry ], [ %t.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %t = phi i32 [ %s, %outer ], [ %t.next, %loop ]
  %at = getelementptr inbounds [4 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %t.next = add i32 %t, %v
  store i32 %t, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 3
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %t.next
}
