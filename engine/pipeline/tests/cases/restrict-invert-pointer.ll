; early-exit-inversion
; The condition compares the pointer that the loop increments.
define void @f(ptr %begin, ptr %mid, ptr %end) mustprogress {
entry:
  %e = icmp ne ptr %begin, %end
  br i1 %e, label %loop, label %exit
loop:
  %p = phi ptr [ %p.next, %latch ], [ %begin, %entry ]
  %c = icmp ult ptr %p, %mid
  br i1 %c, label %then, label %latch
then:
  store i32 7, ptr %p
  br label %latch
latch:
  %p.next = getelementptr inbounds nuw i32, ptr %p, i64 1
  %more = icmp ne ptr %p.next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
