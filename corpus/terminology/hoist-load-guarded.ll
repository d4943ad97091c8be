; The invariant load hoisted behind a guard: right, for the guard implies that the loop body would
; have loaded.
; From loop-terminology.rst: Rotated Loops.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %v = load i32, ptr %p
  %s.next = add i32 %s, %v
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  %guard = icmp sgt i32 %n, 0
  br i1 %guard, label %preheader, label %exit

preheader:
  %v = load i32, ptr %p
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %loop.exit

body:
  %s.next = add i32 %s, %v
  %i.next = add nsw i32 %i, 1
  br label %header

loop.exit:
  %s.lcssa = phi i32 [ %s, %header ]
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.lcssa, %loop.exit ]
  ret i32 %r
}
