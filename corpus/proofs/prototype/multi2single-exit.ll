; Two exits become one to a block that asks by which the loop was left.

define i32 @src_i32(i32 %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i32 @answer.i32(i32 noundef %i)
  %e = icmp eq i32 %v, %k
  br i1 %e, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i32 [ %i, %header ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt_i32(i32 %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i32 @answer.i32(i32 noundef %i)
  %e = icmp eq i32 %v, %k
  br i1 %e, label %dispatch, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %c = icmp ult i32 %i.next, %n
  br i1 %c, label %header, label %dispatch

dispatch:
  %sel = phi i1 [ true, %header ], [ false, %latch ]
  br i1 %sel, label %leave.found, label %leave.none

leave.found:
  br label %exit

leave.none:
  br label %exit

exit:
  %r = phi i32 [ %i, %leave.found ], [ -1, %leave.none ]
  ret i32 %r
}

define i64 @src_i64(i64 %n, i64 noundef %k) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i64 @answer.i64(i64 noundef %i)
  %e = icmp eq i64 %v, %k
  br i1 %e, label %exit, label %latch

latch:
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %exit

exit:
  %r = phi i64 [ %i, %header ], [ -1, %latch ]
  ret i64 %r
}

define i64 @tgt_i64(i64 %n, i64 noundef %k) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %v = call noundef i64 @answer.i64(i64 noundef %i)
  %e = icmp eq i64 %v, %k
  br i1 %e, label %dispatch, label %latch

latch:
  %i.next = add nuw i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %header, label %dispatch

dispatch:
  %sel = phi i1 [ true, %header ], [ false, %latch ]
  br i1 %sel, label %leave.found, label %leave.none

leave.found:
  br label %exit

leave.none:
  br label %exit

exit:
  %r = phi i64 [ %i, %leave.found ], [ -1, %leave.none ]
  ret i64 %r
}

declare noundef i32 @answer.i32(i32 noundef)
declare noundef i64 @answer.i64(i64 noundef)
