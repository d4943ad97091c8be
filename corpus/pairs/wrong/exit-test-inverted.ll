; The branch of the exit test is inverted without swapping its targets.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 7
  br i1 %hit, label %exit, label %latch

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
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %miss = icmp ne i8 %v, 7
  br i1 %miss, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}
