; What a false flag does: %c in the block outside the guarded loop is replaced by an nuw addition,
; since a naive analysis holds both for one expression.
; From loop-opt-ideas.rst: SCEV Wrap Flags, Back to our original problem.

define i32 @src(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2

exit2:
  ret i32 %iv.next

exit1:
  %c = add i32 %a, %b
  ret i32 %c
}

define i32 @tgt(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2

exit2:
  ret i32 %iv.next

exit1:
  %c = add nuw nsw i32 %a, %b
  ret i32 %c
}
