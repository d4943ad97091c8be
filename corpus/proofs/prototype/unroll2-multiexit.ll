; A search with two exits is unrolled by two, every exiting edge kept in each copy.

define i32 @src_i32(i32 %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %v = call noundef i32 @answer.i32(i32 noundef %i)
  %e = icmp eq i32 %v, %k
  br i1 %e, label %found, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

found:
  ret i32 %i

exit:
  ret i32 -1
}

define i32 @tgt_i32(i32 %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch.1 ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit

body:
  %v = call noundef i32 @answer.i32(i32 noundef %i)
  %e = icmp eq i32 %v, %k
  br i1 %e, label %found, label %latch

latch:
  %i1 = add nuw i32 %i, 1
  %c2 = icmp ult i32 %i1, %n
  br i1 %c2, label %body.1, label %exit

body.1:
  %v2 = call noundef i32 @answer.i32(i32 noundef %i1)
  %e2 = icmp eq i32 %v2, %k
  br i1 %e2, label %found, label %latch.1

latch.1:
  %i2 = add nuw i32 %i, 2
  br label %header

found:
  %r = phi i32 [ %i, %body ], [ %i1, %body.1 ]
  ret i32 %r

exit:
  ret i32 -1
}

define i64 @src_i64(i64 %n, i64 noundef %k) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %v = call noundef i64 @answer.i64(i64 noundef %i)
  %e = icmp eq i64 %v, %k
  br i1 %e, label %found, label %latch

latch:
  %i.next = add nuw i64 %i, 1
  br label %header

found:
  ret i64 %i

exit:
  ret i64 -1
}

define i64 @tgt_i64(i64 %n, i64 noundef %k) {
entry:
  br label %header

header:
  %i = phi i64 [ 0, %entry ], [ %i2, %latch.1 ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit

body:
  %v = call noundef i64 @answer.i64(i64 noundef %i)
  %e = icmp eq i64 %v, %k
  br i1 %e, label %found, label %latch

latch:
  %i1 = add nuw i64 %i, 1
  %c2 = icmp ult i64 %i1, %n
  br i1 %c2, label %body.1, label %exit

body.1:
  %v2 = call noundef i64 @answer.i64(i64 noundef %i1)
  %e2 = icmp eq i64 %v2, %k
  br i1 %e2, label %found, label %latch.1

latch.1:
  %i2 = add nuw i64 %i, 2
  br label %header

found:
  %r = phi i64 [ %i, %body ], [ %i1, %body.1 ]
  ret i64 %r

exit:
  ret i64 -1
}

declare noundef i32 @answer.i32(i32 noundef)
declare noundef i64 @answer.i64(i64 noundef)
