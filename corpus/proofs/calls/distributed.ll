; A loop with two calls becomes two loops.
; Wrong for n = 2: the source observes 0, -1, 1, the target 0, 1.

define void @src(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  call void @observe(i32 noundef %i)
  %t = xor i32 %i, -1
  call void @observe(i32 noundef %t)
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret void
}

define void @tgt(i32 noundef %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %second

body:
  call void @observe(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  br label %header

second:
  %j = phi i32 [ 0, %header ], [ %j.next, %second.body ]
  %second.more = icmp ult i32 %j, %n
  br i1 %second.more, label %second.body, label %exit

second.body:
  %t = xor i32 %j, -1
  call void @observe(i32 noundef %t)
  %j.next = add nuw i32 %j, 1
  br label %second

exit:
  ret void
}

declare void @observe(i32 noundef)
