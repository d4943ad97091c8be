; The header of a top-tested loop stores to memory: rotation must move the store into guard and latch,
; not double it.

@count = global i32 0

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = load i32, ptr @count
  %c.next = add i32 %c, 1
  store i32 %c.next, ptr @count
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %r = load i32, ptr @count
  ret i32 %r
}
