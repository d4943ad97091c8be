; A branch on a condition that every iteration freezes is taken out of the loop, frozen once.

define void @src(i32 noundef %n, i1 %c) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %f = freeze i1 %c
  br i1 %f, label %then, label %latch

then:
  call void @observe(i32 noundef %i)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n, i1 %c) {
entry:
  %f = freeze i1 %c
  br i1 %f, label %header, label %else.header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

else.header:
  %j = phi i32 [ 0, %entry ], [ %j.next, %else.body ]
  %else.more = icmp ult i32 %j, %n
  br i1 %else.more, label %else.body, label %exit

else.body:
  %j.next = add nuw i32 %j, 1
  br label %else.header

exit:
  ret void
}

declare void @observe(i32 noundef)
