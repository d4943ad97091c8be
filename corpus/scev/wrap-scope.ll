; Sums of which a loop knows more than the block beside it: each loop begins with (%a + %b), which does not wrap there,
; since the increment's poison would be undefined behaviour; %c is the same sum where the loop does not run, and wraps.
; From loop-opt-ideas.rst: SCEV Wrap Flags, An interesting case....

declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

define i1 @behind(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next ; forces poison to UB
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2

exit2:
  ret i1 false

exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 %ret1
}

define i1 @before(i32 %a, i32 %b, i1 %will_overflow) {
entry:
  br i1 %will_overflow, label %exit1, label %loop

exit1:
  %c = add i32 %a, %b
  %ret1 = icmp ult i32 %c, %a
  ret i1 %ret1

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %ret2 = icmp ult i32 %iv.next, %a
  br i1 %ret2, label %loop, label %exit2

exit2:
  ret i1 false
}

; The loop's guard and the loop's end have nothing to do with what its poison does.
define i32 @guarded(i32 %a, i32 %b, i32 %n) {
entry:
  %pair = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %overflow = extractvalue { i32, i1 } %pair, 1
  br i1 %overflow, label %assumes.overflow, label %loop

loop:
  %iv = phi i32 [ %a, %entry ], [ %iv.next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %iv.next = add nuw nsw i32 %iv, %b
  %trap = udiv i32 %a, %iv.next
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i32 %iv.next

assumes.overflow:
  %c = add i32 %a, %b
  ret i32 %c
}
