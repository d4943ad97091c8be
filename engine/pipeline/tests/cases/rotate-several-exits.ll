; loop-rotate
; The header and the body share the exit block, whose phi distinguishes them.
define i32 @f(i32 %n, ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %x = load i32, ptr %p, align 4
  %d = icmp eq i32 %x, 0
  br i1 %d, label %exit, label %latch
latch:
  %i.next = add i32 %i, 1
  br label %header
exit:
  %r = phi i32 [ -1, %header ], [ %i, %body ]
  ret i32 %r
}
