; The loop's bound is poison or undef: the exit test branches on it, which is undefined at once.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}
