; loop-vectorize<force-vector-width=2;force-vector-interleave=2>
; A sum to which no iteration may add: the partial sums are combined without nsz, so that the start value keeps its
; sign.
define float @sum(ptr %p, i64 %n, i1 %c) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %sum.next, %loop ]
  %at = getelementptr inbounds float, ptr %p, i64 %i
  %x = load float, ptr %at
  %more = fadd fast float %sum, %x
  %sum.next = select i1 %c, float %more, float %sum
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret float %sum.next
}
