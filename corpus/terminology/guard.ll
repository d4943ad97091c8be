; A loop guard skips the whole loop when it should not be executed at all.
; From loop-terminology.rst: Important Notes (the figure loop-guard.svg).

define i32 @f(i32 %n) {
guard:
  %enter = icmp sgt i32 %n, 0
  br i1 %enter, label %preheader, label %join

preheader:
  br label %loop

loop:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %loop ]
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %i.lcssa = phi i32 [ %i.next, %loop ]
  br label %join

join:
  %r = phi i32 [ 0, %guard ], [ %i.lcssa, %exit ]
  ret i32 %r
}
