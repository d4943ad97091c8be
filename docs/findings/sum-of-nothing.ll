; The sum of what a mask selects. If it selects nothing, the result is %a, whatever it is. loop-vectorize combines the lanes with the
; flags of the additions, by which the result is poison where %a is a NaN.
define float @f(float %a, i8 %mask) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ %a, %entry ], [ %r, %latch ]
  %bit = lshr i8 %mask, %i
  %c = trunc i8 %bit to i1
  br i1 %c, label %then, label %latch

then:
  %x = uitofp i8 %i to float
  %t = fadd fast float %s, %x
  br label %latch

latch:
  %r = phi float [ %t, %then ], [ %s, %loop ]
  %i.next = add nuw nsw i8 %i, 1
  %done = icmp eq i8 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  ret float %r
}
