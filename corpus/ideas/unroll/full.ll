; Full unrolling of a loop with a constant trip count of three.
; From loop-opt-ideas.rst: Unroll Heuristics.

define i32 @src(ptr %a) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr inbounds i32, ptr %a, i32 %i
  store i32 %i, ptr %at
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ne i32 %i.next, 3
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i.next, %loop ]
  ret i32 %r
}

define i32 @tgt(ptr %a) {
entry:
  store i32 0, ptr %a
  %at.1 = getelementptr inbounds i32, ptr %a, i32 1
  store i32 1, ptr %at.1
  %at.2 = getelementptr inbounds i32, ptr %a, i32 2
  store i32 2, ptr %at.2
  ret i32 3
}
