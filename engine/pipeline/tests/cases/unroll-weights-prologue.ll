; loop-unroll<runtime;count=4;rest=prologue>
; A hundred iterations on average are 25 rounds; the remainder is half a round.
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %loop, label %exit, !prof !0
exit:
  ret void
}
!0 = !{!"branch_weights", i32 99, i32 1}
