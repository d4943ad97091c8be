; loop-vectorize<force-vector-width=4;force-vector-interleave=1>
; Data-dependent exits: the lane that exits provides the live-out values; the scalar loop provides them and stores; the
; tested value is loaded from memory that was stored to before.
define i64 @find(ptr noalias dereferenceable(400) align 4 %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %found = icmp eq i32 %v, %x
  br i1 %found, label %exit, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i64 [ %i, %loop ], [ -1, %latch ]
  ret i64 %r
}
define i32 @until(ptr noalias dereferenceable(400) align 4 %p, ptr noalias %q, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %t, %latch ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %at, align 4
  %stop = icmp sgt i32 %v, %x
  br i1 %stop, label %exit, label %latch
latch:
  %to = getelementptr inbounds i32, ptr %q, i64 %i
  store i32 %v, ptr %to, align 4
  %t = add i32 %s, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i32 [ %s, %loop ], [ %t, %latch ]
  ret i32 %r
}
define void @behind(ptr noalias dereferenceable(400) align 4 %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 %x, ptr %at, align 4
  %back = getelementptr inbounds i32, ptr %p, i64 7
  %v = load i32, ptr %back, align 4
  %stop = icmp sgt i32 %v, %x
  br i1 %stop, label %exit, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
