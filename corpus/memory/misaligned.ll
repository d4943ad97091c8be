; Four-byte loads at a stride of two: the second one is not aligned as it says.

define i32 @f(ptr align 4 %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop ]
  %at = getelementptr inbounds i16, ptr %p, i32 %i
  %v = load i32, ptr %at, align 4
  %s.next = add i32 %s, %v
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %s.next
}
