; The first iteration peeled off, with both of its exits.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %prev = phi i8 [ 0, %entry ], [ %v, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %sorted = icmp uge i8 %v, %prev
  br i1 %sorted, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %v.0 = load i8, ptr %p
  %sorted.0 = icmp uge i8 %v.0, 0
  br i1 %sorted.0, label %latch.0, label %exit

latch.0:
  %more.0 = icmp ult i32 1, %n
  br i1 %more.0, label %preheader, label %exit

preheader:
  br label %loop

loop:
  %i = phi i32 [ 1, %preheader ], [ %i.next, %latch ]
  %prev = phi i8 [ %v.0, %preheader ], [ %v, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %sorted = icmp uge i8 %v, %prev
  br i1 %sorted, label %latch, label %exit

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ -1, %latch.0 ], [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}
