; for (i in 0 to N) a[i] = i, the loop whose only gain from unrolling is fewer branches.
; From loop-opt-ideas.rst: Unroll Heuristics.

define i32 @f(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i32, ptr %a, i32 %i
  store i32 %i, ptr %at
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  %at3 = getelementptr inbounds i32, ptr %a, i32 3
  %r = load i32, ptr %at3
  ret i32 %r
}
