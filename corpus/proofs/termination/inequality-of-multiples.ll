; The exit test of a loop that counts in fours is made one for inequality; the bound is a multiple of four.

define i32 @src(i32 noundef %n) {
entry:
  %small = icmp ule i32 %n, 100
  br i1 %small, label %ph, label %exit

ph:
  %m = shl nuw i32 %n, 2
  br label %header

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %m
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 4
  br label %header

exit:
  ret i32 1
}

define i32 @tgt(i32 noundef %n) {
entry:
  %small = icmp ule i32 %n, 100
  br i1 %small, label %ph, label %exit

ph:
  %m = shl nuw i32 %n, 2
  br label %header

header:
  %i = phi i32 [ 0, %ph ], [ %i.next, %body ]
  %more = icmp ne i32 %i, %m
  br i1 %more, label %body, label %exit

body:
  %i.next = add i32 %i, 4
  br label %header

exit:
  ret i32 1
}
