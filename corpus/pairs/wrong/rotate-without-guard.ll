; Rotation without the guard: for n = 0 the body runs once.

define i32 @src(i32 %n) {
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

define i32 @tgt(i32 %n) {
entry:
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %body, label %exit

exit:
  ret i32 %i.next
}
