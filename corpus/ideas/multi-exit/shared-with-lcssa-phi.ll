; Two exiting blocks share an exit block whose LCSSA phis take a different value from each exiting
; edge.
; From loop-opt-ideas.rst: Multiple Exit Loops, Cornercases.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %exit, label %latch

latch:
  %w = zext i8 %v to i32
  %s.next = add i32 %s, %w
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %s.lcssa = phi i32 [ %s, %loop ], [ %s.next, %latch ]
  %i.lcssa = phi i32 [ %i, %loop ], [ %n, %latch ]
  %hi = shl i32 %s.lcssa, 4
  %r = or i32 %hi, %i.lcssa
  ret i32 %r
}
