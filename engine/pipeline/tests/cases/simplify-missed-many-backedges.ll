; loop-simplify
; Eight backedges.
define void @f(i32 %a) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i, %b1 ], [ %n, %b2 ], [ %n, %b3 ], [ %n, %b4 ], [ %n, %b5 ], [ %n, %b6 ], [ %n, %b7 ], [ %n, %b8 ]
  %n = add i32 %i, 1
  switch i32 %a, label %b1 [
    i32 2, label %b2
    i32 3, label %b3
    i32 4, label %b4
    i32 5, label %b5
    i32 6, label %b6
    i32 7, label %b7
    i32 8, label %b8
    i32 9, label %exit
  ]
b1:
  br label %header
b2:
  br label %header
b3:
  br label %header
b4:
  br label %header
b5:
  br label %header
b6:
  br label %header
b7:
  br label %header
b8:
  br label %header
exit:
  ret void
}
