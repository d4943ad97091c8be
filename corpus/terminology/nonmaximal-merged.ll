; Two cycles that share a header and a middle block: neither subset is maximal, only their union is a
; loop, with two latches.
; From loop-terminology.rst: Important Notes (the figure loop-nonmaximal.svg).

define i32 @f(i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %left.i, %left ], [ %right.i, %right ]
  %s = phi i32 [ 0, %entry ], [ %left.s, %left ], [ %right.s, %right ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %middle, label %exit

middle:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %left, label %right

left:
  %left.i = add i32 %i, 1
  %left.s = add i32 %s, 10
  br label %header

right:
  %right.i = add i32 %i, 1
  %right.s = add i32 %s, 1
  br label %header

exit:
  ret i32 %s
}
