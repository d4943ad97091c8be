; The value lives out of the loop into a block that two exits reach after joining: lcssa needs a phi
; in each exit block and one at the join.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
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
  %sum = add i32 %w, %i
  %r = add i32 %sum, %side
  ret i32 %r
}
