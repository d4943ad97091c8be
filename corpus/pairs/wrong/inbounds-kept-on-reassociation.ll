; The address goes back by %i and forward by %n, and is in its object after both steps; in the other order it may be
; behind its object in between.

define i8 @src(ptr dereferenceable(4) %p, i64 range(i64 0, 8) %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %end = getelementptr inbounds i8, ptr %p, i64 3
  %back = sub nsw i64 0, %i
  %x = getelementptr inbounds i8, ptr %end, i64 %back
  %y = getelementptr inbounds i8, ptr %x, i64 %n
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp ult i64 %i.next, 4
  br i1 %go, label %loop, label %exit

exit:
  %v = load i8, ptr %y
  ret i8 %v
}

define i8 @tgt(ptr dereferenceable(4) %p, i64 range(i64 0, 8) %n) {
entry:
  %end = getelementptr inbounds i8, ptr %p, i64 3
  %far = getelementptr inbounds i8, ptr %end, i64 %n
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %back = sub nsw i64 0, %i
  %y = getelementptr inbounds i8, ptr %far, i64 %back
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp ult i64 %i.next, 4
  br i1 %go, label %loop, label %exit

exit:
  %v = load i8, ptr %y
  ret i8 %v
}
