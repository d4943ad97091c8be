; The loop before the other exit: a naive ScalarEvolution prints a false nuw nsw for %c, which is
; computed where the loop does not run.
; From loop-opt-ideas.rst: SCEV Wrap Flags, An interesting case....

define i1 @test2_a(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next ; forces poison to UB
  %ret2 = icmp ult i32 %iv.next, %a
  ; Note: the backedge is never taken
  br i1 %ret2, label %loop, label %exit2

exit2:
  ret i1 false

exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 false
}

define i32 @run(i32 %a, i32 %b, i1 %will_overflow) {
  %r = call i1 @test2_a(i32 %a, i32 %b, i1 %will_overflow)
  %w = zext i1 %r to i32
  ret i32 %w
}
