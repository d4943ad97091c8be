; A test of two constants around a loop is no test: the nest is perfect, and its loops can be exchanged.

define i32 @f(ptr noalias %a) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %some = icmp slt i64 1, 5
  br i1 %some, label %ph, label %latch

ph:
  br label %loop

loop:
  %j = phi i64 [ 0, %ph ], [ %j.next, %loop ]
  %at = getelementptr inbounds [5 x i32], ptr %a, i64 %j, i64 %i
  store i32 7, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 4
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 5
  br i1 %again, label %outer, label %exit

exit:
  %r.at = getelementptr inbounds i32, ptr %a, i64 19
  %r = load i32, ptr %r.at
  ret i32 %r
}

define i32 @never(ptr noalias %a) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %some = icmp slt i64 5, 1
  br i1 %some, label %ph, label %other

ph:
  br label %loop

loop:
  %j = phi i64 [ 0, %ph ], [ %j.next, %loop ]
  %at = getelementptr inbounds [5 x i32], ptr %a, i64 %j, i64 %i
  store i32 7, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 4
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

other:
  %to = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 3, ptr %to
  br label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 5
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %a
  ret i32 %r
}
