; Of two counters, i and 2·i + 5, the second is computed from the first.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %j = phi i32 [ 5, %entry ], [ %j.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %j)
  %i.next = add nuw i32 %i, 1
  %j.next = add i32 %j, 2
  br label %header

exit:
  ret i32 %j
}

define i32 @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %twice = shl i32 %i, 1
  %j = add i32 %twice, 5
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %j)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %j
}

declare void @observe(i32 noundef)
