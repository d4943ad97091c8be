; loop(iteration-set-split),loop(indvars,loop-deletion)
; The body executes only for lo <= i < hi: the loop is split where either comparison changes, and of three loops one
; remains.
define void @and(ptr %to, i64 %lo, i64 %hi, i64 %n) {
entry:
  %g = icmp sgt i64 %n, 0
  br i1 %g, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %above = icmp sge i64 %i, %lo
  %below = icmp slt i64 %i, %hi
  %within = and i1 %above, %below
  br i1 %within, label %then, label %latch
then:
  %p = getelementptr inbounds i64, ptr %to, i64 %i
  store i64 5, ptr %p
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @select(ptr %to, i64 %lo, i64 %hi, i64 %n) {
entry:
  %g = icmp sgt i64 %n, 0
  br i1 %g, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %above = icmp sge i64 %i, %lo
  %below = icmp slt i64 %i, %hi
  %within = select i1 %above, i1 %below, i1 false
  br i1 %within, label %then, label %latch
then:
  %p = getelementptr inbounds i64, ptr %to, i64 %i
  store i64 5, ptr %p
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
