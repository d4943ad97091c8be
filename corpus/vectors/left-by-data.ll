; A loop that what it loads leaves: what is tested comes first, then the test, then the rest of the round. Loads of pairs, and
; a sum that keeps its order.

define float @until(ptr dereferenceable(256) align 1 %stops, ptr noalias %pairs, float %start) nofree nosync {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %sum = phi float [ %start, %entry ], [ %sum.next, %latch ]
  %at = getelementptr i8, ptr %stops, i64 %i
  %byte = load i8, ptr %at, align 1
  %stop = icmp eq i8 %byte, 0
  br i1 %stop, label %found, label %latch

latch:
  %pair = getelementptr { float, float }, ptr %pairs, i64 %i
  %left = load float, ptr %pair, align 4
  %second = getelementptr i8, ptr %pair, i64 4
  %right = load float, ptr %second, align 4
  %product = fmul float %left, %right
  %sum.next = fadd float %sum, %product
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 256
  br i1 %more, label %loop, label %end

found:
  ret float 0.0

end:
  ret float %sum.next
}
