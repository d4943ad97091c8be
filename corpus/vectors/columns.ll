; The iterations of an outer loop as lanes: what is the same in all of them is made once, the inner loop's sum is a phi of
; vectors.

define void @columns(ptr noalias %to, ptr noalias %from, i64 %rows) {
entry:
  br label %column

column:
  %j = phi i64 [ 0, %entry ], [ %j.next, %column.end ]
  br label %row

row:
  %i = phi i64 [ 0, %column ], [ %i.next, %row ]
  %sum = phi i32 [ 0, %column ], [ %sum.next, %row ]
  %line = shl i64 %i, 10
  %place = add i64 %line, %j
  %at = getelementptr i32, ptr %from, i64 %place
  %value = load i32, ptr %at, align 4
  %sum.next = add i32 %sum, %value
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %rows
  br i1 %more, label %row, label %column.end

column.end:
  %end = getelementptr i32, ptr %to, i64 %j
  store i32 %sum.next, ptr %end, align 4
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, 1024
  br i1 %again, label %column, label %exit

exit:
  ret void
}
