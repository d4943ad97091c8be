; A loop with two exits, and one whose count is negative as a signed number.
define i32 @f(i32 %n, i8 %s, i1 %q) {
entry:
  br label %h
h:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp eq i32 %i, 77
  br i1 %c, label %out, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %h, label %out
out:
  %r = phi i32 [ %i, %h ], [ %i.next, %latch ]
  br label %x
x:
  %j = phi i64 [ -5, %out ], [ %j.n, %x ]
  %j.n = add i64 %j, -1
  %m = icmp eq i64 %j.n, 7
  br i1 %m, label %e, label %x
e:
  ret i32 %r
}
