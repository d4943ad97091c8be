; The problem from the review: the loop runs only if a + b does not overflow, so iv.next is nuw inside
; of it, while c = a + b outside is not.
; From loop-opt-ideas.rst: SCEV Wrap Flags, First, the problem from the review.
;
; The loop is left by an unrelated induction variable.

declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

define i32 @f(i32 %a, i32 %b, i32 %n) {
entry:
  %pair = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %c = extractvalue { i32, i1 } %pair, 0
  %overflow = extractvalue { i32, i1 } %pair, 1
  br i1 %overflow, label %assumes.overflow, label %preheader

preheader:
  br label %loop

loop:
  %iv = phi i32 [ %a, %preheader ], [ %iv.next, %loop ]
  %k = phi i32 [ 0, %preheader ], [ %k.next, %loop ]
  %iv.next = add nuw i32 %iv, %b
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %iv.next, %loop ]
  ret i32 %r

assumes.overflow:
  ret i32 %c
}
