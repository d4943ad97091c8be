; A switch is a chain of blocks, of which the first asks for the case that leaves the loop.
; From vplan-hcfg-builder.rst: Build Plain CFG.

define i32 @f(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  switch i8 %v, label %latch [
    i8 1, label %one
    i8 2, label %latch
    i8 3, label %latch
    i8 0, label %exit
  ]

one:
  br label %latch

latch:
  %add = phi i32 [ 5, %loop ], [ 5, %loop ], [ 5, %loop ], [ 1, %one ]
  %s.next = add i32 %s, %add
  %i.next = add nuw i32 %i, 1
  br label %loop

exit:
  %r = phi i32 [ %s, %loop ]
  ret i32 %r
}
