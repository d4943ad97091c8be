; A branch on an invariant condition is taken out of the loop without freezing the condition.
; Wrong for n = 0 and a poison c: the source never branches on c.

define i32 @src_i32(i32 %n, i1 %c) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %l = icmp ult i32 %i, %n
  br i1 %l, label %body, label %exit

body:
  br i1 %c, label %then, label %else

then:
  call void @observe.i32(i32 noundef %i)
  br label %latch

else:
  %k = add i32 %i, 3
  call void @observe.i32(i32 noundef %k)
  br label %latch

latch:
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 0
}

define i32 @tgt_i32(i32 %n, i1 %c) {
entry:
  %f = and i1 %c, true
  br i1 %f, label %then.header, label %else.header

then.header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %then.body ]
  %l = icmp ult i32 %i, %n
  br i1 %l, label %then.body, label %exit

then.body:
  call void @observe.i32(i32 noundef %i)
  %i.next = add i32 %i, 1
  br label %then.header

else.header:
  %j = phi i32 [ 0, %entry ], [ %j.next, %else.body ]
  %l2 = icmp ult i32 %j, %n
  br i1 %l2, label %else.body, label %exit

else.body:
  %k = add i32 %j, 3
  call void @observe.i32(i32 noundef %k)
  %j.next = add i32 %j, 1
  br label %else.header

exit:
  ret i32 0
}

define i64 @src_i64(i64 %n, i1 %c) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %l = icmp ult i64 %i, %n
  br i1 %l, label %body, label %exit

body:
  br i1 %c, label %then, label %else

then:
  call void @observe.i64(i64 noundef %i)
  br label %latch

else:
  %k = add i64 %i, 3
  call void @observe.i64(i64 noundef %k)
  br label %latch

latch:
  %i.next = add i64 %i, 1
  br label %header

exit:
  ret i64 0
}

define i64 @tgt_i64(i64 %n, i1 %c) {
entry:
  %f = and i1 %c, true
  br i1 %f, label %then.header, label %else.header

then.header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %then.body ]
  %l = icmp ult i64 %i, %n
  br i1 %l, label %then.body, label %exit

then.body:
  call void @observe.i64(i64 noundef %i)
  %i.next = add i64 %i, 1
  br label %then.header

else.header:
  %j = phi i64 [ 0, %entry ], [ %j.next, %else.body ]
  %l2 = icmp ult i64 %j, %n
  br i1 %l2, label %else.body, label %exit

else.body:
  %k = add i64 %j, 3
  call void @observe.i64(i64 noundef %k)
  %j.next = add i64 %j, 1
  br label %else.header

exit:
  ret i64 0
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
