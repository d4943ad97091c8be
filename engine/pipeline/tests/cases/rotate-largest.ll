; loop-rotate
; The header has the maximum of 16 instructions to copy.
define void @f(i32 %n) {
entry:
  br label %header
header:
  %x0 = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %x1 = add i32 %x0, %i
  %x2 = add i32 %x1, %i
  %x3 = add i32 %x2, %i
  %x4 = add i32 %x3, %i
  %x5 = add i32 %x4, %i
  %x6 = add i32 %x5, %i
  %x7 = add i32 %x6, %i
  %x8 = add i32 %x7, %i
  %x9 = add i32 %x8, %i
  %x10 = add i32 %x9, %i
  %x11 = add i32 %x10, %i
  %x12 = add i32 %x11, %i
  %x13 = add i32 %x12, %i
  %x14 = add i32 %x13, %i
  %c = icmp slt i32 %x14, %n
  br i1 %c, label %body, label %exit
body:
  %i.next = add i32 %i, 1
  br label %header
exit:
  ret void
}
