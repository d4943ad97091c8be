; A perfect nest of two loops over a small matrix.

define i32 @f(ptr %m, i64 %n) {
entry:
  br label %row

row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %row.latch ]
  br label %col

col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col ]
  %t = phi i32 [ %s, %row ], [ %t.next, %col ]
  %at = getelementptr inbounds [2 x i32], ptr %m, i64 %i, i64 %j
  %v = load i32, ptr %at
  %t.next = add i32 %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %col.more = icmp ne i64 %j.next, 2
  br i1 %col.more, label %col, label %row.latch

row.latch:
  %s.next = phi i32 [ %t.next, %col ]
  %i.next = add nuw nsw i64 %i, 1
  %row.more = icmp ult i64 %i.next, %n
  br i1 %row.more, label %row, label %exit

exit:
  %r = phi i32 [ %s.next, %row.latch ]
  ret i32 %r
}
