; Three exiting edges into one block with two LCSSA phis, all values different.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi i32 [ 1, %entry ], [ %x.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %w = zext i8 %v to i32
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit, label %second

second:
  %y = add i32 %x, %w
  %big = icmp ugt i32 %y, 100
  br i1 %big, label %exit, label %latch

latch:
  %x.next = shl i32 %y, 1
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %where = phi i32 [ %i, %loop ], [ %n, %second ], [ %i.next, %latch ]
  %what = phi i32 [ %x, %loop ], [ %y, %second ], [ %x.next, %latch ]
  %hi = shl i32 %what, 8
  %r = or i32 %hi, %where
  ret i32 %r
}
