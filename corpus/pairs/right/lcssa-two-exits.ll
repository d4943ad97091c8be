; A value used where two exits have joined: a loop-closing phi in each exit block and one at the join.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %left, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %right, label %loop

left:
  br label %join

right:
  br label %join

join:
  %side = phi i32 [ 0, %left ], [ 256, %right ]
  %r = add i32 %i, %side
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %left, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %right, label %loop

left:
  %i.left = phi i32 [ %i, %loop ]
  br label %join

right:
  %i.right = phi i32 [ %i, %latch ]
  br label %join

join:
  %i.join = phi i32 [ %i.left, %left ], [ %i.right, %right ]
  %side = phi i32 [ 0, %left ], [ 256, %right ]
  %r = add i32 %i.join, %side
  ret i32 %r
}
