; Three loops in each other, each one block but for the latches.

define i32 @f(i32 %n) {
entry:
  br label %a

a:
  %i = phi i32 [ 0, %entry ], [ %i.next, %a.latch ]
  %s = phi i32 [ 0, %entry ], [ %w.next, %a.latch ]
  br label %b

b:
  %j = phi i32 [ 0, %a ], [ %j.next, %b.latch ]
  %u = phi i32 [ %s, %a ], [ %w.next, %b.latch ]
  br label %c

c:
  %k = phi i32 [ 0, %b ], [ %k.next, %c ]
  %w = phi i32 [ %u, %b ], [ %w.next, %c ]
  %w.next = add i32 %w, 1
  %k.next = add i32 %k, 1
  %c.more = icmp ult i32 %k.next, %n
  br i1 %c.more, label %c, label %b.latch

b.latch:
  %j.next = add i32 %j, 1
  %b.more = icmp ult i32 %j.next, %n
  br i1 %b.more, label %b, label %a.latch

a.latch:
  %i.next = add i32 %i, 1
  %a.more = icmp ult i32 %i.next, %n
  br i1 %a.more, label %a, label %exit

exit:
  ret i32 %w.next
}
