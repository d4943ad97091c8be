; The invariant load hoisted into the preheader of the rotated loop, with the condition tested once
; per iteration only.
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
  %guard = icmp slt i32 0, %n
  br i1 %guard, label %preheader, label %exit

preheader:
  %v = load i32, ptr %p
  br label %body

body:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %body ]
  %s = phi i32 [ 0, %preheader ], [ %s.next, %body ]
  %s.next = add i32 %s, %v
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %body, label %loop.exit

loop.exit:
  %s.lcssa = phi i32 [ %s.next, %body ]
  br label %exit

exit:
  %r = phi i32 [ 0, %entry ], [ %s.lcssa, %loop.exit ]
  ret i32 %r
}
