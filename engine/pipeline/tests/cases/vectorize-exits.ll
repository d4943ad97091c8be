; loop-vectorize<force-vector-width=4;force-vector-interleave=1>
; Two countable exits to one block: the scalar loop always executes the last iteration.
define i32 @f(ptr %p, i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  %stop = icmp uge i32 %i, %m
  br i1 %stop, label %done, label %latch
latch:
  %x = zext i32 %i to i64
  %at = getelementptr inbounds i32, ptr %p, i64 %x
  %v = load i32, ptr %at
  %t = add i32 %s, %v
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %r = phi i32 [ %s, %loop ], [ %t, %latch ]
  ret i32 %r
}
