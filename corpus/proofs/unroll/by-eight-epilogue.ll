; Unrolled by eight without inner tests, with an epilogue for the rest.

define i32 @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt(i32 noundef %n) {
entry:
  %left = and i32 %n, 7
  %many = sub nuw i32 %n, %left
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.8, %body ]
  %more = icmp ult i32 %i, %many
  br i1 %more, label %body, label %rest

body:
  call void @observe(i32 noundef %i)
  %i.1 = add nuw i32 %i, 1
  call void @observe(i32 noundef %i.1)
  %i.2 = add nuw i32 %i, 2
  call void @observe(i32 noundef %i.2)
  %i.3 = add nuw i32 %i, 3
  call void @observe(i32 noundef %i.3)
  %i.4 = add nuw i32 %i, 4
  call void @observe(i32 noundef %i.4)
  %i.5 = add nuw i32 %i, 5
  call void @observe(i32 noundef %i.5)
  %i.6 = add nuw i32 %i, 6
  call void @observe(i32 noundef %i.6)
  %i.7 = add nuw i32 %i, 7
  call void @observe(i32 noundef %i.7)
  %i.8 = add nuw i32 %i, 8
  br label %header

rest:
  %j = phi i32 [ %many, %header ], [ %j.next, %rest.body ]
  %rest.more = icmp ult i32 %j, %n
  br i1 %rest.more, label %rest.body, label %exit

rest.body:
  call void @observe(i32 noundef %j)
  %j.next = add nuw i32 %j, 1
  br label %rest

exit:
  ret i32 %n
}

declare void @observe(i32 noundef)
