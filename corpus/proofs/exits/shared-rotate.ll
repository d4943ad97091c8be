; A loop whose two exits share a block is rotated; the phi there gets the sums of the iteration that each edge ends.

define i32 @src(i32 noundef %n, i32 noundef %k) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %v = call noundef i32 @answer(i32 noundef %s)
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %full = icmp ugt i32 %s.next, %k
  br i1 %full, label %exit, label %header

exit:
  %r = phi i32 [ %s, %header ], [ %s.next, %latch ]
  ret i32 %r
}

define i32 @tgt(i32 noundef %n, i32 noundef %k) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %latch

latch:
  %i = phi i32 [ 0, %entry ], [ %i.next, %test ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %test ]
  %v = call noundef i32 @answer(i32 noundef %s)
  %s.next = add i32 %s, %v
  %i.next = add nuw i32 %i, 1
  %full = icmp ugt i32 %s.next, %k
  br i1 %full, label %exit, label %test

test:
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %latch, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %latch ], [ %s.next, %test ]
  ret i32 %r
}

declare noundef i32 @answer(i32 noundef)
