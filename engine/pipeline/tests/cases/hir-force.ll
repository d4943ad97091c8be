; hir-fuse<force>,hir-interchange<force>,hir-unroll-and-jam<2;force>,hir-tile<4;force>
; Legal transforms are applied regardless of profit: unrelated loops are fused (@apart); a nest in the best order is
; interchanged, its outer loop is unrolled and jammed, and the result is tiled (@rows). Illegal ones are not applied
; (@carried).

define void @apart(ptr noalias %a, ptr noalias %b) {
entry:
  br label %first

first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %x = getelementptr inbounds i32, ptr %a, i64 %i
  store i32 0, ptr %x, align 4
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %first, label %between

between:
  br label %second

second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %y = getelementptr inbounds i32, ptr %b, i64 %j
  store i32 1, ptr %y, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 100
  br i1 %j.more, label %second, label %exit

exit:
  ret void
}

define void @rows(ptr noalias %a) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %at = getelementptr inbounds [50 x i32], ptr %a, i64 %i, i64 %j
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %rows, label %exit

exit:
  ret void
}

define void @carried(ptr noalias %a) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 1, %entry ], [ %i.next, %rows.latch ]
  %above = add nsw i64 %i, -1
  br label %columns

columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns ]
  %j.next = add nuw nsw i64 %j, 1
  %from = getelementptr inbounds [51 x i32], ptr %a, i64 %above, i64 %j.next
  %v = load i32, ptr %from, align 4
  %at = getelementptr inbounds [51 x i32], ptr %a, i64 %i, i64 %j
  store i32 %v, ptr %at, align 4
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %columns, label %rows.latch

rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 100
  br i1 %i.more, label %rows, label %exit

exit:
  ret void
}
