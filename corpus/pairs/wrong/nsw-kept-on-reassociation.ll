; (x + i) + c reassociated to x + (i + c) with nsw kept on both: the new intermediate sum may overflow
; although the whole does not.

define i8 @src(i8 %x, i8 %c, i8 %n) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %a = add nsw i8 %x, %i
  %b = add nsw i8 %a, %c
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %b
}

define i8 @tgt(i8 %x, i8 %c, i8 %n) {
entry:
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %a = add nsw i8 %i, %c
  %b = add nsw i8 %x, %a
  %i.next = add nuw i8 %i, 1
  %more = icmp ult i8 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %b
}
