; Subscripts that are the conversion of a sum of 32 bits of which one term may wrap around. SCEV carries the conversion on to the
; terms, of which that one is no linear form any more; as the code has it, it is the conversion of a linear form. Within one
; row no two iterations touch the same element; rows may be the same ones: of @wraps all are.
; From hir-ddrefs.rst: CanonExpr, Src/Dest Type.

define i32 @signed(ptr noalias %p, i32 %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = mul i32 %m, %i
  br label %ph

ph:
  br label %loop

loop:
  %j = phi i32 [ 0, %ph ], [ %j.next, %loop ]
  %sum = add nsw i32 %s, %j
  %w = sext i32 %sum to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, 3
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @unsigned(ptr noalias %p, i32 %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = mul i32 %m, %i
  br label %ph

ph:
  br label %loop

loop:
  %j = phi i32 [ 0, %ph ], [ %j.next, %loop ]
  %sum = add nuw i32 %s, %j
  %w = zext i32 %sum to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, 3
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @guarded(ptr noalias %p, i32 %m, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = mul i32 %m, %i
  br i1 %some, label %ph, label %latch

ph:
  br label %loop

loop:
  %j = phi i32 [ 0, %ph ], [ %j.next, %loop ]
  %sum = add nsw i32 %s, %j
  %w = sext i32 %sum to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @wraps(ptr noalias %p, i32 %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %far = shl nuw nsw i32 %i, 16
  %s = mul i32 %far, %m
  br label %ph

ph:
  br label %loop

loop:
  %j = phi i32 [ 0, %ph ], [ %j.next, %loop ]
  %sum = add nsw i32 %s, %j
  %w = sext i32 %sum to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  store i32 %v1, ptr %at
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, 3
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}

define i32 @next(ptr noalias %p, i32 %m) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = mul i32 %m, %i
  br label %ph

ph:
  br label %loop

loop:
  %j = phi i32 [ 0, %ph ], [ %j.next, %loop ]
  %sum = add nsw i32 %s, %j
  %w = sext i32 %sum to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %w
  %v = load i32, ptr %at
  %v1 = add i32 %v, 1
  %w1 = add nsw i64 %w, 1
  %to = getelementptr inbounds i32, ptr %p, i64 %w1
  store i32 %v1, ptr %to
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, 3
  br i1 %more, label %loop, label %inner.end

inner.end:
  br label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %i.next, 4
  br i1 %again, label %outer, label %exit

exit:
  %r = load i32, ptr %p
  ret i32 %r
}
