; loop-vectorize<force-vector-width=4;force-vector-interleave=2>
; Lanes accumulate separately; the scalar loop executes the remainder.
define i32 @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ 3, %entry ], [ %t, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at
  %t = add nsw i32 %s, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %t
}
