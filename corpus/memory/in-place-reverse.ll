; Two indices that move towards each other and swap bytes.

define i32 @f(ptr %p, i64 %n) {
entry:
  %last = sub i64 %n, 1
  br label %header

header:
  %lo = phi i64 [ 0, %entry ], [ %lo.next, %body ]
  %hi = phi i64 [ %last, %entry ], [ %hi.next, %body ]
  %more = icmp slt i64 %lo, %hi
  br i1 %more, label %body, label %exit

body:
  %a = getelementptr inbounds i8, ptr %p, i64 %lo
  %b = getelementptr inbounds i8, ptr %p, i64 %hi
  %x = load i8, ptr %a
  %y = load i8, ptr %b
  store i8 %y, ptr %a
  store i8 %x, ptr %b
  %lo.next = add nuw nsw i64 %lo, 1
  %hi.next = add nsw i64 %hi, -1
  br label %header

exit:
  %r = load i32, ptr %p
  ret i32 %r
}
