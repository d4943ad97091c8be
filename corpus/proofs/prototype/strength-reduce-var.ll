; The product i·q of the counter and an unknown factor becomes a recurrence that steps by q.

define i32 @src_i32(i32 %n, i32 noundef %q) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i32 %i, %q
  call void @observe.i32(i32 noundef %m)
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 %n, i32 noundef %q) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %m = phi i32 [ 0, %entry ], [ %m.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i32(i32 noundef %m)
  %m.next = add i32 %m, %q
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i64 @src_i64(i64 %n, i64 noundef %q) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i64 %i, %q
  call void @observe.i64(i64 noundef %m)
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 %n, i64 noundef %q) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %m = phi i64 [ 0, %entry ], [ %m.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %m)
  %m.next = add i64 %m, %q
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
