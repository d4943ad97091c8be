; hir-strip-mine<4>
; Strips of four: each has four of twelve iterations; the last has two of ten; for @unknown the number is unknown. Three
; iterations are not more than one strip.

define void @twelve(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %at, align 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 12
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define i8 @ten(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i8 [ 0, %entry ], [ %s.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i8 %i
  %v = load i8, ptr %at, align 1
  %s.next = add i8 %s, %v
  %i.next = add nuw nsw i8 %i, 1
  %more = icmp ult i8 %i.next, 10
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %s.next
}

define void @unknown(ptr %p, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %at = getelementptr inbounds [100 x i8], ptr %p, i64 %i, i64 %j
  store i8 0, ptr %at, align 1
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j, %i
  br i1 %more, label %loop, label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define void @early(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at, align 1
  %stops = icmp eq i8 %v, 0
  br i1 %stops, label %exit, label %latch

latch:
  store i8 0, ptr %at, align 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @three(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  store i8 0, ptr %at, align 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @while(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i64 %i
  %v = load i8, ptr %at, align 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i8 %v, 0
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
