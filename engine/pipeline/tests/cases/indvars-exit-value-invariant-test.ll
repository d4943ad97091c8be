; indvars
; Both conditions are invariant: each exit is taken in the first iteration or never.
define i32 @f(i1 %a, i1 %b, i32 %s) {
entry:
  br label %header
header:
  %i = phi i32 [ %s, %entry ], [ %next, %latch ]
  br i1 %a, label %latch, label %exit
latch:
  %next = mul i32 %i, %i
  br i1 %b, label %header, label %exit
exit:
  %v = phi i32 [ %i, %header ], [ %i, %latch ]
  ret i32 %v
}
