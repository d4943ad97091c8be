; The exit test keeps i below n, so the increment cannot wrap and gets nuw.

define i32 @src(i32 %n) {
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

define i32 @tgt(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}
