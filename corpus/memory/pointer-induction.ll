; A pointer runs from begin to end by one element per iteration; the exit test compares pointers.

define i32 @f(ptr %begin, i64 %n) {
entry:
  %end = getelementptr inbounds i16, ptr %begin, i64 %n
  br label %header

header:
  %p = phi ptr [ %begin, %entry ], [ %p.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body

body:
  %v = load i16, ptr %p
  %w = sext i16 %v to i32
  %s.next = add nsw i32 %s, %w
  %p.next = getelementptr inbounds i16, ptr %p, i64 1
  br label %header

exit:
  ret i32 %s
}
