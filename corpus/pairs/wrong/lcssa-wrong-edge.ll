; The phi of a shared exit takes the latch's value on the early exit's edge too: one phi entry per
; exit block in place of one per exiting edge.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %i.next = add nuw i32 %i, 1
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = phi i32 [ %i, %loop ], [ %i.next, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %i.next = add nuw i32 %i, 1
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = phi i32 [ %i.next, %loop ], [ %i.next, %latch ]
  ret i32 %r
}
