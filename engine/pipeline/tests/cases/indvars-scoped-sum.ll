; loop-simplify,lcssa,loop(indvars)
; In the loop the sum does not wrap, because the division would be undefined; outside, in %c, it may wrap.
define i1 @test2_a(ptr %p, i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop
exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 %ret1
loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  store i32 %trap, ptr %p
  %stop = load volatile i1, ptr %p
  br i1 %stop, label %loop, label %exit2
exit2:
  ret i1 false
}
