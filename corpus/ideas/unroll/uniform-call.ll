; for (i in 0 to N) { if (f(i/2)) break; a[i]++; }: every second call of a pure f is the same and
; unrolling by two removes it.
; From loop-opt-ideas.rst: Unroll Heuristics.

define i1 @pure(i32 %x) memory(none) willreturn nounwind {
entry:
  %r = icmp eq i32 %x, 2
  ret i1 %r
}

define i32 @f(ptr %a, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %check, label %exit

check:
  %h = lshr i32 %i, 1
  %stop = call i1 @pure(i32 %h)
  br i1 %stop, label %exit, label %body

body:
  %at = getelementptr inbounds i8, ptr %a, i32 %i
  %v = load i8, ptr %at
  %v1 = add i8 %v, 1
  store i8 %v1, ptr %at
  %i.next = add nuw i32 %i, 1
  br label %header

exit:
  %last = load i8, ptr %a
  %r = zext i8 %last to i32
  %r2 = add i32 %r, %i
  ret i32 %r2
}
