; Sums of columns: the outer loop goes along a row, so that its iterations are lanes; the inner one goes down the columns,
; from row to row, as often in all of them. How far apart rows are is known at run time alone, and so is whether they are
; apart from the sums.
define void @columns(ptr %sums, ptr %matrix, i64 %width, i64 %rows) {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi i32 [ 0, %outer ], [ %sum.next, %inner ]
  %row = mul nuw nsw i64 %k, %width
  %at = add nuw nsw i64 %row, %j
  %p = getelementptr inbounds i32, ptr %matrix, i64 %at
  %v = load i32, ptr %p, align 4
  %sum.next = add i32 %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %rows
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %q = getelementptr inbounds i32, ptr %sums, i64 %j
  store i32 %sum.next, ptr %q, align 4
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %width
  br i1 %again, label %outer, label %exit, !llvm.loop !0

exit:
  ret void
}

; The same, in place: each row is added to the next. What a lane stores in one row no other lane sees if rows are far enough
; apart for all lanes.
define void @in.place(ptr %matrix, i64 %width) {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %above = phi i32 [ 0, %outer ], [ %sum, %inner ]
  %row = mul nuw nsw i64 %k, %width
  %at = add nuw nsw i64 %row, %j
  %p = getelementptr inbounds i32, ptr %matrix, i64 %at
  %v = load i32, ptr %p, align 4
  %sum = add i32 %above, %v
  store i32 %sum, ptr %p, align 4
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 3
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %width
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; Sums of rows: lanes of the outer loop would be rows, whose values are far apart; those of the inner loop are next to each
; other, so that vectors of these are worth more.
define void @rows(ptr noalias %sums, ptr noalias %matrix) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi i32 [ 0, %outer ], [ %sum.next, %inner ]
  %row = mul nuw nsw i64 %i, 64
  %at = add nuw nsw i64 %row, %k
  %p = getelementptr inbounds i32, ptr %matrix, i64 %at
  %v = load i32, ptr %p, align 4
  %sum.next = add i32 %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 64
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %q = getelementptr inbounds i32, ptr %sums, i64 %i
  store i32 %sum.next, ptr %q, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 64
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

; Each row takes what the one before it stored: no lane can be made beside the one before.
define void @rows.depend(ptr noalias %matrix) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %row = mul nuw nsw i64 %i, 8
  %at = add nuw nsw i64 %row, %k
  %p = getelementptr inbounds i32, ptr %matrix, i64 %at
  %v = load i32, ptr %p, align 4
  %q = getelementptr inbounds i8, ptr %p, i64 32
  %w = add i32 %v, 1
  store i32 %w, ptr %q, align 4
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 4
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 6
  br i1 %again, label %outer, label %exit, !llvm.loop !2

exit:
  ret void
}

; Rows of different lengths: the inner loop goes on for some lanes when it has ended for others.
define i32 @triangle(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 1, %entry ], [ %i.next, %outer.latch ]
  %all = phi i32 [ 0, %entry ], [ %all.next, %outer.latch ]
  br label %inner

inner:
  %k = phi i64 [ 0, %outer ], [ %k.next, %inner ]
  %sum = phi i32 [ %all, %outer ], [ %sum.next, %inner ]
  %at = getelementptr inbounds i32, ptr %p, i64 %k
  %v = load i32, ptr %at, align 4
  %sum.next = add i32 %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %i
  br i1 %more, label %inner, label %outer.latch

outer.latch:
  %all.next = phi i32 [ %sum.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 5
  br i1 %again, label %outer, label %exit, !llvm.loop !3

exit:
  %r = phi i32 [ %all.next, %outer.latch ]
  ret i32 %r
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.width", i32 4}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
