; loop-simplify
; Duplicate edges: two from the latch to the header, and two from the loop to an exit block that is also entered from
; outside.
define i32 @f(i32 %a) {
entry:
  switch i32 %a, label %exit [
    i32 0, label %header
    i32 1, label %header
  ]
header:
  %i = phi i32 [ 5, %entry ], [ 5, %entry ], [ %n, %header ], [ %n, %header ]
  %n = add i32 %i, 1
  switch i32 %n, label %header [
    i32 10, label %exit
    i32 11, label %exit
    i32 12, label %header
  ]
exit:
  %r = phi i32 [ 0, %entry ], [ %n, %header ], [ %n, %header ]
  ret i32 %r
}
