; The same loop with the induction variable widened to i64, which the late no-wrap fact allows.
; From loop-opt-ideas.rst: Should SCEV be an optimizeable IR?.

define i64 @src(i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %loop, label %none

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %s.next, %loop ]
  %wide = zext i32 %i to i64
  %s.next = add i64 %s, %wide
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %s.next

none:
  ret i64 -1
}

define i64 @tgt(i32 %n) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %preheader, label %none

preheader:
  %n.wide = zext i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %loop ]
  %s = phi i64 [ 0, %preheader ], [ %s.next, %loop ]
  %s.next = add i64 %s, %i
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n.wide
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %s.next

none:
  ret i64 -1
}
