; A search unrolled by two where the data-dependent exit is tested in the first copy only.

define i32 @src(ptr %p, i32 %half) {
entry:
  %n = shl nuw i32 %half, 1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 0
  br i1 %hit, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %half) {
entry:
  %n = shl nuw i32 %half, 1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %hit = icmp eq i8 %v, 0
  br i1 %hit, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 2
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}
