; Two equal additions on two arms, one with nuw: a common subexpression may keep the flag only where
; both have it.
; From loop-opt-ideas.rst: SCEV Wrap Flags, Isn't this just CSE?.

define i1 @test(i32 %a, i32 %b, i1 %will_overflow) {
  %c = add i32 %a, %b
  br i1 %will_overflow, label %exit1, label %exit2

exit1:
  %ret1 = icmp ult i32 %c, %a
  ret i1 %ret1

exit2:
  %c2 = add nuw i32 %a, %b
  %ret2 = icmp ult i32 %c2, %a
  ret i1 %ret2
}

define i1 @merged.plain(i32 %a, i32 %b, i1 %will_overflow) {
  %c = add i32 %a, %b
  %ret = icmp ult i32 %c, %a
  ret i1 %ret
}

define i1 @merged.nuw(i32 %a, i32 %b, i1 %will_overflow) {
  %c = add nuw i32 %a, %b
  %f = freeze i1 %will_overflow
  %ret = icmp ult i32 %c, %a
  ret i1 %ret
}
