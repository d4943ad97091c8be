; A conditional branch whose two edges both leave the loop for the same block, beside the loop's own
; exit.

define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %is.k = icmp eq i32 %i, %k
  br i1 %is.k, label %out, label %latch

latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %end

out:
  %odd = trunc i32 %k to i1
  br i1 %odd, label %end, label %end

end:
  ret i32 %k
}
