; hir-interchange
; The columns of a matrix are traversed in row order (@columns; with three loops @three). The order stays for a sum in
; memory that is carried from iteration to iteration (@skewed), for bounds that depend on the other loop (@triangle),
; for loops with early exits (@early), for calls (@calls), and if the order is already best (@rows).

define void @columns(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %w = add nsw i32 %v, 1
  store i32 %w, ptr %at, align 4
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

define void @three(ptr noalias %p) {
entry:
  br label %i

i:
  %x = phi i64 [ 0, %entry ], [ %x.next, %i.latch ]
  br label %j

j:
  %y = phi i64 [ 0, %i ], [ %y.next, %j.latch ]
  br label %k

k:
  %z = phi i64 [ 0, %j ], [ %z.next, %k ]
  %at = getelementptr inbounds [10 x [10 x i32]], ptr %p, i64 %z, i64 %y, i64 %x
  store i32 0, ptr %at, align 4
  %z.next = add nuw nsw i64 %z, 1
  %k.more = icmp ult i64 %z.next, 10
  br i1 %k.more, label %k, label %j.latch

j.latch:
  %y.next = add nuw nsw i64 %y, 1
  %j.more = icmp ult i64 %y.next, 10
  br i1 %j.more, label %j, label %i.latch

i.latch:
  %x.next = add nuw nsw i64 %x, 1
  %i.more = icmp ult i64 %x.next, 10
  br i1 %i.more, label %i, label %exit

exit:
  ret void
}

define void @skewed(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %below = add nuw nsw i64 %j, 1
  %right = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [100 x i32], ptr %p, i64 %below, i64 %i
  %v = load i32, ptr %from, align 4
  %to = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %right
  store i32 %v, ptr %to, align 4
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

define void @triangle(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  store i32 0, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j, %i
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 100
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @early(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %next ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  %v = load i32, ptr %at, align 4
  %stops = icmp eq i32 %v, 0
  br i1 %stops, label %exit, label %next

next:
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

declare i32 @pure(i32) memory(none)

define void @calls(ptr noalias %p) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  %v = call i32 @pure(i32 3)
  store i32 %v, ptr %at, align 4
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

define void @unknown(ptr %p, ptr %q) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %from = getelementptr inbounds [100 x i32], ptr %q, i64 %j, i64 %i
  %v = load i32, ptr %from, align 4
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
  store i32 %v, ptr %at, align 4
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

define void @rows(ptr noalias %p) {
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

define void @beside(ptr noalias %p, ptr noalias %q) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %first = getelementptr inbounds i32, ptr %q, i64 %i
  store i32 1, ptr %first, align 4
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i32], ptr %p, i64 %j, i64 %i
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
