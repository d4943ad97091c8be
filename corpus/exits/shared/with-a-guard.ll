; The guard skips to the very block that both exits share, so the exit is not dedicated.

define void @f(ptr %p, i32 %n) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %exit, label %preheader

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 42
  br i1 %stop, label %exit, label %latch

latch:
  store i8 42, ptr %at
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define i32 @run(ptr %p, i32 %n) {
  call void @f(ptr %p, i32 %n)
  %v = load i8, ptr %p
  %r = zext i8 %v to i32
  ret i32 %r
}
