; A top-tested loop is rotated; the guard in front of it asks the exit test for the first iteration.

define i32 @src_i32(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i32(i32 noundef %i)
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt_i32(i32 %n) {
entry:
  %g = icmp ult i32 0, %n
  br i1 %g, label %body, label %exit

body:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  call void @observe.i32(i32 noundef %i)
  %i.next = add i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %body, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %i.next, %body ]
  ret i32 %r
}

define i64 @src_i64(i64 %n) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  call void @observe.i64(i64 noundef %i)
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 %i
}

define i64 @tgt_i64(i64 %n) {
entry:
  %g = icmp ult i64 0, %n
  br i1 %g, label %body, label %exit

body:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %body, label %exit

exit:
  %r = phi i64 [ 0, %entry ], [ %i.next, %body ]
  ret i64 %r
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
