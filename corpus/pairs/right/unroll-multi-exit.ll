; A search loop unrolled by two with every exiting edge kept in each copy; the shared exit's phi gets
; an entry per copy.

define i32 @src(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nuw i32 %i, 1
  %hit = icmp eq i8 %v, 9
  br i1 %hit, label %exit, label %header

exit:
  %r = phi i32 [ -1, %header ], [ %i, %latch ]
  ret i32 %r
}

define i32 @tgt(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next.1, %latch.1 ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %exit

latch:
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %i.next = add nuw i32 %i, 1
  %hit = icmp eq i8 %v, 9
  br i1 %hit, label %exit, label %header.1

header.1:
  %more.1 = icmp ult i32 %i.next, %n
  br i1 %more.1, label %latch.1, label %exit

latch.1:
  %at.1 = getelementptr inbounds i8, ptr %p, i32 %i.next
  %v.1 = load i8, ptr %at.1
  %i.next.1 = add nuw i32 %i.next, 1
  %hit.1 = icmp eq i8 %v.1, 9
  br i1 %hit.1, label %exit, label %header

exit:
  %r = phi i32 [ -1, %header ], [ %i, %latch ], [ -1, %header.1 ], [ %i.next, %latch.1 ]
  ret i32 %r
}
