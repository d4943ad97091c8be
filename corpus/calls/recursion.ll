; A defined function that calls itself from inside a loop.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 1, %entry ], [ %s.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %c = call i32 @f(i32 %i)
  %s.next = add i32 %s, %c
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
