; The first iteration is peeled: there the counter is 0, beyond it never.

define i32 @src_i32(i32 %n, i32 %a) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %z = icmp eq i32 %i, 0
  %v = select i1 %z, i32 %a, i32 %i
  call void @observe.i32(i32 noundef %v)
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt_i32(i32 %n, i32 %a) {
entry:
  call void @observe.i32(i32 noundef %a)
  %c0 = icmp ult i32 1, %n
  br i1 %c0, label %header, label %exit

header:
  %i = phi i32 [ 1, %entry ], [ %i.next, %header ]
  call void @observe.i32(i32 noundef %i)
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i32 [ 1, %entry ], [ %i.next, %header ]
  ret i32 %r
}

define i64 @src_i64(i64 %n, i64 %a) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %z = icmp eq i64 %i, 0
  %v = select i1 %z, i64 %a, i64 %i
  call void @observe.i64(i64 noundef %v)
  br label %latch

latch:
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  ret i64 %i.next
}

define i64 @tgt_i64(i64 %n, i64 %a) {
entry:
  call void @observe.i64(i64 noundef %a)
  %c0 = icmp ult i64 1, %n
  br i1 %c0, label %header, label %exit

header:
  %i = phi i64 [ 1, %entry ], [ %i.next, %header ]
  call void @observe.i64(i64 noundef %i)
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i64 [ 1, %entry ], [ %i.next, %header ]
  ret i64 %r
}

declare void @observe.i32(i32 noundef)
declare void @observe.i64(i64 noundef)
