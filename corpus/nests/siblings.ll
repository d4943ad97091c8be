; Two sibling loops inside one outer loop, the first one's result the second one's bound.

define i32 @f(i32 %n) {
entry:
  br label %outer

outer:
  %i = phi i32 [ 1, %entry ], [ %i.next, %outer.latch ]
  %acc = phi i32 [ 0, %entry ], [ %acc.next, %outer.latch ]
  br label %left

left:
  %a = phi i32 [ 0, %outer ], [ %a.next, %left ]
  %a.next = add i32 %a, %i
  %left.more = icmp ult i32 %a.next, 3
  br i1 %left.more, label %left, label %middle

middle:
  %bound = phi i32 [ %a.next, %left ]
  br label %right

right:
  %b = phi i32 [ 0, %middle ], [ %b.next, %right ]
  %x = phi i32 [ %acc, %middle ], [ %x.next, %right ]
  %x.next = add i32 %x, %b
  %b.next = add i32 %b, 1
  %right.more = icmp ult i32 %b.next, %bound
  br i1 %right.more, label %right, label %outer.latch

outer.latch:
  %acc.next = phi i32 [ %x.next, %right ]
  %i.next = add i32 %i, 1
  %outer.more = icmp ule i32 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  %r = phi i32 [ %acc.next, %outer.latch ]
  ret i32 %r
}
