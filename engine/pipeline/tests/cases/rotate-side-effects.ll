; loop-rotate
; The header stores and calls: a copy executes the first time, the original all later times. Invariant code is hoisted.
declare i32 @next(i32)
define i32 @f(i32 %n, ptr %p) {
entry:
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %limit = mul i32 %n, 3
  store i32 %i, ptr %p, align 4
  %x = call i32 @next(i32 %i)
  %c = icmp ult i32 %x, %limit
  br i1 %c, label %body, label %exit, !prof !0
body:
  %i.next = add i32 %x, 1
  br label %header
exit:
  ret i32 %x
}
!0 = !{!"branch_weights", i32 9, i32 1}
