; The condition is one of the pointer that the loop goes along: it is restricted, and split, as with a counter.
; From loop-opt-ideas.rst: Internal Control Flow, with a pointer in place of iv.

define void @restricted(ptr %begin, ptr %mid, ptr %end) mustprogress {
entry:
  %some = icmp ult ptr %begin, %end
  br i1 %some, label %loop, label %exit

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

define void @split(ptr %begin, ptr %mid, ptr %end) {
entry:
  %some = icmp ult ptr %begin, %end
  br i1 %some, label %loop, label %exit

loop:
  %p = phi ptr [ %p.next, %latch ], [ %begin, %entry ]
  %c = icmp ult ptr %p, %mid
  br i1 %c, label %then, label %else

then:
  store i8 7, ptr %p
  br label %latch

else:
  store i8 9, ptr %p
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
  call void @split(ptr %p, ptr %mid, ptr %end)
  %r = load i32, ptr %p
  ret i32 %r
}
