; What comes from undef is another value at each use: "%y - (%y - 4)" is 4 only where both uses of %y see the same value.
; So @f may return anything, though %p goes from 4 to %y - 4 and back; in @frozen it is 4 indeed.

define i8 @f(i8 noundef %x) {
entry:
  %y = add i8 undef, %x
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi i8 [ 4, %entry ], [ %p.next, %loop ]
  %p.next = sub i8 %y, %p
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %p.next
}

define i8 @frozen(i8 noundef %x) {
entry:
  %any = add i8 undef, %x
  %y = freeze i8 %any
  br label %loop

loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi i8 [ 4, %entry ], [ %p.next, %loop ]
  %p.next = sub i8 %y, %p
  %i.next = add i8 %i, 1
  %more = icmp ult i8 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %p.next
}
