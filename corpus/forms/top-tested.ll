; The plain while loop: header is the only exiting block, the latch jumps back unconditionally.

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %x = phi i32 [ %n, %entry ], [ %x.next, %body ]
  %more = icmp ne i32 %x, 0
  br i1 %more, label %body, label %exit

body:
  %x.next = lshr i32 %x, 1
  %i.next = add i32 %i, 1
  br label %header

exit:
  ret i32 %i
}
