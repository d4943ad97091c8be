; A store promoted to a register is written back at both exits, each with the value of its own exiting
; edge.

define i32 @src(ptr %p, ptr noalias %sum, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  store i32 %i, ptr %sum
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %early, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

early:
  ret i32 0

done:
  ret i32 1
}

define i32 @tgt(ptr %p, ptr noalias %sum, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %stop = icmp eq i8 %v, 0
  br i1 %stop, label %early, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

early:
  %i.early = phi i32 [ %i, %loop ]
  store i32 %i.early, ptr %sum
  ret i32 0

done:
  %i.done = phi i32 [ %i, %latch ]
  store i32 %i.done, ptr %sum
  ret i32 1
}
