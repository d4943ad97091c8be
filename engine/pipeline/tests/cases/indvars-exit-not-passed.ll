; indvars
; The first exit is not tested in every iteration: it may be taken later than its count, so its test stays.
define i32 @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = load volatile i8, ptr %p
  %skip = icmp eq i8 %x, 0
  br i1 %skip, label %latch, label %tested
tested:
  %c1 = icmp slt i32 %i, 10
  br i1 %c1, label %latch, label %out
latch:
  %i.next = add i32 %i, 1
  %c2 = icmp slt i32 %i.next, 100
  br i1 %c2, label %loop, label %out
out:
  %v = phi i32 [ %i, %tested ], [ %i.next, %latch ]
  ret i32 %v
}
