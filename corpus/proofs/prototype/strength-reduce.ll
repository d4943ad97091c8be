; The product 12·i + 7 becomes a recurrence that starts at 7 and steps by 12.

define i32 @src_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i32 %i, 12
  %t = add i32 %m, 7
  call void @observe.i32(i32 noundef %t)
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %m = phi i32 [ 7, %entry ], [ %m.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i32(i32 noundef %m)
  %m.next = add i32 %m, 12
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i64 @src_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %m = mul i64 %i, 12
  %t = add i64 %m, 7
  call void @observe.i64(i64 noundef %t)
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %m = phi i64 [ 7, %entry ], [ %m.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %m)
  %m.next = add i64 %m, 12
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
