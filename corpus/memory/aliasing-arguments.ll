; The loop's bound is in memory that the loop's store may change: the load cannot be hoisted.

define i32 @f(ptr %bound, ptr %out) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %n = load i32, ptr %bound
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  store i32 2, ptr %out
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @same(ptr %p) {
  %r = call i32 @f(ptr %p, ptr %p)
  ret i32 %r
}
