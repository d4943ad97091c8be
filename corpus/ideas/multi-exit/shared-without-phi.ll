; Two exiting blocks share an exit block that has no phi.
; From loop-opt-ideas.rst: Multiple Exit Loops, Cornercases.

define void @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %up = add i8 %v, 1
  store i8 %up, ptr %at
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

define i32 @run(ptr %p, i32 %n) {
entry:
  call void @f(ptr %p, i32 %n)
  %r = load i32, ptr %p
  ret i32 %r
}
