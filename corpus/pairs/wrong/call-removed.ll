; A call whose result is not used is taken for dead, although it may write or not return.

declare i32 @log(i32)

define i32 @src(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %unused = call i32 @log(i32 %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n) {
entry:
  ret i32 %n
}
