; The exit block shared with a path that never enters the loop is split; the loop's part of the phi
; moves to the new block.

define i32 @src(ptr %p, i32 %n) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %exit, label %preheader

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = phi i32 [ 77, %entry ], [ %i, %loop ], [ %n, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %exit, label %preheader

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %loop.exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %loop.exit, label %loop

loop.exit:
  %r.ph = phi i32 [ %i, %loop ], [ %n, %latch ]
  br label %exit

exit:
  %r = phi i32 [ 77, %entry ], [ %r.ph, %loop.exit ]
  ret i32 %r
}
