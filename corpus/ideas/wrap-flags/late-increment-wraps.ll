; {-1,+,1} run ten times: the value after the increment, {0,+,1}, never wraps in the loop, yet the
; increment instruction wraps at once and must not get nuw.
; From loop-opt-ideas.rst: SCEV Wrap Flags.

define i32 @src(i32 %n) {
entry:
  br label %loop

loop:
  %iv = phi i32 [ -1, %entry ], [ %iv.next, %loop ]
  %iv.next = add i32 %iv, 1
  %more = icmp ult i32 %iv.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %iv.next
}

define i32 @tgt(i32 %n) {
entry:
  br label %loop

loop:
  %iv = phi i32 [ -1, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw i32 %iv, 1
  %more = icmp ult i32 %iv.next, 3
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %iv.next
}
