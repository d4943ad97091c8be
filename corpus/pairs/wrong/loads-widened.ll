; Two byte loads of the unrolled body become one 16-bit load before the exit test between them: it
; reads a byte that the source never read.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.2, %latch.1 ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %both = load i16, ptr %at, align 1
  %v = trunc i16 %both to i8
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit, label %latch

latch:
  %i.1 = add nuw i32 %i, 1
  %more = icmp ult i32 %i.1, %n
  br i1 %more, label %second, label %exit

second:
  %hi = lshr i16 %both, 8
  %zero.1 = icmp eq i16 %hi, 0
  br i1 %zero.1, label %exit, label %latch.1

latch.1:
  %i.2 = add nuw i32 %i, 2
  %more.1 = icmp ult i32 %i.2, %n
  br i1 %more.1, label %loop, label %exit

exit:
  %r = phi i32 [ %i, %loop ], [ -1, %latch ], [ %i.1, %second ], [ -1, %latch.1 ]
  ret i32 %r
}
