; iteration-set-split
; The comparison is on the pointer that the loop increments: its outcome is constant in both loops.
define void @f(ptr %begin, ptr %mid, ptr %end, ptr %to) {
entry:
  %e = icmp ult ptr %begin, %end
  br i1 %e, label %loop, label %exit
loop:
  %p = phi ptr [ %p.next, %latch ], [ %begin, %entry ]
  %c = icmp ult ptr %p, %mid
  br i1 %c, label %then, label %else
then:
  store volatile i32 7, ptr %to
  br label %latch
else:
  store volatile i32 9, ptr %to
  br label %latch
latch:
  %p.next = getelementptr inbounds nuw i32, ptr %p, i64 1
  %more = icmp ult ptr %p.next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
