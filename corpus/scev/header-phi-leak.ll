; Two header phis with equal start and step, of which only one is incremented without wrap: whatever an analysis takes
; them for, the flags are not those of the other one.
; From loop-opt-ideas.rst: SCEV Wrap Flags.

; The poison of %p.next goes nowhere: %q wraps in runs that mean something.
define i32 @leak(i32 %a, i32 %b, i32 %n) {
entry:
  br label %loop

loop:
  %p = phi i32 [ %a, %entry ], [ %p.next, %loop ]
  %q = phi i32 [ %a, %entry ], [ %q.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %p.next = add nuw nsw i32 %p, %b
  %q.next = add i32 %q, %b
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}

; The poison of %p.next is undefined behaviour, so %q, the same number, does not wrap either.
define i32 @trapped(i32 %a, i32 %b, i32 %n) {
entry:
  br label %loop

loop:
  %p = phi i32 [ %a, %entry ], [ %p.next, %loop ]
  %q = phi i32 [ %a, %entry ], [ %q.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %p.next = add nuw nsw i32 %p, %b
  %trap = udiv i32 %a, %p.next
  %q.next = add i32 %q, %b
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %q
}
