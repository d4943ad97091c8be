; A loop whose counter leaves the bound in the first iteration becomes a branch.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %bit = and i32 %n, 1
  %more = icmp ult i32 %i, %bit
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %n)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  %bit = and i32 %n, 1
  %some = icmp ne i32 %bit, 0
  br i1 %some, label %body, label %exit

body:
  call void @observe(i32 noundef %n)
  br label %exit

exit:
  ret i32 %bit
}

declare void @observe(i32 noundef)
