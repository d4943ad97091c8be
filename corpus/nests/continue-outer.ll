; The inner loop's early exit continues the outer loop directly at its header: a second latch of the
; outer loop that is an exiting block of the inner one.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %inner ], [ %i.next, %outer.latch ]
  %s = phi i32 [ 0, %entry ], [ %s, %inner ], [ %s.next, %outer.latch ]
  %outer.more = icmp ult i32 %i, %n
  br i1 %outer.more, label %inner.preheader, label %exit

inner.preheader:
  %i.next = add nuw i32 %i, 1
  br label %inner

inner:
  %j = phi i32 [ 0, %inner.preheader ], [ %j.next, %inner.latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %j
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %same = icmp eq i32 %w, %i
  br i1 %same, label %outer, label %inner.latch

inner.latch:
  %j.next = add nuw i32 %j, 1
  %inner.more = icmp ult i32 %j.next, 3
  br i1 %inner.more, label %inner, label %outer.latch

outer.latch:
  %s.next = add i32 %s, 1
  br label %outer

exit:
  ret i32 %s
}
