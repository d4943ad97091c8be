; What loop-simplify does to a loop entered from two blocks: a preheader that merges the start values.

define i32 @src(i1 %c, i32 %n) {
entry:
  br i1 %c, label %up, label %down

up:
  br label %loop

down:
  br label %loop

loop:
  %i = phi i32 [ 0, %up ], [ 3, %down ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}

define i32 @tgt(i1 %c, i32 %n) {
entry:
  br i1 %c, label %up, label %down

up:
  br label %loop.preheader

down:
  br label %loop.preheader

loop.preheader:
  %i.ph = phi i32 [ 0, %up ], [ 3, %down ]
  br label %loop

loop:
  %i = phi i32 [ %i.ph, %loop.preheader ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %i.next
}
