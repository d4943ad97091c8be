; A reduction summed in two partial sums with nsw kept on all additions: the partial sums overflow
; where the sequential sum does not.

define i8 @src(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i8 [ 0, %entry ], [ %s.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %s.next = add nsw i8 %s, %v
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %loop, label %exit

exit:
  ret i8 %s.next
}

define i8 @tgt(ptr %p) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.2, %loop ]
  %even = phi i8 [ 0, %entry ], [ %even.next, %loop ]
  %odd = phi i8 [ 0, %entry ], [ %odd.next, %loop ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %even.next = add nsw i8 %even, %v
  %i.1 = add nuw i32 %i, 1
  %at.1 = getelementptr inbounds i8, ptr %p, i32 %i.1
  %v.1 = load i8, ptr %at.1
  %odd.next = add nsw i8 %odd, %v.1
  %i.2 = add nuw i32 %i, 2
  %more = icmp ult i32 %i.2, 4
  br i1 %more, label %loop, label %exit

exit:
  %r = add nsw i8 %even.next, %odd.next
  ret i8 %r
}
