; The notes' example, with its blocks in either order: the loop knows that the sum does not overflow, the other block
; does not.
define i1 @loop_first(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop
loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %again = icmp ult i32 %iv.next, %a
  br i1 %again, label %loop, label %exit2
exit2:
  ret i1 false
exit1:
  %c = add i32 %a, %b
  ret i1 false
}

define i1 @loop_last(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop
exit1:
  %c = add i32 %a, %b
  ret i1 false
loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %again = icmp ult i32 %iv.next, %a
  br i1 %again, label %loop, label %exit2
exit2:
  ret i1 false
}
