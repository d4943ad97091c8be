; A branch in the body turned into an or of conditions: the second condition's poison now spreads
; though the first alone decided.

define i32 @src(i32 %n, i1 %c, i1 %d) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br i1 %c, label %exit, label %test

test:
  br i1 %d, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 1, %loop ], [ 1, %test ], [ 0, %latch ]
  ret i32 %r
}

define i32 @tgt(i32 %n, i1 %c, i1 %d) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %either = or i1 %c, %d
  br i1 %either, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ 1, %loop ], [ 0, %latch ]
  ret i32 %r
}
