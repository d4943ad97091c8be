define i32 @sum(i32 %n, i1 %c) {
entry:
  br i1 %c, label %header, label %exit

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  %r = phi i32 [ -1, %entry ], [ %i, %header ]
  ret i32 %r
}
