; A loop in Loop Simplify Form: a preheader, a single backedge, and exit blocks with no predecessor
; outside the loop.
; From loop-terminology.rst: Loop Simplify Form.

define i32 @f(ptr %p, i32 %n) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %join, label %preheader

preheader:
  br label %header

header:
  %i = phi i32 [ 0, %preheader ], [ %i.next, %latch ]
  %at = getelementptr inbounds i8, ptr %p, i32 %i
  %v = load i8, ptr %at
  %zero = icmp eq i8 %v, 0
  br i1 %zero, label %exit.found, label %latch

latch:
  %i.next = add nuw i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %header, label %exit.end

exit.found:
  %i.lcssa = phi i32 [ %i, %header ]
  br label %join

exit.end:
  br label %join

join:
  %r = phi i32 [ 0, %entry ], [ %i.lcssa, %exit.found ], [ %n, %exit.end ]
  ret i32 %r
}
