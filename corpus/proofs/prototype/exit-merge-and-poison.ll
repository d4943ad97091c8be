; Two exit tests become one of their conjunction.
; Wrong for n = 0 and a poison m: the source never branches on m.

define i32 @src_i32(i32 noundef %n, i32 %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i32(i32 noundef %i)
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i32 %i, %m
  br i1 %d, label %latch, label %exit

latch:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i32 @tgt_i32(i32 noundef %n, i32 %m) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i32(i32 noundef %i)
  %c = icmp ult i32 %i, %n
  %d = icmp ult i32 %i, %m
  %cd = and i1 %c, %d
  br i1 %cd, label %latch, label %exit

latch:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}

define i64 @src_i64(i64 noundef %n, i64 %m) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i64(i64 noundef %i)
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %d = icmp ult i64 %i, %m
  br i1 %d, label %latch, label %exit

latch:
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 %i
}

define i64 @tgt_i64(i64 noundef %n, i64 %m) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  call void @observe.i64(i64 noundef %i)
  %c = icmp ult i64 %i, %n
  %d = icmp ult i64 %i, %m
  %cd = and i1 %c, %d
  br i1 %cd, label %latch, label %exit

latch:
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 %i
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
