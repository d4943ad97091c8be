; hir-unroll-and-jam<4>
; A loop with three iterations is one group of three without a remainder (@short); a sum over all iterations remains one
; variable (@sum). A loop with one iteration has no group (@once).

define void @short(ptr noalias %a, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %from = getelementptr inbounds i32, ptr %x, i64 %j
  %v = load i32, ptr %from, align 4
  %at = getelementptr inbounds [8 x i32], ptr %a, i64 %i, i64 %j
  store i32 %v, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 5
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 3
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @once(ptr noalias %a, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %from = getelementptr inbounds i32, ptr %x, i64 %j
  %v = load i32, ptr %from, align 4
  %at = getelementptr inbounds [8 x i32], ptr %a, i64 %i, i64 %j
  store i32 %v, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 5
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 1
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

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
  %same = load i32, ptr %p, align 4
  %w = xor i32 %v, %same
  %t.next = add nsw i32 %t, %w
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 2
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 6
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %t.next
}
