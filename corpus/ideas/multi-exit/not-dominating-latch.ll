; The rarer kind: an exit that is only tested on one arm, so that its block does not dominate the
; latch.
; From loop-opt-ideas.rst: Multiple Exit Loops.
;
; The loop is in simplify form already; LLVM's pass also folds the block %arm into a select, which the form does not ask for.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %neg = icmp slt i8 %v, 0
  br i1 %neg, label %arm, label %latch

arm:
  %worst = icmp eq i8 %v, -128
  br i1 %worst, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %done = icmp eq i32 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  %r = phi i32 [ %i, %arm ], [ -1, %latch ]
  ret i32 %r
}
