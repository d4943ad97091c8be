; loop-rotate
; The phis swap their values on the backedge.
define i32 @f(i32 %a, i32 %b, i32 %n) {
entry:
  br label %header
header:
  %x = phi i32 [ %a, %entry ], [ %y, %body ]
  %y = phi i32 [ %b, %entry ], [ %x, %body ]
  %c = icmp ne i32 %x, %n
  br i1 %c, label %body, label %exit
body:
  br label %header
exit:
  %r = sub i32 %x, %y
  ret i32 %r
}
