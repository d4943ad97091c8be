; What does not depend on the loop is added first, and in front of it. Both are not negative there, so no part of the sum
; wraps where the whole does not.

define i8 @in_range(i8 %n, i8 range(i8 0, 50) %a, i8 range(i8 0, 50) %b) {
entry:
  br label %loop

loop:
  %i = phi i8 [ -3, %entry ], [ %i.next, %loop ]
  %best = phi i8 [ 0, %entry ], [ %best.next, %loop ]
  %x = add nsw i8 %i, %a
  %sum = add nsw i8 %x, %b
  %best.next = xor i8 %best, %sum
  %i.next = add nsw i8 %i, 1
  %go = icmp slt i8 %i.next, %n
  br i1 %go, label %loop, label %exit

exit:
  ret i8 %best.next
}

; 100 + 100 wraps, and -100 + 100 + 100 does not: the flag goes.

define i8 @wraps(i8 %n, i8 %a, i8 %b) {
entry:
  br label %loop

loop:
  %i = phi i8 [ -100, %entry ], [ %i.next, %loop ]
  %best = phi i8 [ 0, %entry ], [ %best.next, %loop ]
  %x = add nsw i8 %i, %a
  %sum = add nsw i8 %x, %b
  %best.next = xor i8 %best, %sum
  %i.next = add nsw i8 %i, 1
  %go = icmp slt i8 %i.next, %n
  br i1 %go, label %loop, label %exit

exit:
  ret i8 %best.next
}

; An address that only goes forward stays in its object on the way.

define void @forward(ptr %p, i64 range(i64 0, 4) %from, i64 range(i64 1, 5) %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = getelementptr inbounds i8, ptr %p, i64 %i
  %y = getelementptr inbounds i8, ptr %x, i64 %from
  store i8 1, ptr %y
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp ult i64 %i.next, %n
  br i1 %go, label %loop, label %exit

exit:
  ret void
}
