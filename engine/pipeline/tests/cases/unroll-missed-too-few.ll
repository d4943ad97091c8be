; loop-unroll<count=3;threshold=4;runtime>
; The count has one bit, and two copies are too large.
define void @f(i1 %n) {
entry:
  br label %loop
loop:
  %i = phi i1 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i1 %i, 1
  %e = icmp eq i1 %i.next, %n
  br i1 %e, label %out, label %loop
out:
  ret void
}
