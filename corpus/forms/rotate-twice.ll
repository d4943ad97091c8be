; After the first header is rotated away the next block of the loop is a header with an exit too.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %second, label %end

second:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %found, label %latch

latch:
  store i8 0, ptr %at
  %i.next = add nuw i32 %i, 1
  br label %header

found:
  ret i32 %i

end:
  ret i32 -1
}
