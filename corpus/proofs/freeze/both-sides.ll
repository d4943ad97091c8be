; A frozen bound on both sides: the target's choice is the source's.

define i32 @src(i32 %n) {
entry:
  %m = freeze i32 %n
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %m
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 %n) {
entry:
  %m = freeze i32 %n
  %some = icmp ne i32 %m, 0
  br i1 %some, label %body, label %exit

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  %more = icmp ne i32 %i.next, %m
  br i1 %more, label %body, label %exit

exit:
  ret i32 %m
}

declare void @observe(i32 noundef)
