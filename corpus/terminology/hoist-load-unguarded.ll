; The invariant load of p moved out of a top-tested loop: wrong, since for n <= 0 the source never
; loads and p may be invalid.
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
  %v = load i32, ptr %p
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %exit

body:
  %s.next = add i32 %s, %v
  %i.next = add nsw i32 %i, 1
  br label %header

exit:
  ret i32 %s
}
