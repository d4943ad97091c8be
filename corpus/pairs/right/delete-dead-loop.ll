; A finite loop without effects whose values are not used is deleted; the function must progress.

define i32 @src(i32 %n) mustprogress {
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
  ret i32 5
}

define i32 @tgt(i32 %n) mustprogress {
entry:
  ret i32 5
}
