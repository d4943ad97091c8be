; hir-strip-mine<4>
; Branch weights and hints in the loop are kept; the weights of the latch are not.

define i32 @f(ptr noalias %p, i32 %n, i1 noundef %k, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = getelementptr inbounds i32, ptr %p, i32 %i
  %v = load i32, ptr %x
  %neg = icmp slt i32 %v, 0
  br i1 %neg, label %latch, label %then, !prof !0
then:
  store i32 7, ptr %x
  br i1 %k, label %more, label %latch, !unpredictable !3
more:
  store i32 8, ptr %x
  br i1 %k, label %latch, label %other, !prof !0
other:
  %w = load i32, ptr %x
  switch i32 %w, label %latch [ i32 0, label %a
    i32 1, label %b ], !prof !1
a:
  store i32 1, ptr %x
  br label %latch
b:
  store i32 2, ptr %x
  br label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %c = icmp slt i32 %i.next, 100
  br i1 %c, label %loop, label %exit, !prof !2
exit:
  ret i32 0
}
!0 = !{!"branch_weights", i32 1, i32 20}
!1 = !{!"branch_weights", i32 5, i32 20, i32 30}
!2 = !{!"branch_weights", i32 99, i32 1}
!3 = !{}
