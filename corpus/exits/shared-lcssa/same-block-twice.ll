; A switch leaves the loop for one block by two cases: two edges from one exiting block, which the phi
; lists twice with the same value.

define i32 @f(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %c = load i8, ptr %at
  switch i8 %c, label %latch [
    i8 0, label %exit
    i8 10, label %exit
  ]

latch:
  %i.next = add i32 %i, 1
  br label %loop

exit:
  %len = phi i32 [ %i, %loop ], [ %i, %loop ]
  ret i32 %len
}
