; hir-unroll-and-jam<2>
; A matrix-vector product loads each element of the vector once for two rows: with an even number of rows (@even), an
; odd one (@odd), an unknown one (@unknown). A sum over all rows remains a single sum (@sum). Values that the next row
; needs from a later column (@skewed), or from after the inner loop (@behind), prevent the transform; without repeated
; loads nothing is done.

define void @even(ptr noalias %a, ptr noalias %x, ptr noalias %y) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %s.next, %loop ]
  %row = getelementptr inbounds [100 x i32], ptr %a, i64 %i, i64 %j
  %v = load i32, ptr %row, align 4
  %with = getelementptr inbounds i32, ptr %x, i64 %j
  %w = load i32, ptr %with, align 4
  %t = mul i32 %v, %w
  %s.next = add i32 %s, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %to = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %s.next, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @odd(ptr noalias %a, ptr noalias %x, ptr noalias %y) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %s.next, %loop ]
  %row = getelementptr inbounds [100 x i32], ptr %a, i64 %i, i64 %j
  %v = load i32, ptr %row, align 4
  %with = getelementptr inbounds i32, ptr %x, i64 %j
  %w = load i32, ptr %with, align 4
  %t = mul i32 %v, %w
  %s.next = add i32 %s, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %to = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %s.next, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 7
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @unknown(ptr noalias %a, ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %s.next, %loop ]
  %row = getelementptr inbounds [100 x i32], ptr %a, i64 %i, i64 %j
  %v = load i32, ptr %row, align 4
  %with = getelementptr inbounds i32, ptr %x, i64 %j
  %w = load i32, ptr %with, align 4
  %t = mul i32 %v, %w
  %s.next = add i32 %s, %t
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %loop, label %latch

latch:
  %to = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %s.next, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @skewed(ptr noalias %p, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds i32, ptr %x, i64 %j
  %w = load i32, ptr %at, align 4
  %right = add nuw nsw i64 %j, 1
  %below = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %right
  %v = load i32, ptr %from, align 4
  %t = add i32 %v, %w
  %to = getelementptr inbounds [100 x i32], ptr %p, i64 %below, i64 %j
  store i32 %t, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 90
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 90
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @behind(ptr noalias %p, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds i32, ptr %x, i64 %j
  %w = load i32, ptr %at, align 4
  %from = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %from, align 4
  %t = add i32 %v, %w
  store i32 %t, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 90
  br i1 %more, label %loop, label %latch

latch:
  %i.after = add nuw nsw i64 %i, 1
  %to = getelementptr inbounds i32, ptr %p, i64 %i.after
  store i32 5, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 90
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @zero(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %i, i64 %j
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define i32 @sum(ptr noalias %a, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %r.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %r = phi i32 [ %s, %outer ], [ %r.next, %loop ]
  %at = getelementptr inbounds i32, ptr %x, i64 %j
  %v = load i32, ptr %at, align 4
  %r.next = add i32 %r, %v
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret i32 %r.next
}
