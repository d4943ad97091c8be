; The condition is one of the pointer that the loop goes along: the loop is restricted as one with a counter.
; From loop-opt-ideas.rst: Internal Control Flow, with a pointer in place of iv.

define void @f(ptr %begin, ptr %mid, ptr %end) mustprogress {
entry:
  br label %loop

loop:
  %p = phi ptr [ %p.next, %latch ], [ %begin, %entry ]
  %c = icmp ult ptr %p, %mid
  br i1 %c, label %then, label %latch

then:
  store i8 7, ptr %p
  br label %latch

latch:
  %p.next = getelementptr inbounds nuw i8, ptr %p, i64 1
  %more = icmp ult ptr %p.next, %end
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define i32 @run(ptr %p, i64 %a, i64 %n) {
entry:
  %mid = getelementptr inbounds i8, ptr %p, i64 %a
  %end = getelementptr inbounds i8, ptr %p, i64 %n
  call void @f(ptr %p, ptr %mid, ptr %end)
  %r = load i32, ptr %p
  ret i32 %r
}
