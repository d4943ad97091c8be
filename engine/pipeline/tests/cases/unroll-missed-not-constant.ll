; loop-unroll-full
; Countable, but the trip count is not a compile-time constant.
define void @f(ptr %p, i64 %n, i64 %m) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  %e = icmp ult i64 %i.next, %m
  %c = select i1 %d, i1 %e, i1 false
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
