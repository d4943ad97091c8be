; A linear search: the shared exit's phi says where each exiting edge came from.

define i32 @f(ptr %p, i32 %n, i8 %key) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nsw i32 %i, 1
  %hit = icmp eq i8 %v, %key
  br i1 %hit, label %exit, label %header

exit:
  %r = phi i32 [ -1, %header ], [ %i, %latch ]
  ret i32 %r
}
