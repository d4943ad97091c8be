; The sum of 0 to n - 1 in a rotated loop behind a guard, in closed form behind the same guard.

define i32 @src(i32 %n) mustprogress {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %s.next = add i32 %s, %i
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  ret i32 %r
}

define i32 @tgt(i32 %n) mustprogress {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %some, label %exit

some:
  %m1 = add i32 %n, -1
  %w1 = zext i32 %m1 to i33
  %m2 = add i32 %n, -2
  %w2 = zext i32 %m2 to i33
  %p = mul i33 %w1, %w2
  %h = lshr i33 %p, 1
  %t = trunc i33 %h to i32
  %sum = add i32 %n, %t
  %last = add i32 %sum, -1
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %last, %some ]
  ret i32 %r
}
