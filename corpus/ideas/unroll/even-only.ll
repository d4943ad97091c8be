; for (i in 0 to N) if (i % 2 == 0) a[i]++: unrolled by two the test disappears and the static cost is
; unchanged.
; From loop-opt-ideas.rst: Unroll Heuristics.
;
; For an odd trip count the last iteration is an even one, hence the second exit of the target.

define i32 @src(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %bit = and i32 %i, 1
  %even = icmp eq i32 %bit, 0
  br i1 %even, label %then, label %latch

then:
  %at = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  br label %latch

latch:
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %r = load i8, ptr %a
  %w = zext i8 %r to i32
  ret i32 %w
}

define i32 @tgt(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.2, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %at = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.1 = or disjoint i32 %i, 1
  %more.1 = icmp ult i32 %i.1, %n
  br i1 %more.1, label %latch, label %exit

latch:
  %i.2 = add nuw i32 %i.1, 1
  br label %header

exit:
  %r = load i8, ptr %a
  %w = zext i8 %r to i32
  ret i32 %w
}
