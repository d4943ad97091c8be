; loop-rotate
; The phi is a single choice of undef: the copy of the header freezes it.
define i32 @f(i32 %n) {
entry:
  br label %header
header:
  %x = phi i32 [ undef, %entry ], [ 7, %body ]
  %y = mul i32 %x, %x
  %c = icmp ne i32 %y, %n
  br i1 %c, label %body, label %exit
body:
  br label %header
exit:
  ret i32 %x
}
