; A block with two predecessors that is latch and exiting block at once: it cannot be a region's exit,
; since it has two successors.
; From vplan-hcfg-builder.rst: Simplify Plain CFG, Non-loop region Entry and Exit massaging.

define i32 @f(ptr %p, i32 %n) {
entry:
  br label %header

header:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %max = phi i8 [ 0, %entry ], [ %max.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %gt = icmp ugt i8 %v, %max
  br i1 %gt, label %update, label %latch

update:
  br label %latch

latch:
  %max.next = phi i8 [ %v, %update ], [ %max, %header ]
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit

exit:
  %r = zext i8 %max.next to i32
  ret i32 %r
}
