; for (i in 0 to N) a[i/2]++: unrolled by two both copies touch the same element.
; From loop-opt-ideas.rst: Unroll Heuristics.
;
; The trip count is 2 * half here, so that no epilogue is needed.

define i32 @src(ptr %a, i32 %half) {
entry:
  %n = shl i32 %half, 1
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %h = lshr i32 %i, 1
  %at = getelementptr inbounds i8, ptr %a, i32 %h
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  ret i32 %n
}

define i32 @tgt(ptr %a, i32 %half) {
entry:
  %n = shl i32 %half, 1
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %h = lshr exact i32 %i, 1
  %at = getelementptr inbounds i8, ptr %a, i32 %h
  %v = load i8, ptr %at
  %v2 = add i8 %v, 2
  store i8 %v2, ptr %at
  %i.next = add nuw i32 %i, 2
  br label %header

exit:
  ret i32 %n
}
