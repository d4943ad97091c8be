; Two exits with a block each; each exiting block dominates the latch.
; From loop-opt-ideas.rst: Multiple Exit Loops, Cornercases.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 7
  br i1 %stop, label %found, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %absent, label %loop

found:
  %at.i = phi i32 [ %i, %loop ]
  ret i32 %at.i

absent:
  ret i32 -1
}
