; The do-while loop with two blocks: the latch is the only exiting block, rotation has nothing to do.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi i32 [ %n, %entry ], [ %x.next, %latch ]
  %odd = trunc i32 %x to i1
  %inc = zext i1 %odd to i32
  %i.next = add i32 %i, %inc
  br label %latch

latch:
  %x.next = lshr i32 %x, 1
  %more = icmp ne i32 %x.next, 0
  br i1 %more, label %header, label %exit

exit:
  %r = phi i32 [ %i.next, %latch ]
  ret i32 %r
}
