; loop-peel
; The outcome of the pointer comparison is constant after two iterations.
define void @f(ptr %begin, ptr %end, ptr %to) {
entry:
  %mid = getelementptr inbounds nuw i8, ptr %begin, i64 8
  br label %loop
loop:
  %p = phi ptr [ %p.next, %latch ], [ %begin, %entry ]
  %c = icmp ult ptr %p, %mid
  br i1 %c, label %then, label %latch
then:
  store volatile i32 7, ptr %to
  br label %latch
latch:
  store volatile i32 8, ptr %to
  %p.next = getelementptr inbounds nuw i32, ptr %p, i64 1
  %more = icmp ne ptr %p.next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
